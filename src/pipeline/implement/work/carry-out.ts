import { commitMessage } from "../../../agents/implementer/commit-message.ts";
import { feedbackTask, filesOfFeedback } from "../../../agents/implementer/feedback-task.ts";
import { type DoneTask, implementTask } from "../../../agents/implementer/implement-task.ts";
import { feedbackAgent, implementerAgent } from "../../../agents/implementer/implementer-agent.ts";
import { namedFiles } from "../../../agents/implementer/named-files.ts";
import type { FeedbackOutput, ImplementerOutput } from "../../../agents/implementer/output.ts";
import { scopeOf } from "../../../agents/implementer/scope.ts";
import { withScope, writtenPaths } from "../../../agents/implementer/scope-policy.ts";
import type { AgentOutcome } from "../../../agents/reviewer/ports.ts";
import type { Feedback, FeedbackAnswer, WorkCommit } from "../../../domain/implementation.ts";
import type { PlanTask } from "../../../domain/plan.ts";
import type { Implementation } from "../implementation.ts";
import { headOf } from "../implementation.ts";
import { isBegun } from "./make-plan.ts";
import { type BegunRun, openWorkshop, type Workshop } from "./open-workshop.ts";
import { problemsIn } from "./problems-in.ts";
import { type ImplementerTools, implementersTools } from "./tools-of-implementer.ts";
import { wishesOf } from "./wishes-of.ts";
import { findModelsOrHalt, haltOf } from "./with-models.ts";
import { tell, type WorkJob, type WorkPowers } from "./work-job.ts";

/** How often an agent is sent back for what its commit must not have, before the run stops. */
const MOST_REPAIRS = 2;

/** Nothing that changed files comes without a message of its own. */
const ANSWERED = { type: "chore", subject: "work on what came back" } as const;

/** What a round came to so far. */
interface Round {
  readonly commits: WorkCommit[];
  readonly answers: FeedbackAnswer[];
  readonly notDone: string[];
  testsAdded: number;
  validated: boolean;
}

interface Site {
  readonly powers: WorkPowers;
  readonly job: WorkJob;
  readonly run: BegunRun;
  readonly shop: Workshop;
  readonly tools: ImplementerTools;
}

/**
 * A round of the implementer: the tasks of the plan one after the other, each with a commit of its own, or the feedback that came back
 * (IMPL-1, IMPL-2). What was done before an interruption is not done again.
 * @throws {AwaitsPerson}
 */
export async function carryOut(powers: WorkPowers, job: WorkJob, run: Implementation): Promise<void> {
  if (!isBegun(run) || !run.plan) return;
  const models = await findModelsOrHalt(powers, job, run);
  if (!models) return;
  await using shop = await openWorkshop(powers, job, run, "implementation", models);
  const tools = await implementersTools(powers, job, run, shop);
  const site: Site = { powers, job, run, shop, tools };
  const round: Round = { commits: [], answers: [], notDone: [], testsAdded: 0, validated: true };
  const halted = run.cause === undefined ? await doTasks(site, round) : await doFeedback(site, round, run.feedback);
  const took = { runId: run.runId, durationMs: shop.elapsedMs(), costUsd: await shop.spentUsd() };
  if (halted) {
    const [problem] = await lookAtWork(site);
    // What must not be committed does not get to GitHub because an agent came to no end: it stays where the run goes on.
    const kept = problem ? undefined : await commitAll(site, "chore: keep work in progress");
    const commits = [...round.commits, ...(kept ? [kept] : [])];
    const headSha = shop.tree.head();
    const work =
      headSha === headOf(run) && commits.length === 0
        ? {}
        : { work: { headSha, treeSha: await shop.tree.treeId(), commits } };
    await tell(powers, job, { type: "work.halted", ...took, ...halted, ...work });
    return;
  }
  const { files } = await shop.tree.changedSince(shop.tree.base);
  const work = { headSha: shop.tree.head(), treeSha: await shop.tree.treeId(), filesChanged: files.length, ...round };
  await tell(powers, job, { type: "work.finished", ...took, work });
}

type Halt = ReturnType<typeof haltOf>;

async function doTasks(site: Site, round: Round): Promise<Halt | undefined> {
  const { run, powers, job } = site;
  const { tasks } = run.plan!.plan;
  const done: DoneTask[] = [];
  const before = new Map(run.tasksDone.map((task) => [task.taskId, task]));
  for (const task of tasks) {
    const known = before.get(task.id);
    if (known) {
      const { commit, testsAdded = 0, validated = true, notDone } = known;
      if (commit) round.commits.push(commit);
      round.testsAdded += testsAdded;
      round.validated &&= validated;
      if (notDone !== undefined) round.notDone.push(notDone);
      done.push({ id: task.id, title: task.title, files: task.files, summary: known.summary });
      continue;
    }
    const outcome = await doTask(site, task, done);
    if (!outcome.ok) return haltOf(outcome);
    const halt = await repair(site, round, agentFor(run, task));
    if (halt) return halt;
    const { output } = outcome;
    note(round, output);
    const commit = await commitAll(
      site,
      commitMessage(output.commit ?? { type: "chore", subject: task.title.slice(0, 60) }, {
        issue: job.subject.number,
      }),
      task.id,
    );
    if (commit) round.commits.push(commit);
    const { summary, validated, tests_added: tests, not_done: notDone } = output;
    await tell(powers, job, {
      type: "task.done",
      runId: run.runId,
      taskId: task.id,
      ...{ summary, validated, testsAdded: tests.length },
      ...(notDone === undefined ? {} : { notDone }),
      ...(commit ? { commit } : {}),
    });
    done.push({
      id: task.id,
      title: task.title,
      files: output.files_changed,
      summary,
      ...(notDone ? { notDone } : {}),
    });
  }
  return undefined;
}

/** A plan that was made anew may have a task of the same name: another agent does it. */
function agentFor({ plan }: BegunRun, { id }: PlanTask): string {
  return `implementer/${plan!.revision}.${id}`;
}

async function doTask({ run, shop, tools, powers, job }: Site, task: PlanTask, done: readonly DoneTask[]) {
  const { plan } = run.plan!;
  const { room, instructions, testing, typeCheck } = shop;
  const { files, binary } = await tools.show(task.files, job.signal);
  // What was made for this task, and what it names, comes first: no import leads there yet.
  const made = plan.tasks.filter(({ id }) => done.some((each) => each.id === id)).flatMap((each) => each.files);
  const named = [...made, ...namedFiles(task.description, shop.paths)];
  const { files: near } = await tools.near(task.files, named, job.signal);
  const start = implementTask({
    ...{ plan, task, done, files, near, binary, instructions, testing, typeCheck },
    map: await tools.map(task.files, job.signal),
    wishes: wishesOf(run),
    steps: room.iterations,
    leftUsd: await shop.leftUsd(),
    redact: powers.ai.redact,
  });
  const own = tools.make(start.read, [...files, ...near]);
  const agent = { ...implementerAgent(own, room.iterations), iterationLimit: room.iterations };
  return (await agentsOf({ run, shop }))<ImplementerOutput>(agent, { key: agentFor(run, task), task: start.task });
}

async function doFeedback(site: Site, round: Round, feedback: readonly Feedback[]): Promise<Halt | undefined> {
  const key = `implementer/feedback-${site.run.took.implementation?.times ?? 1}`;
  const outcome = await workOn(site, key, feedback);
  if (!outcome.ok) return haltOf(outcome);
  const halt = await repair(site, round, key);
  if (halt) return halt;
  note(round, outcome.output);
  round.answers.push(...outcome.output.answers);
  const message = commitMessage(outcome.output.commit ?? ANSWERED, { issue: site.job.subject.number });
  const commit = await commitAll(site, message);
  if (commit) round.commits.push(commit);
  return undefined;
}

async function workOn(
  { run, shop, tools, powers, job }: Site,
  key: string,
  feedback: readonly Feedback[],
): Promise<AgentOutcome<FeedbackOutput>> {
  const { room, instructions, testing, typeCheck, tree } = shop;
  const branch = await tree.changedSince(tree.base);
  const changed = pathsOf(branch.files);
  const wanted = filesOfFeedback(feedback);
  const { files } = await tools.show(wanted, job.signal);
  const { files: near } = await tools.near(wanted, [], job.signal);
  const start = feedbackTask({
    ...{ plan: run.plan!.plan, feedback, changed, files, near, instructions, testing, typeCheck },
    diff: branch.patch.toString("utf8"),
    // Feedback of people who may not push never becomes feedback: whoever reads it looks at their role.
    mayPush: () => true,
    steps: room.iterations,
    leftUsd: await shop.leftUsd(),
    redact: powers.ai.redact,
  });
  const made = tools.make(start.read, [...files, ...near]);
  const agent = { ...feedbackAgent(made, feedback, room.iterations), iterationLimit: room.iterations };
  return (await agentsOf({ run, shop }))<FeedbackOutput>(agent, { key, task: start.task });
}

/** What must not be committed goes back to the agent as feedback: secrets, and files that the work is not about (SEC-5, SEC-6). */
async function repair(site: Site, round: Round, key: string): Promise<Halt | undefined> {
  // Whoever has a stopped run go on wants it tried anew.
  const again = site.run.resumes === 0 ? "" : `-${site.run.resumes}`;
  for (let attempt = 1; ; attempt += 1) {
    const problems = await lookAtWork(site);
    const [first] = problems;
    if (!first) return undefined;
    if (attempt > MOST_REPAIRS) {
      const where = "file" in first && first.file !== undefined ? ` because of \`${first.file}\`` : "";
      return { reason: `the work cannot be committed${where}: ${first.message}` };
    }
    const outcome = await workOn(site, `${key}-repair${again}-${attempt}`, problems);
    if (!outcome.ok) return haltOf(outcome);
    note(round, { ...outcome.output, tests_added: [] });
  }
}

async function lookAtWork({ shop, run, powers, job }: Site): Promise<Feedback[]> {
  const scope = await scopeFor(run, shop);
  return problemsIn({ tree: shop.tree, scope, scratchRoot: powers.scratchRoot, signal: job.signal });
}

async function agentsOf({ run, shop }: Pick<Site, "run" | "shop">) {
  const scope = await scopeFor(run, shop);
  return shop.agents((policy) => withScope(policy, scope));
}

async function scopeFor({ plan, configuration, gates, feedback }: BegunRun, { tree, paths: now }: Workshop) {
  const { files } = await tree.changedSince(tree.base);
  // What is not committed is what is being judged.
  const loose = new Set(pathsOf((await tree.changedSince(tree.head())).files));
  const changed = pathsOf(files).filter((path) => !loose.has(path));
  const added = new Set(files.flatMap(({ oldPath, newPath }) => (oldPath === undefined && newPath ? [newPath] : [])));
  const paths = now.filter((path) => !added.has(path));
  // What feedback names may be changed for it; a call that a person approved names its files.
  const allowed = [...filesOfFeedback(feedback), ...approvedPaths(gates)];
  return scopeOf(plan!.plan, { paths, changed, protectedPaths: configuration.review.protected_paths, allowed });
}

function pathsOf(files: readonly { readonly newPath?: string | undefined }[]): string[] {
  return files.flatMap(({ newPath }) => (newPath === undefined ? [] : [newPath]));
}

/** Paths in the calls of tools that people approved in this run. */
function approvedPaths(gates: BegunRun["gates"]): string[] {
  return gates.flatMap(({ question, standing }) => {
    if (question.type !== "tool_call" || standing.is !== "approved") return [];
    // What was too long to be shown was not approved in full: it stays closed.
    if (question.input.length < question.inputCharacters) return [];
    try {
      return writtenPaths(question.tool, JSON.parse(question.input));
    } catch {
      return [];
    }
  });
}

function note(round: Round, { tests_added: tests, validated, not_done: notDone }: ImplementerOutput): void {
  round.testsAdded += tests.length;
  round.validated &&= validated;
  if (notDone !== undefined) round.notDone.push(notDone);
}

/**
 * Commits what changed. After an interruption the commit may have been made already: then it is the head, and nobody was told of it.
 */
async function commitAll(
  { powers, run, shop }: Site,
  message: string,
  taskId?: string,
): Promise<WorkCommit | undefined> {
  const { tree } = shop;
  const before = tree.head();
  const made = await tree.commit({ message, author: await powers.author(), at: powers.now() });
  const told = new Set([
    headOf(run),
    tree.base,
    ...run.tasksDone.flatMap(({ commit }) => (commit ? [commit.sha] : [])),
  ]);
  const sha = "unchanged" in made ? (told.has(before) ? undefined : before) : made.sha;
  if (sha === undefined) return undefined;
  await shop.keep();
  return { sha, subject: message.split("\n", 1)[0] ?? "", ...(taskId === undefined ? {} : { taskId }) };
}
