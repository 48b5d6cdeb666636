import { z } from "zod";
import { failedTest, MOST_FAILURES, pathInBox, type TestReport } from "./test-results.ts";

const Test = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.unknown(), stack: z.unknown() }).partial().default({}),
});
const MochaReport = z.object({ passes: z.array(Test), failures: z.array(Test), pending: z.array(Test) });

/**
 * Reads the JSON of Mocha, which is the last object that stands on lines of its own: tests print what they like before it. Undefined where
 * there is none.
 * @param files only what stands in these counts, where they are given
 */
export function readMocha(stdout: string, files?: readonly string[]): TestReport | undefined {
  const lines = stdout.trimEnd().split("\n");
  const parsed = MochaReport.safeParse(parse(lines.slice(Math.max(0, lines.lastIndexOf("{"))).join("\n")));
  if (!parsed.success) return undefined;
  const asked = files && new Set(files);
  const isAsked = ({ file }: z.infer<typeof Test>) => asked === undefined || !file || asked.has(pathInBox(file));
  const { passes, failures, pending } = parsed.data;
  const failed = failures.filter(isAsked);
  return {
    passed: passes.filter(isAsked).length,
    failed: failed.length,
    skipped: pending.filter(isAsked).length,
    failures: failed.slice(0, MOST_FAILURES).map(({ fullTitle, file, err }) => {
      const message = String(err.stack ?? err.message ?? "");
      return failedTest(fullTitle, file ? pathInBox(file) : undefined, withoutFrames(message));
    }),
  };
}

/** Frames of the runner say where it is installed, and nothing of the failure. */
function withoutFrames(message: string): string {
  return message
    .split("\n")
    .filter((line) => !/^\s+at .*(?:\/node_modules\/|node:internal|processTicksAndRejections)/.test(line))
    .join("\n");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
