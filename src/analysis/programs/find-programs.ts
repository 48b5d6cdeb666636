import { defined } from "../../domain/defined.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import type { UncoveredFile } from "../../domain/review-report.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Content } from "../classify-file.ts";
import { mayHoldCommands } from "../commands/list-commands.ts";
import { languageOf, languageOfText } from "../languages.ts";
import { agentFileOf } from "../settings/agent-files.ts";
import type { Tree } from "../tree.ts";
import { type Answers, type AskCalls, type Asked, askCalls, calledBy, unreadCalls } from "./ask-calls.ts";
import type { Called } from "./called-files.ts";
import { callersOf, type FoundCallers } from "./callers-of.ts";
import { isCallingFile } from "./calling-files.ts";
import { isNoProgram, type Program } from "./program.ts";

export interface Programs {
  readonly byPath: ReadonlyMap<string, Program>;
  /** Those that the change leaves as they were, as files without a changed line. */
  readonly others: readonly { readonly file: ChangedFile; readonly content: Buffer }[];
  /** Files of which it is not known what they have run. */
  readonly unread: readonly UncoveredFile[];
}

const NO_CALLERS: FoundCallers = { asked: [], unread: [] };

export const NO_PROGRAMS: Programs = { byPath: new Map(), others: [], unread: [] };

interface Sides {
  readonly files: readonly ChangedFile[];
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents?: ReadonlyMap<string, Content>;
}

/** Files that the change has nothing else to do with and that are read because of it. */
const MOST_OTHERS = 20;
/** Of a file that is read for what it has run; a larger one is data. */
const LARGEST_TEXT = 256 * 1024;

/** Both sides of a changed file are decoded and searched once: some 10 ms. */
const TURN = { most: 100, unitsOfStep: 16 * 1024 };

/** The texts that scripts, manifests, hooks, pipelines, images and settings run: those that a change calls, and those of its own that were called before. */
export async function findPrograms(sides: Sides, tree: Tree, signal: AbortSignal, ask?: AskCalls): Promise<Programs> {
  const { asked, unread: large } = await changedCallers(sides);
  const texts = sides.files.filter(({ path, status }) => status !== "deleted" && isNoProgram(path));
  const named = texts.map(({ path }) => path);
  const callers = named.length === 0 ? NO_CALLERS : await callersOf(tree, "all", signal, named);
  const { read, unread } = await askCalls([...asked, ...callers.asked], tree.paths, signal, ask);
  const isNew = ({ file }: Answers["read"][number]) => file.calls === "new";
  const calls = read
    .filter(isNew)
    .flatMap(({ file, commands }) => commands.map((call) => ({ ...call, by: file.path })))
    .filter(({ path }) => isNoProgram(path));
  const changed = new Set(sides.files.map(({ path }) => path));
  const wanted = [...new Set(calls.map(({ path }) => path))].filter((path) => !changed.has(path)).slice(0, MOST_OTHERS);
  const others = wanted.length === 0 ? new Map<string, Buffer>() : await tree.readMany(wanted, signal);
  const isKnown = (call: Called) =>
    saysWhatRuns(call, changed.has(call.path) ? sides.contents.get(call.path) : others.get(call.path));
  const byPath = new Map<string, Program>();
  for (const call of calls) {
    const { path, language, by, line } = call;
    if (!byPath.has(path) && !isKnown(call)) byPath.set(path, { language, by, line, anew: true });
  }
  const called = calledBy(read.filter((each) => !isNew(each)));
  for (const { path, status } of texts) {
    const call = byPath.has(path) ? undefined : called.get(path);
    if (call !== undefined && !isKnown(call))
      byPath.set(path, { language: call.language, by: call.by, anew: status !== "modified" });
  }
  return {
    byPath,
    others: [...others].flatMap(([path, content]) => (byPath.has(path) ? [{ file: unchanged(path), content }] : [])),
    unread: [...large, ...callers.unread, ...unread],
  };
}

/** What is started by its own name is run by what its first line names, and was read as that. */
function saysWhatRuns({ byItself }: Called, content: Content | undefined): boolean {
  return byItself === true && Buffer.isBuffer(content) && languageOfText(content) !== undefined;
}

/** The changed files that may have something run. */
async function changedCallers({
  files,
  contents,
  oldContents,
}: Sides): Promise<{ asked: Asked[]; unread: UncoveredFile[] }> {
  const turn = takeTurns(TURN);
  const asked: Asked[] = [];
  const unread: UncoveredFile[] = [];
  for (const { path, oldPath, status } of files) {
    const content = contents.get(path);
    if (status === "deleted" || !Buffer.isBuffer(content)) continue;
    await turn(Math.min(content.length, LARGEST_TEXT));
    if (content.length > LARGEST_TEXT) {
      if (isCallingFile(path)) unread.push(unreadCalls(path, "it is larger than 256 KiB"));
      continue;
    }
    const text = content.toString("utf8");
    if (!mayCall(path, text)) continue;
    const old = oldContents?.get(path);
    const oldText = Buffer.isBuffer(old) && old.length <= LARGEST_TEXT ? old.toString("utf8") : undefined;
    asked.push({ path, text, calls: "new", ...defined({ oldPath, oldText }) });
  }
  return { asked, unread };
}

/** Whether `callsIn` may find anything: a process to look for it costs more than to see that there is nothing. */
function mayCall(path: string, text: string): boolean {
  const settings = agentFileOf(path)?.is === "settings";
  if (settings || isCallingFile(path) || text.startsWith("#!")) return true;
  return mayHoldCommands({ path, text, ...defined({ language: languageOf(path) }) });
}

function unchanged(path: string): ChangedFile {
  return { path, status: "modified", mode: "100644", binary: false, addedLines: 0, deletedLines: 0, hunks: [] };
}
