import { appendFile, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Observation } from "../domain/findings.ts";

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
