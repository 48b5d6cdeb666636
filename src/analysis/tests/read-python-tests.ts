import { type FailedTest, FILE_ITSELF, failedTest, MOST_FAILURES, pathInBox, type TestReport } from "./test-results.ts";

/** Reads what pytest prints; undefined where it did not get to its last line. */
export function readPytest(stdout: string): TestReport | undefined {
  const lines = stdout.split("\n");
  const summary = lines.findLast((line) =>
    /\d (?:passed|failed|errors?|skipped|deselected|xfailed)\b|no tests ran/.test(line),
  );
  if (summary === undefined) return undefined;
  const count = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? 0);
  const told = sections(lines, /^_{3,} (?:ERROR (?:at \w+ of |collecting ))?(.{1,500}?) _{3,}$/);
  const failures: FailedTest[] = [];
  for (const line of lines) {
    const found = /^(?:FAILED|ERROR) (?=.*$)([^\s:]+)(?:::(.+?))?(?: - (.*))?$/.exec(line);
    if (!found || failures.length >= MOST_FAILURES) continue;
    const [, file = "", name, message = ""] = found;
    const said = told.get(name === undefined ? file : name.replaceAll("::", "."));
    failures.push(failedTest(name ?? FILE_ITSELF, file, said ?? message));
  }
  return {
    passed: count(/(\d{1,9}) passed/),
    failed: count(/(\d{1,9}) failed/) + count(/(\d{1,9}) errors?/),
    skipped: count(/(\d{1,9}) skipped/) + count(/(\d{1,9}) xfailed/),
    failures,
  };
}

/** Reads what `python -m unittest` prints to its error output; undefined where it did not get to its last line. */
export function readUnittest(stderr: string): TestReport | undefined {
  const lines = stderr.split("\n");
  const ran = lines.findLast((line) => /^Ran \d{1,9} tests? in /.test(line));
  if (ran === undefined) return undefined;
  const verdict = lines.findLast((line) => /^(?:OK|FAILED|NO TESTS RAN)\b/.test(line)) ?? "";
  const count = (word: string) => Number(new RegExp(`\\b${word}=(\\d{1,9})`).exec(verdict)?.[1] ?? 0);
  const failed = count("failures") + count("errors") + count("unexpected successes");
  const skipped = count("skipped") + count("expected failures");
  const failures: FailedTest[] = [];
  for (const [name, message] of sections(lines, /^(?:FAIL|ERROR): (.{1,500})$/)) {
    if (failures.length >= MOST_FAILURES) break;
    const file = /^ {2}File "([^"]{1,1000})", line \d+/m.exec(message)?.[1];
    const loading = /^(\S+) \(unittest\.loader\._FailedTest/.exec(name)?.[1];
    failures.push(
      loading === undefined
        ? failedTest(name, file === undefined ? undefined : pathInBox(file), message)
        : failedTest(FILE_ITSELF, `${loading.replaceAll(".", "/")}.py`, message),
    );
  }
  const all = Number(/\d+/.exec(ran)?.[0] ?? 0);
  return { passed: Math.max(0, all - failed - skipped), failed, skipped, failures };
}

const SECTION_LINES = 80;

/** The text below each heading, as far as the next one or a ruler. */
function sections(lines: readonly string[], heading: RegExp): Map<string, string> {
  const found = new Map<string, string>();
  let name: string | undefined;
  let body: string[] = [];
  const close = () => {
    if (name !== undefined && !found.has(name)) found.set(name, body.join("\n").trim());
    name = undefined;
    body = [];
  };
  for (const line of lines) {
    const next = heading.exec(line)?.[1];
    if (next !== undefined) {
      close();
      name = next;
    } else if (/^={5,}/.test(line)) close();
    else if (name !== undefined && body.length < SECTION_LINES && !/^-{20,}$/.test(line)) body.push(line);
  }
  close();
  return found;
}
