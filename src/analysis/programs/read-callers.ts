import { takeTurns } from "../../workspace/files/turns.ts";
import { listCommands } from "../commands/list-commands.ts";
import { languageOf } from "../languages.ts";
import type { Tree } from "../linked-files.ts";
import { agentFileOf } from "../settings/agent-files.ts";
import { findSettingDangers } from "../settings/setting-dangers.ts";
import { findLineStarts, type SourceFile } from "../source-file.ts";
import { type Called, calledFiles, namedPrograms } from "./called-files.ts";
import { isCallingFile } from "./calling-files.ts";
import { createFileFinder, type FindFile } from "./find-file.ts";

/** A repository has some dozens; of one with more the first by path are read. */
const MOST_CALLERS = 400;
const LARGEST_CALLER = 256 * 1024;
const WORD = /[\w@.+~$/*?-]{2,300}/g;
/** These run the project itself, for people who use it or work on it. */
const RUNS_PRODUCT = /^(?:pre|post)?(?:start|serve|dev|watch|debug|preview)(?:[:-]|$)/;

export interface Callers {
  /** Files that some calling file names, in whatever way. */
  readonly mentioned: ReadonlySet<string>;
  /** Of these, and of the calling files, those that build, test, install or release the project, and do not only start it. */
  readonly working: ReadonlySet<string>;
  /** What their commands run, by path, each with the file that says so. */
  readonly called: ReadonlyMap<string, Called & { readonly by: string }>;
}

/** What the files of a repository say is to be run: manifests, hooks, pipelines, images, settings of tools. */
export async function readCallers({ paths, readMany }: Tree, signal: AbortSignal): Promise<Callers> {
  const find = createFileFinder(paths);
  const callers = paths.filter(isCallingFile).slice(0, MOST_CALLERS);
  const texts = callers.length === 0 ? new Map<string, Buffer>() : await readMany(callers, signal, LARGEST_CALLER);
  const turn = takeTurns();
  const mentioned = new Set<string>();
  const working = new Set<string>();
  const called = new Map<string, Called & { readonly by: string }>();
  for (const [by, bytes] of texts) {
    const text = bytes.toString("utf8");
    await turn(bytes.length * 10);
    const named = mentionedIn(text, by, find);
    for (const path of named) mentioned.add(path);
    const startsOnly = /(?:docker|container)file|procfile|compose(?:[.-][\w-]{1,30})?\.ya?ml$/i.test(by);
    const ofProduct = startsOnly ? named : startedBy(text, by, find);
    working.add(by);
    for (const path of named) if (!ofProduct.has(path)) working.add(path);
    for (const each of await commandsOf(sourceOf(by, text), find)) {
      // A named runner wins over the first line of the file.
      if (called.get(each.path)?.byItself !== undefined || each.byItself === undefined || !called.has(each.path))
        called.set(each.path, { ...each, by });
      mentioned.add(each.path);
    }
    for (const each of namedPrograms(text, by, find))
      if (!called.has(each.path)) called.set(each.path, { ...each, by });
  }
  return { mentioned, working, called };
}

/** What a file has run of the repository, by its commands and by the fields that name programs; only of lines that were added. */
export async function callsIn(file: SourceFile, find: FindFile): Promise<Called[]> {
  const fields = isCallingFile(file.path) ? namedPrograms(file.text, file.path, find) : [];
  const kind = agentFileOf(file.path);
  // Settings of agents hold a command and its arguments apart.
  const started = kind?.is === "settings" ? findSettingDangers(file, kind) : [];
  const commands = started.flatMap(({ line, command }) =>
    command === undefined ? [] : [{ line, text: command, atInstall: false }],
  );
  // The program that a first line names may be given a file of its own.
  const first = file.text.startsWith("#!")
    ? [{ line: 1, text: file.text.slice(2, 500).split("\n", 1)[0] ?? "", atInstall: false }]
    : [];
  return [
    ...calledFiles([...first, ...commands], file.path, find),
    ...(await commandsOf(file, find)),
    ...fields,
  ].filter(({ path }) => path !== file.path);
}

async function commandsOf(file: SourceFile, find: FindFile): Promise<Called[]> {
  return calledFiles(await listCommands(file, takeTurns({ most: 10_000, unitsOfStep: 1 })), file.path, find);
}

/** A text as a changed file of which every line was added. */
export function sourceOf(path: string, text: string): SourceFile {
  const lineStarts = findLineStarts(text);
  const language = languageOf(path);
  const added = new Set(lineStarts.map((_, at) => at + 1));
  const base = {
    path,
    status: "added",
    test: false,
    look: "all",
    text,
    addedLines: added,
    hunks: [],
    lineStarts,
  } as const;
  return language === undefined ? base : { ...base, language };
}

/** What others import of a package, and what is packed with it: nothing runs it by that. */
const IMPORTED_FIELDS = ["main", "module", "browser", "types", "typings", "exports", "imports", "files", "description"];

function mentionedIn(written: string, from: string, find: FindFile): Set<string> {
  const text = MANIFEST.test(from) ? withoutFields(written, IMPORTED_FIELDS) : written;
  const words = new Set(Array.from(text.matchAll(WORD), ([word]) => word.replace(/[.:,;]{1,3}$/, "")));
  // A pattern says what a tool looks at; what a command runs by one is found with the commands.
  const paths = [...words].filter((word) => /[./]/.test(word) && !/[*?]/.test(word));
  return new Set(paths.flatMap((word) => find(word, from)));
}

const MANIFEST = /(?:^|\/)package\.json$/;

function withoutFields(text: string, fields: readonly string[]): string {
  try {
    const kept = Object.entries(JSON.parse(text) as object).filter(([field]) => !fields.includes(field));
    return JSON.stringify(Object.fromEntries(kept));
  } catch {
    return text;
  }
}

/** Files that a manifest names only where it starts the project, or says what others import. */
function startedBy(text: string, from: string, find: FindFile): ReadonlySet<string> {
  if (!MANIFEST.test(from)) return new Set();
  try {
    const { scripts = {}, ...rest } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    const others = Object.entries(scripts).filter(([name]) => !RUNS_PRODUCT.test(name));
    const elsewhere = mentionedIn(JSON.stringify(Object.fromEntries(others)), from, find);
    const starts = mentionedIn(JSON.stringify([scripts, rest]), from, find);
    return new Set([...starts].filter((path) => !elsewhere.has(path)));
  } catch {
    return new Set();
  }
}
