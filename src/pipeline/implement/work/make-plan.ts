import { nearestFiles } from "../../../agents/nearest-files.ts";
import { chooseDocuments } from "../../../agents/planner/choose-documents.ts";
import { estimateCost } from "../../../agents/planner/estimate-cost.ts";
import { findFocus } from "../../../agents/planner/find-focus.ts";
import { planRisk } from "../../../agents/planner/plan-risk.ts";
import { planTask } from "../../../agents/planner/plan-task.ts";
import { plannerAgent } from "../../../agents/planner/planner-agent.ts";
import { snapshotIssues } from "../../../agents/planner/snapshot-issues.ts";
import { drawMap } from "../../../analysis/map/draw-map.ts";
import type { Plan } from "../../../domain/plan.ts";
import { plannerTools } from "../../../tools/toolsets.ts";
import { mirrorStore } from "../../../workspace/git-store.ts";
import { type Implementation, isLooked, type Looked } from "../implementation.ts";
import { openWorkshop, type Workshop } from "./open-workshop.ts";
import { wishesOf } from "./wishes-of.ts";
import { findModelsOrHalt, haltOf } from "./with-models.ts";
import { tell, type WorkJob, type WorkPowers } from "./work-job.ts";

const MAP_TOKENS = 2_000;

/**
 * Has the planner plan the issue, or change the plan as somebody wanted it (PLAN-1).
 * @throws {AwaitsPerson} for its questions
 */
export async function makePlan(powers: WorkPowers, job: WorkJob, run: Implementation): Promise<void> {
  if (!isLooked(run)) return;
  const { runId } = job;
  const models = await findModelsOrHalt(powers, job, run);
  if (!models) return;
  await using shop = await openWorkshop(powers, job, run, "planning", models);
  const { room, paths } = shop;
  const agent = plannerAgent(toolsOf(powers, job, run, shop), { paths, truncated: false });
  const definition = { ...agent, iterationLimit: room.iterations };
  const task = await taskOf(powers, job, run, shop);
  const round = run.took.planning?.times ?? 1;
  const outcome = await shop.agents()<Plan>(definition, { key: `planner/${round}`, task });
  const took = { runId, durationMs: shop.elapsedMs(), costUsd: await shop.spentUsd() };
  if (!outcome.ok) {
    await tell(powers, job, { type: "work.halted", ...took, ...haltOf(outcome) });
    return;
  }
  const risk = planRisk(outcome.output, run.configuration.review.protected_paths);
  const plan: Plan = { ...outcome.output, risk };
  const priceOf = ([model]: readonly [{ readonly provider: string; readonly id: string }, ...unknown[]]) =>
    powers.ai.priceOf(model.provider, model.id);
  const prices = { strong: priceOf(models.strong), fast: priceOf(models.fast) };
  const estimate = estimateCost({ plan, spentUsd: took.costUsd, prices });
  await tell(powers, job, { type: "plan.made", ...took, plan, estimate });
}

function toolsOf({ host, ai }: WorkPowers, { subject }: WorkJob, run: Looked, shop: Workshop) {
  return plannerTools({
    files: shop.tree.files,
    redact: ai.redact,
    readGraph: shop.readGraph,
    changedPaths: findFocus(run.issue, shop.paths),
    history: { store: mirrorStore(shop.mirror), commit: run.base.sha },
    memory: shop.memory.port,
    issues: snapshotIssues(host.issuesOf(subject.repository), subject.number, run.issue),
  });
}

async function taskOf(powers: WorkPowers, { subject, signal }: WorkJob, run: Looked, shop: Workshop): Promise<string> {
  const { paths, tree, room, instructions, testing, typeCheck } = shop;
  const { redact } = powers.ai;
  const contents = await tree.files.readMany(chooseDocuments(paths), signal);
  const documents = [...contents].map(([path, content]) => ({ path, text: content.toString("utf8") }));
  const focus = findFocus(run.issue, paths);
  const map =
    focus.length === 0 ? undefined : drawMap(await shop.readGraph(signal), { focus, budgetTokens: MAP_TOKENS });
  const near = focus.length === 0 ? [] : nearestFiles(await shop.readGraph(signal), focus);
  const nearby = [...focus, ...near];
  const stand = await tree.files.readMany(nearby, signal);
  return planTask({
    ...{
      number: subject.number,
      issue: run.issue,
      paths,
      truncated: false,
      documents,
      instructions,
      testing,
      typeCheck,
      redact,
    },
    map: map?.blocks.join("\n"),
    files: nearby.flatMap((path) => {
      const content = stand.get(path);
      return !content || content.subarray(0, 8_000).includes(0) ? [] : [{ path, text: content.toString("utf8") }];
    }),
    wishes: wishesOf(run),
    earlier: run.plan?.plan,
    steps: room.iterations,
    leftUsd: await shop.leftUsd(),
  });
}
