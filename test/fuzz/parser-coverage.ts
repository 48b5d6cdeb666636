import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));

export interface ParserCoverage {
  /** Reads what ran since it was asked last; whether something ran for the first time. */
  look(): Promise<boolean>;
  /** Of each file of `src` that anything ran in: characters of its functions that ran, 0 to 1. */
  shares(files: readonly string[]): { readonly file: string; readonly share: number }[];
  stop(): Promise<void>;
}

/** Coverage of Forge's own code as V8 counts it, block by block. */
export async function startCoverage(): Promise<ParserCoverage> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const seen = new Set<string>();
  const ran = new Map<string, Uint8Array>();
  return {
    look: async () => {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const before = seen.size;
      for (const { url, functions } of result) {
        const path = url.startsWith("file://") ? fileURLToPath(url) : "";
        if (!path.startsWith(SOURCES)) continue;
        const file = relative(SOURCES, path);
        const marks = ran.get(file) ?? new Uint8Array(readFileSync(path, "utf8").length);
        ran.set(file, marks);
        for (const { ranges, functionName } of functions) {
          const [whole] = ranges;
          if (!whole || whole.count === 0 || (functionName === "" && whole.startOffset === 0)) continue;
          const here = new Uint8Array(whole.endOffset - whole.startOffset).fill(1);
          for (const { startOffset, endOffset, count } of ranges) {
            here.fill(count > 0 ? 1 : 0, startOffset - whole.startOffset, endOffset - whole.startOffset);
            if (count > 0) seen.add(`${file}:${startOffset}:${endOffset}`);
          }
          for (const [at, mark] of here.entries()) if (mark === 1) marks[whole.startOffset + at] = 1;
        }
      }
      return seen.size > before;
    },
    shares: (files) =>
      files.map((file) => {
        const text = readFileSync(`${SOURCES}${file}`, "utf8");
        const marks = ran.get(file) ?? new Uint8Array(text.length);
        const inFunctions = functionsOf(text);
        const all = inFunctions.reduce((sum, mark) => sum + mark, 0);
        const covered = inFunctions.reduce((sum, mark, at) => sum + (mark & marks[at]!), 0);
        return { file, share: all === 0 ? 1 : covered / all };
      }),
    stop: async () => {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}

/** What stands within functions, roughly: lines that are indented, without comments. */
function functionsOf(text: string): Uint8Array {
  const marks = new Uint8Array(text.length);
  let at = 0;
  for (const line of text.split("\n")) {
    if (/^\s+(?!\*|\/[/*])\S/.test(line)) marks.fill(1, at + line.search(/\S/), at + line.length);
    at += line.length + 1;
  }
  return marks;
}
