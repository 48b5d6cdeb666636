import { Session } from "node:inspector/promises";
import { pathToFileURL } from "node:url";
import { countBuiltIns } from "./built-ins.ts";

const SOURCES = pathToFileURL(`${import.meta.dirname}/../../src/`).href;

/** Counts operations: a count of work, which no busy machine changes. */
export interface OperationCounter {
  /**
   * Blocks of Forge's own code that ran during some work, and what built-ins looked at for it. What Forge's code did since the last count is
   * counted as well: `forget` it first.
   */
  readonly count: (work: () => unknown) => Promise<number>;
  readonly forget: () => Promise<void>;
  /** Paths below `src/` of the files that ran during what was counted. */
  readonly ran: ReadonlySet<string>;
  readonly stop: () => Promise<void>;
}

/** Starts V8's counts of blocks. Functions that ran before are counted as one block: start it before the first call of what is counted. */
export async function startOperations(): Promise<OperationCounter> {
  const session = new Session();
  const ran = new Set<string>();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const take = async () => {
    let blocks = 0;
    const files: string[] = [];
    for (const { url, functions } of (await session.post("Profiler.takePreciseCoverage")).result) {
      if (!url.startsWith(SOURCES)) continue;
      files.push(url.slice(SOURCES.length));
      for (const { ranges } of functions) for (const range of ranges) blocks += range.count;
    }
    return { blocks, files };
  };
  return {
    ran,
    count: async (work) => {
      const looked = await countBuiltIns(work);
      // Takes 10 ms, whatever ran: V8 goes through all functions that were loaded.
      const { blocks, files } = await take();
      for (const file of files) ran.add(file);
      return looked + blocks;
    },
    forget: async () => {
      await take();
    },
    stop: async () => {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
