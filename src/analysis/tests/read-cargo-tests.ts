import { type FailedTest, failedTest, MOST_FAILURES, type TestReport } from "./test-results.ts";

const SECTION_LINES = 80;

/** Reads what `cargo test` prints, one result for each test program; undefined where none came to its end. */
export function readCargoTests(stdout: string): TestReport | undefined {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failed: string[] = [];
  const said = new Map<string, string[]>();
  let section: string[] | undefined;
  let ended = false;
  for (const line of stdout.split("\n")) {
    const result = /^test result: \w+\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored/.exec(line);
    if (result) {
      ended = true;
      counts.passed += Number(result[1]);
      counts.failed += Number(result[2]);
      counts.skipped += Number(result[3]);
    }
    const name = /^test (.{1,500}?)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1];
    if (name !== undefined) failed.push(name);
    const heading = /^---- (.{1,500}) stdout ----$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = [];
      said.set(heading, section);
    } else if (line === "failures:" || result) section = undefined;
    else if (section !== undefined && section.length < SECTION_LINES) section.push(line);
  }
  if (!ended) return undefined;
  const failures = failed.slice(0, MOST_FAILURES).map((name): FailedTest => {
    const message = (said.get(name) ?? [])
      .join("\n")
      .replace(/^stack backtrace:\n(?: .*\n?){0,80}/m, "")
      .trim();
    return failedTest(name, /panicked at ([^\s:]{1,500}\.rs):\d+/.exec(message)?.[1], message);
  });
  return { ...counts, failures };
}
