import { commitMessage } from "../../../agents/implementer/commit-message.ts";
import { type DoneTask, implementTask } from "../../../agents/implementer/implement-task.ts";
import { implementerAgent } from "../../../agents/implementer/implementer-agent.ts";
import type { ImplementerOutput } from "../../../agents/implementer/output.ts";
import { namedFiles } from "../../../agents/show-files.ts";
import { defined } from "../../../domain/defined.ts";
import type { Feedback, WorkChecks } from "../../../domain/implementation.ts";
import type { PlanTask } from "../../../domain/plan.ts";
import { isLocal, numberOf, type Subject } from "../../../domain/subjects.ts";
import { readEvidence } from "../../../store/effects/read-effects.ts";
import { memoriesShown } from "../../ai/open-run-memory.ts";
import { submit } from "../../runs/handle-input.ts";
import { headOf, type Implementation, isLooked, type Planned, type Working } from "../implementation.ts";
import { checkAndMend } from "./check-work.ts";
import { filesOfWork } from "./files-of-work.ts";
import { findModelsOrHalt, type Halt, haltOf } from "./halt-work.ts";
import { wishesOf } from "./make-plan.ts";
import { openBases } from "./open-base.ts";
import { openPhaseWorkspace } from "./open-phase-workspace.ts";
import { commitAll, isValidated, note, type Round, type RoundContext } from "./round.ts";
import { agentsOf } from "./scope-of-work.ts";
import { implementersTools } from "./tools-of-implementer.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";
import { lookAtWork, repair, workOn } from "./work-on-feedback.ts";

/** Nothing that changed files comes without a message of its own. */
const ANSWERED = { type: "chore", subject: "work on what came back" } as const;

/**
 * A round of the implementer: the tasks of the plan one after the other, each with a commit of its own, or the feedback that came back
 * (IMPL-1, IMPL-2). What was done before an interruption is not done again.
 * @throws {AwaitsPerson}
 */
export async function carryOut(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  if (!isLooked(run) || !run.plan) return;
  const models = await findModelsOrHalt(dependencies, job, run);
  if (!models) return;
  await using workspace = await openPhaseWorkspace(dependencies, job, run, "implementation", models);
  const tools = await implementersTools(dependencies, job, run, workspace);
  await using bases = openBases(dependencies, job, run, workspace);
  const context: RoundContext = { dependencies, job, run, workspace, tools, openBase: bases.open };
  const round: Round = { commits: [], answers: [], notDone: [], testsAdded: 0, validated: true, memories: [] };
  const halted =
    run.cause === undefined ? await doTasks(context, round) : await doFeedback(context, round, run.feedback);
  const took = { runId: run.runId, durationMs: workspace.elapsedMs(), costUsd: await workspace.spentUsd() };
  if (halted) {
    const [problem] = await lookAtWork(context);
    // What must not be committed does not get to GitHub because an agent came to no end: it stays where the run goes on.
    const kept = problem ? undefined : await commitAll(context, "chore: keep work in progress");
    const commits = [...round.commits, ...(kept ? [kept] : [])];
    const headSha = workspace.tree.head();
    const work =
      headSha === headOf(run) && commits.length === 0
        ? {}
        : { work: { headSha, treeSha: await workspace.tree.treeId(), commits } };
    await submit(dependencies, job, { type: "work.halted", ...took, ...halted, ...work });
    return;
  }
  const { files } = await workspace.tree.changedSince(workspace.tree.base);
  const work = {
    headSha: workspace.tree.head(),
    treeSha: await workspace.tree.treeId(),
    ...filesOfWork(files),
    ...round,
  };
  const name = await memoriesShown(dependencies.store, job.runId);
  await submit(dependencies, job, { type: "work.finished", ...took, work: name(work) });
}

async function doTasks(context: RoundContext, round: Round): Promise<Halt | undefined> {
  const { run, dependencies, job } = context;
  const { tasks } = run.plan.plan;
  const done: DoneTask[] = [];
  const before = new Map(run.tasksDone.map((task) => [task.taskId, task]));
  for (const task of tasks) {
    const known = before.get(task.id);
    if (known) {
      const { commit, testsAdded = 0, validated = true, notDone, checks, memories = [], formatted } = known;
      if (commit) round.commits.push(commit);
      if (checks) round.checks = checks;
      if (formatted !== undefined) round.formatted = formatted;
      round.testsAdded += testsAdded;
      round.validated &&= validated;
      round.memories.push(...memories);
      if (notDone !== undefined) round.notDone.push(notDone);
      done.push({ id: task.id, title: task.title, files: task.files, summary: known.summary });
      continue;
    }
    const outcome = await doTask(context, task, done);
    if (!outcome.ok) return haltOf(outcome);
    const settled = await settle(context, round, agentFor(run, task), outcome.output);
    if ("halt" in settled) return settled.halt;
    const { output, checks } = settled;
    const commit = await commitAll(
      context,
      commitMessage(output.commit ?? { type: "chore", subject: task.title.slice(0, 60) }, {
        issue: issueOf(job.subject),
      }),
      task.id,
    );
    if (commit) round.commits.push(commit);
    const name = await memoriesShown(dependencies.store, job.runId);
    const { summary, validated, tests_added: tests, not_done: notDone, memories } = name(output);
    await submit(dependencies, job, {
      type: "task.done",
      runId: run.runId,
      taskId: task.id,
      ...{ summary, validated, testsAdded: tests.length, checks },
      ...defined({ notDone, commit, memories, formatted: round.formatted }),
    });
    done.push({
      id: task.id,
      title: task.title,
      files: output.files_changed,
      summary,
      ...defined({ notDone: notDone || undefined }),
    });
  }
  return undefined;
}

/** A plan that was made anew may have a task of the same name: another agent does it. */
function agentFor({ plan }: Planned | Working, { id }: PlanTask): string {
  return `implementer/${plan.revision}.${id}`;
}

async function doTask(
  { run, workspace, tools, dependencies, job }: RoundContext,
  task: PlanTask,
  done: readonly DoneTask[],
) {
  const { plan } = run.plan;
  const { limits, instructions, tests, typeCheck, lint } = workspace;
  const { files, binary } = await tools.show(task.files, job.signal);
  // What was made for this task, and what it names, comes first: no import leads there yet.
  const made = plan.tasks.filter(({ id }) => done.some((each) => each.id === id)).flatMap((each) => each.files);
  const named = [...made, ...namedFiles(task.description, workspace.paths)];
  const { files: near } = await tools.near(task.files, named, job.signal);
  const start = await implementTask({
    ...{ plan, task, done, files, near, binary, instructions, ...tests, typeCheck, lint },
    evidence: await readEvidence(dependencies.store, job.subject),
    map: await tools.map(task.files, job.signal),
    wishes: wishesOf(run),
    steps: limits.iterations,
    leftUsd: await workspace.leftUsd(),
    redact: dependencies.ai.redact,
  });
  const own = tools.make(start.read, [...files, ...near]);
  const agent = { ...implementerAgent(own, limits.iterations), iterationLimit: limits.iterations };
  return (await agentsOf({ run, workspace }))<ImplementerOutput>(agent, { key: agentFor(run, task), task: start.task });
}

async function doFeedback(
  context: RoundContext,
  round: Round,
  feedback: readonly Feedback[],
): Promise<Halt | undefined> {
  const key = `implementer/feedback-${context.run.took.implementation?.times ?? 1}`;
  const outcome = await workOn(context, key, feedback);
  if (!outcome.ok) return haltOf(outcome);
  const settled = await settle(context, round, key, outcome.output);
  if ("halt" in settled) return settled.halt;
  const { output } = settled;
  round.answers.push(...output.answers);
  const message = commitMessage(output.commit ?? ANSWERED, { issue: issueOf(context.job.subject) });
  const commit = await commitAll(context, message);
  if (commit) round.commits.push(commit);
  return undefined;
}

/** Checks an agent's work and makes it fit to be committed; notes where the files differ from what the agent says. */
async function settle<Output extends ImplementerOutput>(
  context: RoundContext,
  round: Round,
  key: string,
  handedIn: Output,
): Promise<{ readonly output: Output; readonly checks: WorkChecks } | { readonly halt: Halt }> {
  const checked = await checkAndMend(context, round, key);
  if ("halt" in checked) return checked;
  const halt = await repair(context, round, key);
  if (halt) return { halt };
  const { checks } = checked;
  const output = { ...handedIn, validated: isValidated(checks, handedIn.validated) };
  note(round, output);
  round.checks = checks;
  return { output, checks };
}

/** The number of a run on a checkout of this machine is no issue, so a commit does not refer to it. */
function issueOf(subject: Subject): number | undefined {
  return isLocal(subject.repository) ? undefined : numberOf(subject);
}
