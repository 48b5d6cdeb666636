import { sections } from "./report-sections.ts";
import { type FailedTest, FILE_ITSELF, failedTest, MOST_FAILURES, type TestReport } from "./test-results.ts";

/**
 * Reads what pytest prints, for commands of a project's own; undefined where it did not get to its last line. Where Forge runs pytest itself
 * it reads the report in JUnit's XML.
 */
export function readPytest(stdout: string): TestReport | undefined {
  const lines = stdout.split("\n");
  const summary = lines.findLast((line) =>
    /^(?:=+ )?(?:\d{1,9} (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)\b|no tests ran)/.test(
      line,
    ),
  );
  if (summary === undefined) return undefined;
  const count = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? 0);
  const told = sections(lines, /^_{3,} (?:ERROR (?:at \w+ of |collecting ))?(.{1,500}?) _{3,}$/);
  const failures: FailedTest[] = [];
  // The short summary stands last: a line before it was printed by a test.
  const start = lines.findLastIndex((line) => /^=+ short test summary info =+$/.test(line));
  for (const line of lines.slice(start + 1)) {
    const found = failures.length >= MOST_FAILURES ? undefined : readFailure(line, told);
    if (found) failures.push(found);
  }
  return {
    passed: count(/(\d{1,9}) passed/) + count(/(\d{1,9}) xpassed/),
    failed: count(/(\d{1,9}) failed/) + count(/(\d{1,9}) errors?/),
    skipped: count(/(\d{1,9}) skipped/) + count(/(\d{1,9}) xfailed/),
    failures,
  };
}

const LONGEST_LINE = 4_000;

/** Reads one line of the short summary: `FAILED path::test[id] - message`, where all three may hold spaces and dashes. */
function readFailure(line: string, told: ReadonlyMap<string, string>): FailedTest | undefined {
  const [, part = "", rest = ""] =
    /^(?:FAILED|ERROR|SUBFAIL(?:ED)?)(\([^()]{0,500}\)| \[[^[\]]{0,500}\])? (.+)$/.exec(line.slice(0, LONGEST_LINE)) ??
    [];
  if (rest === "") return undefined;
  const at = rest.indexOf("::");
  const dash = /\.py - /.exec(rest);
  if (at === -1 || (dash !== null && dash.index < at)) {
    const file = dash === null ? rest : rest.slice(0, dash.index + 3);
    return failedTest(FILE_ITSELF, file, told.get(file) ?? rest.slice(file.length).replace(/^ - /, ""));
  }
  const file = rest.slice(0, at);
  const said = rest.slice(at + 2);
  // Of several ways to part the id from the message, the one whose id has a trace is right.
  const ends = [said.length, ...Array.from(said.matchAll(/ - /g), ({ index }) => index)].slice(0, MOST_DASHES);
  const keyOf = (end: number) =>
    `${said.slice(0, end).replaceAll("::", ".")}${part.trim() === "" ? "" : ` ${part.trim()}`}`;
  const known = ends.find((end) => told.has(keyOf(end)));
  const end = known ?? endOfId(said, ends);
  const name = part === "" ? said.slice(0, end) : `${said.slice(0, end)} ${part.trim()}`;
  return failedTest(name, file, (known !== undefined && told.get(keyOf(known))) || said.slice(end).replace(/^ - /, ""));
}

const MOST_DASHES = 50;

/** Without a trace: the first dash that is not in the brackets of an id. */
function endOfId(said: string, ends: readonly number[]): number {
  const bracket = said.indexOf("[");
  const first = Math.min(...ends);
  if (bracket === -1 || first < bracket) return first;
  const closed = said.indexOf("] - ", bracket);
  return closed === -1 ? said.length : closed + 1;
}
