import { defined } from "../../../domain/defined.ts";
import { testerTools } from "../../../tools/toolsets.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import { needed } from "../../change/fetch-ends.ts";
import { readChange, withDeleted } from "../../change/read-change.ts";
import { submit } from "../../runs/handle-input.ts";
import { runTestingPhase } from "../../testing/run-testing-phase.ts";
import type { TestingDependencies } from "../../testing/testing-request.ts";
import { type Implementation, isLooked } from "../implementation.ts";
import { findModelsOrHalt } from "./halt-work.ts";
import { openBases } from "./open-base.ts";
import { openPhaseWorkspace, type PhaseWorkspace } from "./open-phase-workspace.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** Runs the tests that the work asks for on the head of its branch, in copies of their own (TEST-1). */
export async function testPull(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  if (!isLooked(run) || !run.work) return;
  const { runId, work } = run;
  const models = await findModelsOrHalt(dependencies, job, run);
  if (!models) return;
  await using workspace = await openPhaseWorkspace(dependencies, job, run, "testing", models);
  await using bases = openBases(dependencies, job, run, workspace);
  needed(await fetchCommits(workspace.mirror, { shas: [run.base.sha, work.headSha], signal: job.signal }));
  const ends = { baseSha: run.base.sha, headSha: work.headSha };
  const change = await withDeleted(workspace.mirror, await readChange(workspace.mirror, ends, job.signal), job.signal);
  const risk = run.reviewed?.risk ?? run.plan?.plan.risk.level ?? "medium";
  const { tools } = run.configuration;
  const { packagesMissing } = workspace;
  const outcome = await runTestingPhase(
    { ...(await testingDependencies(dependencies, job, workspace)), openBase: bases.open },
    { headSha: work.headSha, change, risk, tools, packagesMissing },
  );
  const took = { runId, durationMs: workspace.elapsedMs(), costUsd: await workspace.spentUsd() };
  await submit(dependencies, job, { type: "tests.finished", ...took, outcome });
}

async function testingDependencies(
  { ai, scratchRoot }: WorkDependencies,
  { signal }: WorkJob,
  workspace: PhaseWorkspace,
): Promise<Omit<TestingDependencies, "openBase">> {
  const { tree, readGraph, limits, memory, paths } = workspace;
  const { redact } = ai;
  const sandbox = await openSandbox();
  const clone = tree.clone ?? ("unavailable" in sandbox ? sandbox : { unavailable: "the files cannot be run" });
  const tools =
    tree.clone === undefined
      ? []
      : testerTools({ clone: tree.clone, redact, readGraph, changedPaths: paths, ...defined({ memory: memory.port }) });
  return {
    ...{ clone, readGraph, redact, scratchRoot, signal, timeLimitMs: limits.timeLimitMs },
    runAgent: workspace.agents(),
    testerTools: tools,
    iterations: limits.iterations,
    running: (testFiles) => workspace.progress.say({ doing: "testing", testFiles }),
  };
}
