import { testerTools } from "../../../tools/toolsets.ts";
import type { Clone } from "../../../workspace/clone.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import { openWorkingTree, type WorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import { needed } from "../../change/fetch-ends.ts";
import { readChange } from "../../change/read-change.ts";
import { withDeleted } from "../../change/with-deleted.ts";
import { runTestingPhase } from "../../testing/run-testing-phase.ts";
import type { TestingPowers } from "../../testing/testing-request.ts";
import { type Implementation, isLooked, type Looked } from "../implementation.ts";
import { openWorkshop, type Workshop } from "./open-workshop.ts";
import { findModelsOrHalt } from "./with-models.ts";
import { tell, type WorkJob, type WorkPowers } from "./work-job.ts";

/** Runs the tests that the work asks for on the head of its branch, in copies of their own (TEST-1). */
export async function testPull(powers: WorkPowers, job: WorkJob, run: Implementation): Promise<void> {
  if (!isLooked(run) || !run.work) return;
  const { runId, work } = run;
  const models = await findModelsOrHalt(powers, job, run);
  if (!models) return;
  await using shop = await openWorkshop(powers, job, run, "testing", models);
  await using bases = openBases(powers, job, run, shop);
  needed(await fetchCommits(shop.mirror, { shas: [run.base.sha, work.headSha], signal: job.signal }));
  const ends = { baseSha: run.base.sha, headSha: work.headSha };
  const change = await withDeleted(shop.mirror, await readChange(shop.mirror, ends, job.signal), job.signal);
  const risk = run.reviewed?.risk ?? run.plan?.plan.risk.level ?? "medium";
  const { tools } = run.configuration;
  const { packagesMissing } = shop;
  const outcome = await runTestingPhase(
    { ...(await testingPowers(powers, job, shop)), openBase: bases.open },
    { headSha: work.headSha, change, risk, tools, packagesMissing },
  );
  const took = { runId, durationMs: shop.elapsedMs(), costUsd: await shop.spentUsd() };
  await tell(powers, job, { type: "tests.finished", ...took, outcome });
}

async function testingPowers(
  { ai, scratchRoot }: WorkPowers,
  { signal }: WorkJob,
  shop: Workshop,
): Promise<Omit<TestingPowers, "openBase">> {
  const { tree, readGraph, room, memory, paths } = shop;
  const { redact } = ai;
  const sandbox = await openSandbox();
  const clone = tree.clone ?? ("unavailable" in sandbox ? sandbox : { unavailable: "the files cannot be run" });
  const tools =
    tree.clone === undefined
      ? []
      : testerTools({ clone: tree.clone, redact, readGraph, changedPaths: paths, memory: memory.port });
  return {
    ...{ clone, readGraph, redact, scratchRoot, signal, timeLimitMs: room.timeLimitMs },
    runAgent: shop.agents(),
    testerTools: tools,
  };
}

/** What stood before the work, written out when something fails and its failure has to be compared. */
function openBases({ scratchRoot }: WorkPowers, { signal }: WorkJob, { base }: Looked, shop: Workshop) {
  let opened: WorkingTree | undefined;
  const open = async (): Promise<Clone | undefined> => {
    const sandbox = await openSandbox();
    if ("unavailable" in sandbox) return undefined;
    opened ??= await openWorkingTree({ mirror: shop.mirror, base: base.sha, scratchRoot, sandbox, signal });
    await shop.installIn(opened);
    return opened.clone;
  };
  return { open, [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose]() };
}
