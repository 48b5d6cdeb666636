import type { ImportGraph } from "../../analysis/map/import-graph.ts";
import { findWeakenedTests } from "../../analysis/tests/find-weakened-tests.ts";
import { defined } from "../../domain/defined.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { buildProject, openBuilt } from "./build-project.ts";
import { cleaned, conclude, concludeBuild, type Done, MOST_FAILURES, missingForAll } from "./conclude-testing.ts";
import { type TestContext, whySandboxFailed } from "./execute-tests.ts";
import { type NotRun, prepareTests } from "./prepare-tests.ts";
import { runSelection } from "./run-selection.ts";
import { settleFailures } from "./settle-failures.ts";
import type { TestingDependencies, TestingRequest } from "./testing-request.ts";

/** Of the time that there is. */
const BUILD_SHARE = 0.3;

/**
 * Selects the tests that a change asks for, runs them in the sandbox, repeats what fails, compares with what stood before, and says what
 * is behind each failure (TEST-1). What fails because of the place and not the code, a hanging test among it, is said and not thrown.
 * @throws the signal's reason when it is aborted, and what `runAgent` throws when the run has to wait
 */
export async function runTestingPhase(
  dependencies: TestingDependencies,
  request: TestingRequest,
): Promise<TestOutcome> {
  const started = performance.now();
  const { change, headSha } = request;
  const graph = await dependencies.readGraph(dependencies.signal);
  const weakened = await findWeakenedTests(change, graph, dependencies);
  const done = await carryOut(dependencies, request, graph, started + dependencies.timeLimitMs);
  const durationMs = Math.round(performance.now() - started);
  const told = await Array.fromAsync(weakened.slice(0, MOST_FAILURES), async (each) => {
    return { ...each, what: await cleaned(each.what, dependencies.redact) };
  });
  const rest = { headSha, weakened: told, durationMs };
  if ("notRun" in done) {
    const nothing = { files: 0, passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
    const why = {
      reason: await cleaned(done.notRun, dependencies.redact),
      ...(done.nothingToRun ? { nothingToRun: true } : {}),
      ...defined({ selection: done.selection }),
    };
    return { ...rest, ...nothing, outcome: "not_run", ...why };
  }
  return { ...rest, ...done };
}

async function carryOut(
  dependencies: TestingDependencies,
  request: TestingRequest,
  graph: ImportGraph,
  deadline: number,
): Promise<Done | NotRun> {
  const { clone, redact, signal, scratchRoot, running } = dependencies;
  if ("unavailable" in clone)
    return { notRun: "There is no sandbox on this machine to run tests in. Forge's command `doctor` says why." };
  const testContext: TestContext = { clone, redact, signal, scratchRoot, running };
  try {
    const plan = await prepareTests(testContext, request.tools, request.packagesMissing);
    if ("notRun" in plan) return plan;
    const left = () => Math.max(0, deadline - performance.now());
    const { build } = request.tools;
    const broken = await buildProject(testContext, build, left() * BUILD_SHARE);
    const openBase = () => openBuilt(dependencies.openBase, testContext, build, left() * BUILD_SHARE);
    if (broken !== undefined) return concludeBuild(broken, plan, await openBase(), redact);
    const first = await runSelection(testContext, plan, graph, request, left);
    if ("notRun" in first) return first;
    const { files, ran } = first;
    const nothingWorks = missingForAll(ran, plan, request.packagesMissing);
    if (nothingWorks !== undefined) return { notRun: nothingWorks };
    const settled = await settleFailures({ testContext, plan, failures: ran.failures, files, openBase, left });
    return await conclude(dependencies, request, { plan, graph, first, settled });
  } catch (error) {
    return { notRun: whySandboxFailed(error, signal) };
  }
}
