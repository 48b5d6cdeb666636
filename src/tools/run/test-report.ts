import { readJunitInChild } from "../../analysis/tests/read-in-child.ts";
import { readTap } from "../../analysis/tests/read-tap.ts";
import { readMocha, readTestJson } from "../../analysis/tests/read-test-json.ts";
import { FILE_ITSELF, failedTest, joinReports, type TestReport } from "../../analysis/tests/test-results.ts";
import type { SandboxResult } from "../../workspace/sandbox/sandbox.ts";
import { tailOf } from "./hold-to-exit.ts";
import type { ResultPlace } from "./test-invocation.ts";
import type { TestRunner } from "./test-runner.ts";

export interface PrintedOutput {
  readonly stdout: string;
  readonly stderr: string;
}

export function outputOf({ stdout, stderr }: Pick<SandboxResult, "stdout" | "stderr">): PrintedOutput {
  return { stdout: stdout.toString("utf8"), stderr: stderr.toString("utf8") };
}

export interface ReportRequest {
  readonly runner: TestRunner;
  readonly results: ResultPlace;
  /** Those that were asked for: settings of Mocha's make it run others too. */
  readonly files?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** What a runner said about its tests; undefined when its output is no report: it did not get so far. */
export async function readTestReport(
  { runner, results, files, signal }: ReportRequest,
  output: PrintedOutput,
): Promise<TestReport | undefined> {
  if (results !== "printed" && "each" in results) return readEach(output, results.each);
  const [printed, report] = parted(output.stdout, results);
  switch (runner) {
    case "vitest":
    case "jest":
      return readTestJson(report);
    case "node:test":
    case "ava":
    case "tap":
      return readTap(report);
    case "mocha":
      // Before 9.2 it prints its JSON.
      return readMocha(report === "" ? printed : report, files);
    case "pytest": {
      const read = await readJunitInChild([{ name: "the report of pytest", text: report }], { signal });
      return read && withAskedFiles(read, files ?? []);
    }
    default:
      return runner satisfies never;
  }
}

/** What was printed, and the report that follows the mark. */
function parted(stdout: string, results: ResultPlace): readonly [string, string] {
  if (results === "printed" || !("behind" in results)) return ["", stdout];
  const line = `\n${results.behind}\n`;
  const at = stdout.lastIndexOf(line);
  return at === -1 ? [stdout, ""] : [stdout.slice(0, at), stdout.slice(at + line.length)];
}

/** The end of a run without the report that follows what was printed: people are shown the one, and readers read the other. */
export function withoutReport(end: SandboxResult, results: ResultPlace): SandboxResult {
  if (results === "printed" || !("behind" in results)) return end;
  const at = end.stdout.lastIndexOf(`\n${results.behind}\n`);
  return at === -1 ? end : { ...end, stdout: end.stdout.subarray(0, at) };
}

/** Programs one after the other, each with a report of its own. One that printed none, or failed though its report did not, failed itself. */
function readEach({ stdout, stderr }: PrintedOutput, mark: string): TestReport | undefined {
  const errors = stderr.split(`\n${mark}\n`);
  const reports: TestReport[] = [];
  let lines: string[] = [];
  for (const line of stdout.split("\n")) {
    const [, code, file] = line.startsWith(`${mark} `)
      ? (/^(\d{1,3}) (.*)$/.exec(line.slice(mark.length + 1)) ?? [])
      : [];
    if (file === undefined) {
      lines.push(line);
      continue;
    }
    reports.push(readProgram({ stdout: lines.join("\n"), stderr: errors[reports.length] ?? "" }, file, Number(code)));
    lines = [];
  }
  return reports.length === 0 ? undefined : joinReports(reports);
}

function readProgram({ stdout, stderr }: PrintedOutput, file: string, code: number): TestReport {
  const start = /^TAP version 1[34]$/m.exec(stdout)?.index;
  const report = start === undefined ? undefined : readTap(stdout.slice(start), { file, ordered: true });
  // A file without a test is a program that does nothing.
  if (report === undefined && code === 0 && stdout.trim() === "") return joinReports([]);
  if (report !== undefined && (code === 0 || report.failed > 0)) return report;
  const tail = tailOf({ code, stdout, stderr });
  const failure = failedTest(
    FILE_ITSELF,
    file,
    `It ended with exit code ${code}, and its report names no failure.\n${tail}`,
  );
  return joinReports([...(report ? [report] : []), { passed: 0, failed: 1, skipped: 0, failures: [failure] }]);
}

/** pytest names files from the folder of its settings, which may be below the root. */
function withAskedFiles(report: TestReport, asked: readonly string[]): TestReport {
  const pathOf = (file: string | undefined) => {
    if (file === undefined || asked.includes(file)) return file;
    const [one, ...others] = asked.filter((path) => path.endsWith(`/${file}`));
    return one !== undefined && others.length === 0 ? one : file;
  };
  return { ...report, failures: report.failures.map((failure) => ({ ...failure, file: pathOf(failure.file) })) };
}
