// What `.ci/run` has to know of its tests, from the reports that Vitest writes as JSON.
//   brought <report> <demo>   fails where the sandbox did not come along for a newcomer
//   rest <report> <commit>    the files of tests that are still to be run, a line each
//   count <report> ...        how many passed, failed and were left out, each test counted once
import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";

interface Test {
  readonly fullName: string;
  readonly status: "passed" | "failed" | "skipped" | "pending" | "todo";
  readonly meta?: { readonly missing?: string };
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly Test[] }[];
}

/** Of long tests that are no attacks, each commit runs one of so many shares. */
const LONG_SHARES = 24;
/** Package managers and runners: of these tests a few are run each time. */
const MATRIX = "test/e2e/packages.long.test.ts";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const [task, ...args] = process.argv.slice(2);
if (task === "brought") brought(read(args[0]!), read(args[1]!));
else if (task === "rest") console.log(rest(read(args[0]!), args[1]!).join("\n"));
else if (task === "count") count(args.map(read));
else throw new Error(`There is no task ${task}.`);

function brought(report: Report, demo: { readonly implementation: { readonly sandbox: boolean } }): void {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const left = tests.find(({ status, meta }) => status !== "passed" && meta?.missing?.startsWith("no sandbox"));
  if (left !== undefined) throw new Error(`The sandbox did not come along: ${left.meta?.missing}`);
  if (!demo.implementation.sandbox) throw new Error("The demo did not test what it writes.");
}

/**
 * What a newcomer's machine left out and the rest of `npm run test:all`; then every class of payloads, the matrix, and a 24th of what else is
 * long.
 */
function rest(report: Report, commit: string): string[] {
  const leftOut = report.testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => status !== "passed"))
    .map(({ name }) => relative(process.cwd(), name));
  const full = globSync("test/**/*.full.test.ts").sort();
  const long = globSync("test/**/*.long.test.ts").sort();
  const turn = Number.parseInt(commit.slice(0, 4), 16) % LONG_SHARES;
  // Those of whole classes of payloads lie beside the folders of the classes; other long tests in these are as others are.
  const hostile = long.filter((file) => /^test\/hostile\/[^/]+\.long\.test\.ts$/.test(file));
  const others = long.filter((file) => !hostile.includes(file) && file !== MATRIX);
  return [...leftOut, ...full, ...hostile, MATRIX, ...others.filter((_, index) => index % LONG_SHARES === turn)];
}

/** A file that ran again counts as it ran last: it had more of what it needs then. What failed in an earlier run failed all the same. */
function count(reports: readonly Report[]): void {
  const last = new Map<string, readonly Test[]>();
  let failedEarlier = 0;
  for (const { name, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
    failedEarlier += failures(last.get(name) ?? []);
    last.set(name, assertionResults);
  }
  const all = [...last.values()].flat();
  const passed = all.filter(({ status }) => status === "passed").length;
  const failed = failures(all) + failedEarlier;
  const skipped = all.filter(({ status }) => status !== "passed" && status !== "failed").length;
  // What could not be run here was not tested: everything that it needs is installed.
  if (failed > 0 || skipped > 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}

function failures(tests: readonly Test[]): number {
  return tests.filter(({ status }) => status === "failed").length;
}
