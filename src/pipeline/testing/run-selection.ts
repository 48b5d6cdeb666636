import type { ImportGraph } from "../../analysis/map/import-graph.ts";
import { coveringTests, selectTests, type TestSelection } from "../../analysis/tests/select-tests.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import { isTestOf, takesFiles } from "../../tools/run/test-command.ts";
import type { Change } from "../change/read-change.ts";
import { pathsToCover } from "./cover-change.ts";
import type { TestContext } from "./execute-tests.ts";
import type { NotRun, TestPlan } from "./prepare-tests.ts";
import { type Ran, runFiles, runOneByOne } from "./run-files.ts";

export interface FirstRun {
  readonly selection: TestSelection["kind"];
  /** What was run; undefined: all. */
  readonly files: readonly string[] | undefined;
  readonly ran: Ran;
  /** Changed files whose coverage was asked for. */
  readonly cover: readonly string[];
  readonly coverageMissing: string;
  /** What people should know of it, in a sentence. */
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
  site: TestContext,
  plan: TestPlan,
  graph: ImportGraph,
  { change, risk }: SelectionRequest,
  left: () => number,
): Promise<FirstRun | NotRun> {
  const isTest = (path: string) => isTestOf(plan.command, path);
  const wanted = selectTests({ graph, changed: change.files, risk, isTest });
  const selection: TestSelection = takesFiles(plan.command) ? wanted : { kind: "full", files: plan.tests };
  const inVain = wanted.kind !== "full" && wanted.files.length === 0;
  if (inVain) return { notRun: "The change touches nothing that a test reaches.", nothingToRun: true };
  const cover = pathsToCover(change, plan.command);
  const files = selection.kind === "full" ? undefined : selection.files;
  const ran = await runFiles(site, plan, { files, timeoutMs: left() * FIRST_SHARE, cover });
  const missing = coverageMissing(cover, ran);
  const stopped = ran.failures.find(({ limit }) => limit !== undefined)?.limit;
  if (files === undefined && stopped !== undefined && takesFiles(plan.command)) {
    const affected = coveringTests(graph, change.files, plan.tests);
    if (affected.length > 0 && affected.length < plan.tests.length) {
      const again = await runFiles(site, plan, { files: affected, timeoutMs: left() * FIRST_SHARE, cover });
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
    if (plan.tests.length > MOST_LOOKED_THROUGH)
      return { selection: "full", files, ran, cover, coverageMissing: missing };
    const each = await runOneByOne(site, plan, plan.tests, left() * FIRST_SHARE);
    return { selection: "full", files: plan.tests, ran: each, cover, coverageMissing: missing };
  }
  return { selection: selection.kind, files, ran, cover, coverageMissing: missing };
}

function coverageMissing(cover: readonly string[], ran: Ran): string {
  if (cover.length === 0) return "The change has no code whose coverage this runner measures.";
  if (ran.files !== undefined) return "The tests did not get to their end.";
  return "The runner gave no coverage: what measures it is not installed, or the run ended early.";
}
