import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Observation } from "../domain/findings.ts";
import { takeTurns } from "../workspace/files/turns.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "./analyser.ts";
import { rulesVersion } from "./rules-version.ts";
import type { SourceFile } from "./source-file.ts";

/** An entry without observations takes about 70 bytes, and most are: half a million of them. All are held in memory. */
const LARGEST_CACHE_BYTES = 32 * 1024 * 1024;

/** A file about which so much is said is read again. */
const LARGEST_ENTRY = 64 * 1024;

const Line = z.tuple([z.string(), z.array(Observation)]);

/**
 * A cache in one file of a folder of ours, a line an entry. It is only appended to; when it grows beyond its limit it is written anew
 * with the half that was used last. Whatever cannot be read or written is treated as not there: a cache must never cost a review.
 */
export function openAnalysisCache(folder: string, largestBytes = LARGEST_CACHE_BYTES): AnalysisCache {
  const path = join(folder, "analysis.jsonl");
  let loaded: Promise<Map<string, string>> | undefined;
  let bytes = 0;
  let pending: string[] = [];
  let writing: Promise<void> | undefined;

  async function load(): Promise<Map<string, string>> {
    await mkdir(folder, { recursive: true });
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    // Larger than it can have become by us alone.
    const text = size > 2 * largestBytes ? "" : await readFile(path, "utf8").catch(() => "");
    bytes = size;
    return new Map(
      text.split("\n").flatMap((line) => {
        const key = /^\["([0-9a-f]{64})",/.exec(line)?.[1];
        return key === undefined ? [] : [[key, line]];
      }),
    );
  }

  function entries(): Promise<Map<string, string>> {
    loaded ??= load().catch(() => new Map());
    return loaded;
  }

  async function write(): Promise<void> {
    const lines = await entries();
    while (pending.length > 0) {
      // A feed before and not after each: the line at which a crash cut off the last write ends here.
      const batch = pending.map((line) => `\n${line}`).join("");
      pending = [];
      await appendFile(path, batch);
      bytes += Buffer.byteLength(batch);
      if (bytes > largestBytes) await compact(lines);
    }
  }

  async function compact(lines: Map<string, string>): Promise<void> {
    let kept = 0;
    const newestFirst = [...lines].reverse();
    const end = newestFirst.findIndex(([, line]) => {
      kept += Buffer.byteLength(line) + 1;
      return kept > largestBytes / 2;
    });
    const rest = (end === -1 ? newestFirst : newestFirst.slice(0, end)).reverse();
    lines.clear();
    for (const [key, line] of rest) lines.set(key, line);
    const text = rest.map(([, line]) => `\n${line}`).join("");
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
    bytes = Buffer.byteLength(text);
  }

  return {
    get: async (key) => {
      const lines = await entries();
      const line = lines.get(key);
      if (line === undefined) return undefined;
      lines.delete(key);
      const parsed = readLine(line);
      if (parsed === undefined || parsed[0] !== key) return undefined;
      // Behind all others: what was used last is kept longest.
      lines.set(key, line);
      return parsed[1];
    },
    put: async (key, observations) => {
      const line = JSON.stringify([key, observations]);
      if (line.length > LARGEST_ENTRY) return;
      (await entries()).set(key, line);
      pending.push(line);
      // One write at a time; what arrives meanwhile goes with the next. A full disk costs the cache and nothing else.
      writing ??= write()
        .catch(() => undefined)
        .finally(() => {
          writing = undefined;
        });
      await writing;
    },
  };
}

function readLine(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/**
 * What analysers said about files before, so that a push costs only the files that it touches. An entry holds observations and never
 * text of the repository; a missing or unreadable one is an ordinary answer, and nothing here throws.
 */
export interface AnalysisCache {
  get(key: string): Promise<readonly Observation[] | undefined>;
  put(key: string, observations: readonly Observation[]): Promise<void>;
}

export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/** Lets an analyser read only the files that it has not read before with the same text, the same added lines and the same rules. */
export async function analyseWithCache(
  analyser: Analyser,
  files: readonly SourceFile[],
  context: AnalyserContext,
  cache: AnalysisCache | undefined,
): Promise<{ readonly result: AnalyserResult; readonly counts: CacheCounts }> {
  if (cache === undefined || !analyser.readsFilesAlone) {
    return { result: await analyser.analyse(files, context), counts: { hits: 0, misses: 0 } };
  }
  const beside = await analyser.restsOn?.(files, context);
  const turn = takeTurns(TURN);
  const keys = new Map<SourceFile, string>();
  const known: Observation[] = [];
  const fresh: SourceFile[] = [];
  for (const file of files) {
    const key = keyOf(analyser, file, beside?.get(file.path));
    keys.set(file, key);
    await turn(file.text.length);
    const earlier = await cache.get(key);
    if (earlier === undefined) fresh.push(file);
    else known.push(...earlier);
  }
  const counts = { hits: files.length - fresh.length, misses: fresh.length };
  if (fresh.length === 0) return { result: { observations: known, filesRead: counts.hits, problems: [] }, counts };
  const all = await analyser.analyse(fresh, context);
  // What was found from one file in another that is known: it was kept there.
  const kept = new Set(files.filter((file) => !fresh.includes(file)).map(({ path }) => path));
  const result = { ...all, observations: all.observations.filter(({ file }) => !kept.has(file)) };
  // What did not run has read nothing that could have been spared.
  if (result.idle) counts.misses = 0;
  const byFile = Map.groupBy(result.observations, ({ file }) => file);
  for (const file of fresh) {
    const own = byFile.get(file.path) ?? [];
    if (isWhole(file, result) && own.every(holdsNoText)) await cache.put(keys.get(file) ?? "", own);
  }
  return {
    result: {
      ...result,
      observations: [...known, ...result.observations],
      filesRead: result.filesRead + counts.hits,
    },
    counts,
  };
}

/** Hashing takes 2 ns a character: some 10 ms. */
const TURN = { most: 100, unitsOfStep: 50_000 };

/** What failed once is tried again, and so is everything when the failure names no file. */
function isWhole(file: SourceFile, { problems, notes = [] }: AnalyserResult): boolean {
  return notes.length === 0 && !problems.some((problem) => problem.file === undefined || problem.file === file.path);
}

/** A fix quotes lines of the repository, which do not belong on our disk: such a file is read again. */
function holdsNoText({ fix }: Observation): boolean {
  return fix === undefined;
}

const digests = new WeakMap<SourceFile, string>();

function keyOf({ name, version }: Analyser, file: SourceFile, beside = ""): string {
  // Several analysers ask for the same file; its text is hashed once.
  const digest = digests.get(file) ?? digestOf(file);
  digests.set(file, digest);
  return createHash("sha256").update([rulesVersion(), name, version, digest, beside].join("\0")).digest("hex");
}

/** Of all that an analyser sees of a file. The old text decides what counts as new, the added lines which suppressions are blanked. */
function digestOf(file: SourceFile): string {
  const hash = createHash("sha256");
  const added = [...file.addedLines].join(",");
  for (const fact of [
    file.path,
    file.language?.dialect ?? "",
    String(file.test),
    added,
    file.text,
    file.oldText ?? "",
  ]) {
    hash.update(`${fact.length}\0`).update(fact);
  }
  // Whether there was an old text at all: an empty one is not none.
  return hash.update(String(file.oldText === undefined)).digest("hex");
}
