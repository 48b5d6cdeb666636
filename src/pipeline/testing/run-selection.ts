import { isTestPath } from "../../analysis/classify-file.ts";
import type { ImportGraph } from "../../analysis/map/import-graph.ts";
import { chooseTests } from "../../analysis/tests/choose-tests.ts";
import { quoted } from "../../analysis/tests/compare-tests.ts";
import {
  type CoverageReport,
  type CoveredChange,
  diffCoverage,
  looksExecutable,
} from "../../analysis/tests/coverage-report.ts";
import type { TestSelection } from "../../analysis/tests/select-tests.ts";
import { languageOfCode, type TestLanguage } from "../../analysis/tests/test-names.ts";
import { reasonByName } from "../../analysis/written-claims.ts";
import { lineRanges } from "../../domain/hunks.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import type { DiffCoverage } from "../../domain/test-report.ts";
import { isTestOf, refusedFile, type TestCommand, takesFiles } from "../../tools/run/test-command.ts";
import type { Change } from "../change/read-change.ts";
import type { TestContext } from "./execute-tests.ts";
import type { NotRun, TestPlan } from "./prepare-tests.ts";
import { type Ran, runFiles, runOneByOne } from "./run-files.ts";

export interface FirstRun {
  readonly selection: TestSelection["kind"];
  /** The files that were run; undefined: all. */
  readonly files: readonly string[] | undefined;
  readonly ran: Ran;
  /** Changed files whose coverage was asked for. */
  readonly cover: readonly string[];
  readonly coverageMissing: string;
  /** A note for people, in a sentence. */
  readonly note?: string;
}

export interface SelectionRequest {
  readonly change: Pick<Change, "files">;
  readonly risk: RiskLevel;
}

/** Of the time that there is: the rest is for repeating what fails, here and before the change. */
const FIRST_SHARE = 0.5;

const MOST_LOOKED_THROUGH = 40;

/**
 * Runs the tests that a change asks for. All tests that take longer than there is time are given up for those that the change affects.
 * @throws {ToolFailure} `sandbox_failed`
 */
export async function runSelection(
  testContext: TestContext,
  plan: TestPlan,
  graph: ImportGraph,
  { change, risk }: SelectionRequest,
  left: () => number,
): Promise<FirstRun | NotRun> {
  const isTest = (path: string) => isTestOf(plan.command, path);
  const { clone, signal } = testContext;
  const wish = { changed: change.files, risk, isTest };
  const { selection: wanted, covering } = await chooseTests(clone.files, graph, wish, signal);
  const selection = selectionFor(plan, wanted);
  const why = selection.widened ?? wanted.widened;
  const widened =
    why === undefined ? {} : { note: widenedNote(selection.widened === undefined ? wanted : selection, why) };
  const inVain = wanted.kind !== "full" && wanted.files.length === 0;
  if (inVain)
    return {
      ...{ notRun: "The change touches nothing that a test reaches.", nothingToRun: true },
      selection: wanted.kind,
    };
  const cover = pathsToCover(change, plan.command);
  const files = selection.kind === "full" ? undefined : selection.files;
  const most = (files ?? plan.tests).length;
  if (most > 0) testContext.running?.(most);
  const ran = await runFiles(testContext, plan, { files, timeoutMs: left() * FIRST_SHARE, cover });
  const missing = coverageMissing(cover, ran);
  const stopped = ran.failures.find(({ limit }) => limit !== undefined)?.limit;
  if (files === undefined && stopped !== undefined && takesFiles(plan.command)) {
    const affected = covering.files;
    const canBeNamed = refusedFile(plan.command, affected) === undefined;
    if (canBeNamed && affected.length > 0 && affected.length < plan.tests.length) {
      const again = await runFiles(testContext, plan, { files: affected, timeoutMs: left() * FIRST_SHARE, cover });
      const why = stopped === "time" ? "take longer than there is time" : `were stopped at the limit of ${stopped}`;
      const note = `All tests together ${why}: only those that the change affects were run.`;
      return {
        selection: "affected",
        files: affected,
        ran: again,
        cover,
        coverageMissing: coverageMissing(cover, again),
        note,
      };
    }
    // Small suites are looked through for the file that is to blame.
    if (plan.tests.length === 0 || plan.tests.length > MOST_LOOKED_THROUGH)
      return { selection: "full", files, ran, cover, coverageMissing: missing, ...widened };
    const each = await runOneByOne(testContext, plan, plan.tests, left() * FIRST_SHARE);
    return { selection: "full", files: plan.tests, ran: each, cover, coverageMissing: missing, ...widened };
  }
  return { selection: selection.kind, files, ran, cover, coverageMissing: missing, ...widened };
}

/** What the runner can be given of the tests that are wanted. */
function selectionFor({ command, tests }: TestPlan, wanted: TestSelection): TestSelection {
  if (!takesFiles(command)) return { kind: "full", files: tests };
  const refused = wanted.kind === "full" ? undefined : refusedFile(command, wanted.files);
  if (refused === undefined) return wanted;
  const because = `pytest cannot be given ${quoted(refused)} by its name`;
  return { kind: "full", files: tests, because, widened: because };
}

function widenedNote({ kind }: TestSelection, because: string): string {
  return `${kind === "full" ? "All tests" : "More tests than those that name the change"} were run, because ${because}.`;
}

function coverageMissing(cover: readonly string[], ran: Ran): string {
  if (cover.length === 0) return "The change has no code whose coverage this runner measures.";
  const isStopped = ran.failures.some(({ limit }) => limit !== undefined);
  if (isStopped || ran.files !== undefined) return "The tests did not get to their end.";
  return "The runner gave no coverage: what measures it is not installed, or the run ended early.";
}

/** The languages that these runners' coverage is about. */
const LANGUAGE: Partial<Record<TestCommand["runner"], TestLanguage>> = {
  vitest: "script",
  jest: "script",
  "node:test": "script",
  mocha: "script",
  ava: "script",
  tap: "script",
  pytest: "python",
};

/** Changed files whose coverage counts: code of the runner's language that is no test and that somebody wrote. */
function pathsToCover(change: Pick<Change, "files">, { runner }: TestCommand): string[] {
  return change.files
    .filter(({ status, hunks }) => status !== "deleted" && hunks.some(({ added }) => added.length > 0))
    .map(({ path }) => path)
    .filter((path) => languageOfCode(path) === LANGUAGE[runner] && isWritten(path));
}

/** Coverage of the lines that a change added (TEST-1). */
export function coverChange(
  { files, contents }: Pick<Change, "files" | "contents">,
  paths: readonly string[],
  coverage: CoverageReport,
  graph: ImportGraph,
): DiffCoverage {
  const changes = files.flatMap(({ path, hunks }): CoveredChange[] => {
    const content = contents.get(path);
    if (!paths.includes(path) || !Buffer.isBuffer(content)) return [];
    const ranges = lineRanges(hunks.flatMap(({ added }) => added));
    return [{ path, ranges, lines: content.toString("utf8").split("\n"), runs: hasCode(graph, path) }];
  });
  const unmeasured = countUnmeasured({ files, contents }, paths);
  return { ...diffCoverage(coverage.files, changes), ...(unmeasured > 0 ? { unmeasured } : {}) };
}

/** Added lines of code that somebody wrote, in files of which the runner measures nothing. */
function countUnmeasured({ files, contents }: Pick<Change, "files" | "contents">, paths: readonly string[]): number {
  const others = files.filter(
    ({ path }) => !paths.includes(path) && languageOfCode(path) !== undefined && isWritten(path),
  );
  const counts = others.map(({ path, hunks }) => {
    const content = contents.get(path);
    const lines = Buffer.isBuffer(content) ? content.toString("utf8").split("\n") : [];
    return hunks.flatMap(({ added }) => added).filter((line) => looksExecutable(lines[line - 1] ?? "")).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Code that somebody wrote, and that is no test. */
function isWritten(path: string): boolean {
  return !/\.d\.[cm]?ts$/.test(path) && !isTestPath(path) && reasonByName(path) === undefined;
}

/** Whether a file declares anything that runs; one that could not be parsed may. */
function hasCode(graph: ImportGraph, path: string): boolean {
  const symbols = graph.symbols.get(path);
  return symbols === undefined || symbols.some(({ kind }) => kind !== "interface" && kind !== "type");
}
