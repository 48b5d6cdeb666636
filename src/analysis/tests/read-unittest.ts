import { sections } from "./report-sections.ts";
import { type FailedTest, FILE_ITSELF, failedTest, MOST_FAILURES, pathInBox, type TestReport } from "./test-results.ts";

/**
 * Reads what `python -m unittest -v` prints to its error output, which is the only form it has; undefined where it did not get to its last
 * line.
 */
export function readUnittest(stderr: string): TestReport | undefined {
  const lines = stderr.split("\n");
  const end = lines.findLastIndex((line) => /^Ran \d{1,9} tests? in /.test(line));
  const verdict = end === -1 ? undefined : lines.slice(end).find((line) => /^(?:OK|FAILED|NO TESTS RAN)\b/.test(line));
  if (verdict === undefined) return undefined;
  const counts = countsOf(verdict);
  const count = (word: string) => counts.get(word) ?? 0;
  const unexpected = count("unexpected successes");
  const skipped = count("skipped") + count("expected failures");
  const told = sections(toldSections(lines.slice(0, end)), FAILED_HEADING);
  const failures = Array.from(told, ([name, message]) => failureOf(name, message));
  const surprising = unexpectedSuccesses(lines.slice(0, end)).slice(0, unexpected);
  // Parts of one test fail one by one, and what prepares a class is no test.
  const failed = new Set([...told.keys()].filter((name) => !HOOK.test(name)).map(testOf));
  const all = Number(/\d+/.exec(lines[end] ?? "")?.[0] ?? 0);
  return {
    passed: Math.max(0, all - failed.size - unexpected - skipped),
    failed: count("failures") + count("errors") + unexpected,
    skipped,
    failures: [...failures, ...surprising].slice(0, MOST_FAILURES),
  };
}

/** `FAILED (failures=1, expected failures=2)`. */
function countsOf(verdict: string): ReadonlyMap<string, number> {
  const counted = verdict.slice(verdict.indexOf("(") + 1).split(/[,)]/);
  return new Map(
    counted.map((each) => {
      const [word = "", number] = each.split("=");
      return [word.trim(), Number(number) || 0];
    }),
  );
}

const FAILED_HEADING = /^(?:FAIL|ERROR): (.{1,500})$/;
const HEADING = /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): .{1,500}$/;
const HOOK = /^(?:setUp|tearDown)(?:Class|Module) \(/;

function failureOf(name: string, message: string): FailedTest {
  const loading = /^(\S+) \(unittest\.loader\._FailedTest/.exec(name)?.[1];
  if (loading !== undefined) return failedTest(FILE_ITSELF, `${loading.replaceAll(".", "/")}.py`, message);
  const file = /^ {2}File "([^"]{1,1000})", line \d+/m.exec(message)?.[1];
  return failedTest(name, file === undefined ? undefined : pathInBox(file), message);
}

/** `test_adds (test_calc.Calc) [part] (i=0)` is a part of `test_adds (test_calc.Calc)`. */
function testOf(name: string): string {
  const end = name.indexOf(")");
  return end === -1 ? name : name.slice(0, end + 1);
}

const SURPRISE = " ... unexpected success";

/** Python before 3.11 names them on the line of the test alone. */
function unexpectedSuccesses(lines: readonly string[]): FailedTest[] {
  return lines
    .filter((line) => line.endsWith(SURPRISE))
    .map((line) => line.slice(0, -SURPRISE.length))
    .map((line) => line.slice(line.lastIndexOf(" ... ") + 1).replace(/^\.\.\. /, ""))
    .map((name) => failedTest(name, undefined, "It passes, and its author expects it to fail."));
}

/** From the first heading between two rulers: tests may print what looks like a heading before it, but hardly both. */
function toldSections(lines: readonly string[]): readonly string[] {
  const isRuler = (line: string) => /^={70}$/.test(line);
  const start = lines.findIndex((line, at) => {
    if (!HEADING.test(line) || !isRuler(lines[at - 1] ?? "")) return false;
    const next = lines.slice(at + 1, at + 20).find((each) => isRuler(each) || /^-{70}$/.test(each));
    return next === undefined ? at + 20 > lines.length : !isRuler(next);
  });
  return start === -1 ? [] : lines.slice(start - 1);
}
