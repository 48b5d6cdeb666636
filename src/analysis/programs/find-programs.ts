import type { ChangedFile } from "../../domain/hunks.ts";
import type { Content } from "../classify-file.ts";
import { languageOfText } from "../languages.ts";
import type { Tree } from "../linked-files.ts";
import type { Called } from "./called-files.ts";
import { createFileFinder, type FindFile } from "./find-file.ts";
import { isNoProgram, type Program } from "./program.ts";
import { callsIn, readCallers, sourceOf } from "./read-callers.ts";

export interface Programs {
  readonly byPath: ReadonlyMap<string, Program>;
  /** Those that the change leaves as they were, as files without a changed line. */
  readonly others: readonly { readonly file: ChangedFile; readonly content: Buffer }[];
}

export const NO_PROGRAMS: Programs = { byPath: new Map(), others: [] };

interface Sides {
  readonly files: readonly ChangedFile[];
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents?: ReadonlyMap<string, Content>;
}

/** Files that the change has nothing else to do with and that are read because of it. */
const MOST_OTHERS = 20;
const LARGEST_CALLER = 256 * 1024;

/** The texts that scripts, manifests, hooks, pipelines, images and settings run: those that a change calls, and those of its own that were called before. */
export async function findPrograms(
  { files, contents, oldContents }: Sides,
  tree: Tree,
  signal: AbortSignal,
): Promise<Programs> {
  const find = createFileFinder(tree.paths);
  const calls: (Called & { readonly by: string })[] = [];
  for (const file of files) {
    const [text, oldText] = [textOf(contents.get(file.path)), textOf(oldContents?.get(file.path))];
    if (text === undefined || file.status === "deleted") continue;
    const found = await newCalls(file, text, oldText, find);
    for (const call of found) if (isNoProgram(call.path)) calls.push({ ...call, by: file.path });
  }
  const changed = new Set(files.map(({ path }) => path));
  const wanted = [...new Set(calls.map(({ path }) => path))].filter((path) => !changed.has(path)).slice(0, MOST_OTHERS);
  const read = wanted.length === 0 ? new Map<string, Buffer>() : await tree.readMany(wanted, signal);
  const isKnown = (call: Called) =>
    saysWhatRuns(call, changed.has(call.path) ? contents.get(call.path) : read.get(call.path));
  const byPath = new Map<string, Program>();
  for (const call of calls) {
    const { path, language, by, line } = call;
    if (!byPath.has(path) && !isKnown(call)) byPath.set(path, { language, by, line, anew: true });
  }
  const texts = files.filter(({ path, status }) => status !== "deleted" && isNoProgram(path) && !byPath.has(path));
  if (texts.length > 0) {
    const { called } = await readCallers(tree, signal);
    for (const { path, status } of texts) {
      const call = called.get(path);
      if (call !== undefined && !isKnown(call))
        byPath.set(path, { language: call.language, by: call.by, anew: status !== "modified" });
    }
  }
  const others = [...read].flatMap(([path, content]) => (byPath.has(path) ? [{ file: unchanged(path), content }] : []));
  return { byPath, others };
}

/** What is started by its own name is run by what its first line names, and was read as that. */
function saysWhatRuns({ byItself }: Called, content: Content | undefined): boolean {
  return byItself === true && Buffer.isBuffer(content) && languageOfText(content) !== undefined;
}

/** Calls that the change wrote: of the file before it, those that were there. */
async function newCalls(file: ChangedFile, text: string, oldText: string | undefined, find: FindFile) {
  const whole = sourceOf(file.path, text);
  const calls = await callsIn(whole, find);
  if (calls.length === 0) return [];
  const before = oldText === undefined ? [] : await callsIn(sourceOf(file.oldPath ?? file.path, oldText), find);
  const known = new Set(before.map(({ path, language }) => `${language.name}\0${path}`));
  return calls.filter(({ path, language }) => !known.has(`${language.name}\0${path}`));
}

function textOf(content: Content | undefined): string | undefined {
  return Buffer.isBuffer(content) && content.length <= LARGEST_CALLER ? content.toString("utf8") : undefined;
}

function unchanged(path: string): ChangedFile {
  return { path, status: "modified", mode: "100644", binary: false, addedLines: 0, deletedLines: 0, hunks: [] };
}
