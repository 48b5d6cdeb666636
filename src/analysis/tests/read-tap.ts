import { type FailedTest, FILE_ITSELF, failedTest, MOST_FAILURES, pathInBox, type TestReport } from "./test-results.ts";

/** Lines that a crashed file left behind, and lines of one failure's details. */
const MOST_LINES = 60;

/**
 * Reads TAP, with what `node --test` writes into it. Undefined where the runner did not get to its end, so that half a report is never
 * taken for a whole one.
 */
export function readTap(stdout: string): TestReport | undefined {
  const counts = new Map<string, number>();
  const failures: FailedTest[] = [];
  const own = { passed: 0, failed: 0, skipped: 0 };
  let planned = false;
  /** The tests around the one at hand, outermost first, as the indentation of their names tells. */
  let around: string[] = [];
  let said: string[] = [];
  const lines = stdout.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const started = /^((?: {4})*)# Subtest: (.*)$/.exec(line);
    if (started) {
      around = [...around.slice(0, (started[1] ?? "").length / 4), unescaped(started[2] ?? "")];
      continue;
    }
    // The last one is the runner's: tests may print what they like before it.
    const [, counted, count] = /^# (pass|fail|cancelled|skipped|todo) (\d{1,9})$/.exec(line) ?? [];
    if (counted !== undefined) counts.set(counted, Number(count));
    else if (line.startsWith("# ")) said = [...said.slice(1 - MOST_LINES), line.slice(2)];
    if (/^1\.\.\d{1,9}(?: |$)/.test(line)) planned = true;
    const point = /^((?: {4})*)(not )?ok\b(?: \d{1,9})?(?: - | )?(.*)$/.exec(line);
    if (!point) continue;
    const [, indent = "", not, title = ""] = point;
    const { end, details } = detailsAfter(lines, at);
    at = end;
    const directive = /# (SKIP|TODO)\b/i.exec(title)?.[1]?.toUpperCase();
    const name = unescaped(title.replace(/ # (?:SKIP|TODO)\b[\s\S]*/i, ""));
    const path = [...around.slice(0, indent.length / 4), name].join(" > ");
    const suite = /^[ \t]*type: 'suite'$/m.test(details);
    if (directive !== undefined) own.skipped += 1;
    else if (not === undefined && !suite) own.passed += 1;
    // A suite fails because a test in it did, and a file because a suite did: only the tests say something.
    else if (not !== undefined && !/failureType: 'subtestsFailed'/.test(details)) {
      own.failed += 1;
      if (failures.length < MOST_FAILURES) failures.push(failureOf(path, name, details, said));
    }
    said = [];
  }
  const passed = counts.get("pass");
  if (passed === undefined) return planned ? { ...own, failures } : undefined;
  const skipped = (counts.get("skipped") ?? 0) + (counts.get("todo") ?? 0);
  const failed = (counts.get("fail") ?? 0) + (counts.get("cancelled") ?? 0);
  // The runner counts what stands around a failed test as another one that failed.
  return { passed, failed: own.failed > 0 ? Math.min(own.failed, failed) : failed, skipped, failures };
}

/** Several reports one after the other, as files print them that are run one by one. Undefined where one of them has no end. */
export function readTaps(stdout: string): TestReport | undefined {
  const reports = stdout.split(/^(?=TAP version 1[34]$)/m).filter((each) => /^TAP version/.test(each));
  const read = reports.flatMap((each) => readTap(each) ?? []);
  if (read.length === 0 || read.length < reports.length) return undefined;
  const sum = (of: "passed" | "failed" | "skipped") => read.reduce((total, each) => total + each[of], 0);
  const failures = read.flatMap((each) => each.failures).slice(0, MOST_FAILURES);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), failures };
}

/** The YAML between `---` and `...` behind a point, and the line that it ends on. */
function detailsAfter(lines: readonly string[], at: number): { readonly end: number; readonly details: string } {
  if (!/^\s*---$/.test(lines[at + 1] ?? "")) return { end: at, details: "" };
  let end = at + 2;
  while (end < lines.length && !/^\s*\.\.\.$/.test(lines[end] ?? "")) end += 1;
  return { end, details: lines.slice(at + 2, Math.min(end, at + 2 + MOST_LINES)).join("\n") };
}

function failureOf(path: string, name: string, details: string, said: readonly string[]): FailedTest {
  const location = /^[ \t]*location: '(.*?):\d+:\d+'/m.exec(details)?.[1];
  const file = location === undefined ? undefined : pathInBox(unescaped(location));
  // What fails by the name of its file is the file: what it printed before says why, the details do not.
  if (file !== undefined && (pathInBox(name) === file || file.endsWith(`/${name}`)))
    return failedTest(FILE_ITSELF, file, [...said, withoutNoise(details)].join("\n"));
  return failedTest(path, file, withoutNoise(details));
}

/** The report's own bookkeeping, and the runner's frames on the stack. */
function withoutNoise(details: string): string {
  const noise =
    /^\s*(?:---|duration_ms:.*|type:.*|location:.*|failureType:.*|stack: .*)$|\(node:internal\/|^\s*async .*node:internal\//;
  return details
    .split("\n")
    .filter((line) => !noise.test(line))
    .map((line) => line.trim())
    .join("\n");
}

function unescaped(text: string): string {
  return text.replace(/\\([#\\])/g, "$1");
}
