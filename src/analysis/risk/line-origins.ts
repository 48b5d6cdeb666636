import { readPatchPath } from "../../workspace/parse-commit-log.ts";

/** What a change alters in one file, by `git log --patch -U0`. Text has one character for each byte. */
export interface FilePatch {
  /** Undefined for a file that was not there before, or is not there afterwards. */
  readonly oldPath?: string;
  readonly newPath?: string;
  readonly hunks: readonly PatchHunk[];
}

interface PatchHunk {
  /** Lines that stay before it, in the old file. */
  readonly before: number;
  readonly removed: string[];
  readonly added: string[];
}

/** Reads the patch of one change: files with text, and those that only moved. */
export function parsePatch(patch: string): FilePatch[] {
  // Lines of content begin with a sign, so that none can be taken for a head.
  const [, ...sections] = `\n${patch}`.split("\ndiff --git ");
  return sections.map(parseSection).filter(({ oldPath, newPath }) => oldPath !== undefined || newPath !== undefined);
}

function parseSection(section: string): FilePatch {
  const lines = section.split("\n");
  const firstHunk = lines.findIndex((line) => line.startsWith("@@"));
  const heads = firstHunk === -1 ? lines : lines.slice(0, firstHunk);
  const named = (...words: string[]) => {
    const line = heads.find((head) => words.some((word) => head.startsWith(word)));
    return line === undefined || line.endsWith(" /dev/null") ? undefined : line;
  };
  const [from, to] = [named("--- ", "rename from "), named("+++ ", "rename to ")];
  const hunks: PatchHunk[] = [];
  for (const line of firstHunk === -1 ? [] : lines.slice(firstHunk)) {
    const hunk = hunks.at(-1);
    if (line.startsWith("@@")) {
      const [, start = "0", count = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
      hunks.push({ before: count === "0" ? Number(start) : Number(start) - 1, removed: [], added: [] });
    } else if (line.startsWith("-")) hunk?.removed.push(line.slice(1));
    else if (line.startsWith("+")) hunk?.added.push(line.slice(1));
  }
  return {
    ...(from === undefined ? {} : { oldPath: readPatchPath(from) }),
    ...(to === undefined ? {} : { newPath: readPatchPath(to) }),
    hunks,
  };
}

/** A line that a change took away for good, and the step that had written it. */
export interface RemovedLine {
  readonly path: string;
  readonly origin: number;
  readonly text: string;
}

export interface Applied {
  /** Without those that came back elsewhere in the same change, or with other white space only. */
  readonly removed: readonly RemovedLine[];
  /** Lines that only moved, or changed their white space. */
  readonly kept: number;
}

/** Which step wrote each line of each file: what `git blame` would say, of all steps in one pass. */
export interface LineOrigins {
  /**
   * @param step number of the change, 0 or above
   * @param sweep whether it only put lines into another form: they stay whose they were
   */
  apply(step: number, files: readonly FilePatch[], sweep: boolean): Applied;
  /** The lines of these files are not known any more. */
  forget(paths: Iterable<string>): void;
}

/** Nobody's: written before the first step. */
const UNKNOWN = -1;
/** A line of fewer characters, white space apart, stands in many places: it has not moved from one to the other. */
const TELLING = 12;
const MANY = 2 ** 30;

interface Leaving {
  readonly path: string;
  readonly origin: number;
  readonly text: string;
  readonly key: string;
  kept: boolean;
}

export function createLineOrigins(): LineOrigins {
  /** Runs of lines of one origin: count and origin by turns. What is behind the last one is nobody's. */
  const files = new Map<string, readonly number[]>();
  return {
    apply(step, patches, sweep) {
      const leaving = patches.map(({ oldPath, hunks }) => leavingLines(files.get(oldPath ?? "") ?? [], oldPath, hunks));
      const pool = new Map<string, Leaving[]>();
      const entering = patches.map(({ hunks }, at) =>
        hunks.map(({ added }, place) => keepWithin(leaving[at]?.[place] ?? [], added, step, sweep)),
      );
      for (const line of leaving.flat(2)) {
        if (line.kept || line.key.length < TELLING) continue;
        addTo(pool, line);
      }
      patches.forEach(({ hunks }, at) => {
        for (const [place, { added }] of hunks.entries()) takeMoved(pool, added, entering[at]?.[place] ?? [], step);
      });
      const next = patches.map(({ oldPath, hunks }, at) =>
        rewrite(files.get(oldPath ?? "") ?? [], hunks, entering[at] ?? []),
      );
      for (const { oldPath } of patches) if (oldPath !== undefined) files.delete(oldPath);
      patches.forEach(({ newPath }, at) => {
        if (newPath !== undefined) files.set(newPath, next[at] ?? []);
      });
      const all = leaving.flat(2);
      return { removed: all.filter(({ kept }) => !kept), kept: all.filter(({ kept }) => kept).length };
    },
    forget(paths) {
      for (const path of paths) files.delete(path);
    },
  };
}

function leavingLines(runs: readonly number[], path: string | undefined, hunks: readonly PatchHunk[]): Leaving[][] {
  const cursor = walk(runs);
  return hunks.map(({ before, removed }) => {
    cursor.skipTo(before);
    return removed.map((text) => {
      return { path: path ?? "", origin: cursor.next(), text, key: text.replace(/\s+/g, ""), kept: false };
    });
  });
}

/** The origins of the lines that a hunk adds: those that differ in white space only keep theirs. */
function keepWithin(leaving: readonly Leaving[], added: readonly string[], step: number, sweep: boolean): number[] {
  if (leaving.length === 0) return added.map(() => step);
  const waiting = new Map<string, Leaving[]>();
  for (const line of leaving.toReversed()) addTo(waiting, line);
  return added.map((text, at) => {
    const same = waiting.get(text.replace(/\s+/g, ""))?.pop();
    if (same !== undefined) same.kept = true;
    if (same !== undefined) return same.origin;
    const formed = sweep ? leaving[at] : undefined;
    return formed?.origin ?? step;
  });
}

function takeMoved(pool: ReadonlyMap<string, Leaving[]>, added: readonly string[], origins: number[], step: number) {
  if (pool.size === 0) return;
  added.forEach((text, at) => {
    if (origins[at] !== step) return;
    const line = pool.get(text.replace(/\s+/g, ""))?.pop();
    if (line === undefined) return;
    line.kept = true;
    origins[at] = line.origin;
  });
}

function addTo(lines: Map<string, Leaving[]>, line: Leaving): void {
  const same = lines.get(line.key);
  if (same === undefined) lines.set(line.key, [line]);
  else same.push(line);
}

function rewrite(runs: readonly number[], hunks: readonly PatchHunk[], entering: readonly (readonly number[])[]) {
  const cursor = walk(runs);
  const next: number[] = [];
  hunks.forEach(({ before, removed }, at) => {
    cursor.skipTo(before, next);
    for (let line = 0; line < removed.length; line += 1) cursor.next();
    for (const origin of entering[at] ?? []) append(next, 1, origin);
  });
  cursor.rest(next);
  return next;
}

function append(runs: number[], count: number, origin: number): void {
  if (count === 0) return;
  if (runs.at(-1) === origin) runs[runs.length - 2] = (runs[runs.length - 2] ?? 0) + count;
  else runs.push(count, origin);
}

function walk(runs: readonly number[]) {
  let [at, used, line] = [0, 0, 0];
  const left = () => (at < runs.length ? (runs[at] ?? 0) - used : MANY);
  const origin = () => (at < runs.length ? (runs[at + 1] ?? UNKNOWN) : UNKNOWN);
  const take = (count: number) => {
    line += count;
    used += count;
    if (at < runs.length && used >= (runs[at] ?? 0)) [at, used] = [at + 2, 0];
  };
  return {
    /** Goes on to this many lines from the beginning, and writes those in between to `into`. */
    skipTo(target: number, into?: number[]) {
      while (line < target) {
        const count = Math.min(target - line, left());
        if (into) append(into, count, origin());
        take(count);
      }
    },
    next(): number {
      const found = origin();
      take(1);
      return found;
    },
    rest(into: number[]) {
      while (at < runs.length) {
        append(into, left(), origin());
        take(left());
      }
    },
  };
}
