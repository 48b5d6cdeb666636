import { estimateCost } from "../../../agents/planner/estimate-cost.ts";
import { chooseDocuments, declaringFiles, findFocus } from "../../../agents/planner/find-focus.ts";
import { planRisk } from "../../../agents/planner/plan-risk.ts";
import { planTask } from "../../../agents/planner/plan-task.ts";
import { plannerAgent } from "../../../agents/planner/planner-agent.ts";
import { snapshotIssues } from "../../../agents/planner/snapshot-issues.ts";
import { nearestFiles } from "../../../agents/show-files.ts";
import type { Wish } from "../../../agents/wishes.ts";
import { drawMap } from "../../../analysis/map/draw-map.ts";
import { defined } from "../../../domain/defined.ts";
import type { Plan } from "../../../domain/plan.ts";
import { numberOf } from "../../../domain/subjects.ts";
import { readEvidence } from "../../../store/effects/read-effects.ts";
import { plannerTools } from "../../../tools/toolsets.ts";
import { mirrorStore } from "../../../workspace/git-store.ts";
import { memoriesShown } from "../../ai/open-run-memory.ts";
import { submit } from "../../runs/handle-input.ts";
import { type Implementation, isLooked, type Looked } from "../implementation.ts";
import { findModelsOrHalt, haltOf, haltWork } from "./halt-work.ts";
import { openPhaseWorkspace, type PhaseWorkspace } from "./open-phase-workspace.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

const MAP_TOKENS = 2_000;

function mayNotWork(lacking: readonly string[]): string {
  const names = lacking.map((each) => `\`${each}\``).join(", ");
  return `The App may not work on issues here: it lacks ${names}. Add that in the App's settings on GitHub, and accept the change in the installation.`;
}

/**
 * Has the planner plan the issue, or change the plan as somebody wanted it (PLAN-1).
 * @throws {AwaitsPerson} for its questions
 */
export async function makePlan(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  if (!isLooked(run)) return;
  const { runId } = job;
  // Before anything is paid for: what could not be pushed or said in the end is not begun.
  const lacking = await dependencies.host.lackingForWork(job.subject.repository);
  if (lacking.length > 0) return haltWork(dependencies, job, run, { reason: mayNotWork(lacking) });
  const models = await findModelsOrHalt(dependencies, job, run);
  if (!models) return;
  await using workspace = await openPhaseWorkspace(dependencies, job, run, "planning", models);
  const { limits, paths } = workspace;
  const protectedPaths = run.configuration.review.protected_paths;
  const agent = plannerAgent(toolsOf(dependencies, job, run, workspace), { paths, truncated: false, protectedPaths });
  const definition = { ...agent, iterationLimit: limits.iterations };
  const task = await taskOf(dependencies, job, run, workspace);
  const round = run.took.planning?.times ?? 1;
  const outcome = await workspace.agents()<Plan>(definition, { key: `planner/${round}`, task });
  const took = { runId, durationMs: workspace.elapsedMs(), costUsd: await workspace.spentUsd() };
  if (!outcome.ok) {
    await submit(dependencies, job, { type: "work.halted", ...took, ...haltOf(outcome) });
    return;
  }
  const risk = planRisk(outcome.output, protectedPaths);
  const name = await memoriesShown(dependencies.store, job.runId);
  const plan: Plan = { ...name(outcome.output), risk };
  const priceOf = ([model]: readonly [{ readonly provider: string; readonly id: string }, ...unknown[]]) =>
    dependencies.ai.priceOf(model.provider, model.id);
  const prices = { strong: priceOf(models.strong), fast: priceOf(models.fast) };
  const estimate = estimateCost({ plan, spentUsd: took.costUsd, prices });
  await submit(dependencies, job, { type: "plan.made", ...took, plan, estimate });
}

function toolsOf({ host, ai }: WorkDependencies, { subject }: WorkJob, run: Looked, workspace: PhaseWorkspace) {
  return plannerTools({
    files: workspace.tree.files,
    redact: ai.redact,
    readGraph: workspace.readGraph,
    changedPaths: findFocus(run.issue, workspace.paths),
    history: { store: mirrorStore(workspace.mirror), commit: run.base.sha },
    ...defined({ memory: workspace.memory.port }),
    issues: snapshotIssues(host.issuesOf(subject.repository), numberOf(subject), run.issue),
  });
}

async function taskOf(
  dependencies: WorkDependencies,
  { subject, signal }: WorkJob,
  run: Looked,
  workspace: PhaseWorkspace,
): Promise<string> {
  const evidence = await readEvidence(dependencies.store, subject);
  const { paths, tree, limits, instructions, tests, typeCheck } = workspace;
  const { redact } = dependencies.ai;
  const contents = await tree.files.readMany(chooseDocuments(paths), signal);
  const documents = [...contents].map(([path, content]) => ({ path, text: content.toString("utf8") }));
  const graph = await workspace.readGraph(signal);
  const focus = [...new Set([...declaringFiles(run.issue, graph), ...findFocus(run.issue, paths)])];
  const map = focus.length === 0 ? undefined : drawMap(graph, { focus, budgetTokens: MAP_TOKENS });
  const near = nearestFiles(graph, focus);
  const nearby = [...focus, ...near];
  const stand = await tree.files.readMany(nearby, signal);
  return planTask({
    ...{
      number: numberOf(subject),
      issue: run.issue,
      paths,
      truncated: false,
      documents,
      instructions,
      ...tests,
      typeCheck,
      redact,
    },
    evidence,
    map: map?.blocks.join("\n"),
    files: nearby.flatMap((path) => {
      const content = stand.get(path);
      return !content || content.subarray(0, 8_000).includes(0) ? [] : [{ path, text: content.toString("utf8") }];
    }),
    wishes: wishesOf(run),
    earlier: run.plan?.plan,
    steps: limits.iterations,
    leftUsd: await workspace.leftUsd(),
  });
}

/** What people said to the work since the issue was read, for the next agent; oldest first. */
export function wishesOf({ gates, instructions, requestedBy }: Implementation): Wish[] {
  const answered = gates.flatMap(({ question, standing }): Wish[] => {
    if (standing.is !== "approved" || standing.note === undefined) return [];
    const { by, note: text } = standing;
    return question.type === "question"
      ? [{ as: "answer", by, text, question: question.question }]
      : [{ as: "note", by, text }];
  });
  const said = new Set(answered.map(({ text }) => text));
  const others = instructions.filter((text) => !said.has(text));
  return [...others.map((text): Wish => ({ as: "instructions", by: requestedBy.login, text })), ...answered];
}
