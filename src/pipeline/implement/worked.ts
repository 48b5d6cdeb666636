import { branchName, nextBranchName } from "../../domain/branch-name.ts";
import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Feedback, FeedbackAnswer } from "../../domain/implementation.ts";
import type { TaskDone, WorkFinished, WorkHalted } from "../../domain/inputs.ts";
import { numberOf, subjectKey } from "../../domain/subjects.ts";
import { type Decision, ignore, withOwnEvents } from "../runs/decision.ts";
import { phaseThatSends } from "../runs/definition.ts";
import { askPerson } from "./ask-person.ts";
import { pass } from "./finish.ts";
import { failedGuard } from "./guards.ts";
import {
  addWork,
  type Implementation,
  isAtWork,
  openGates,
  ownsIssue,
  type Planned,
  type Working,
} from "./implementation.ts";
import { completion } from "./observe.ts";
import { complete, enter, pullSubject, stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/** One task of the plan is committed in the working tree. */
export function decideTaskDone({ addressed: run }: IssueView, input: TaskDone): Decision {
  if (!ownsIssue(run) || !isAtWork(run) || run.phase !== "implementation") return ignore("the run is not implementing");
  const {
    taskId,
    commit,
    summary,
    testsAdded = 0,
    validated = false,
    notDone,
    checks,
    memories,
    formatted,
    at,
  } = input;
  if (run.tasksDone.some((task) => task.taskId === taskId)) return ignore("this task was done before");
  const payload = {
    taskId,
    summary,
    testsAdded,
    validated,
    ...defined({ notDone, commit, checks, memories: memories && [...memories], formatted }),
  };
  return stepOf(run, { events: [{ type: "task.completed", phase: "implementation", payload }] }, at);
}

/**
 * A round of the implementer is over: what it committed is pushed; the review begins when that is done. A first round that changed nothing
 * ends the run, a later one goes to a person: feedback that changes nothing would come back as it is.
 */
export function decideWorkFinished(view: IssueView, input: WorkFinished): Decision {
  const decision = workFinished(view, input);
  const { formatted: level, headSha } = input.work;
  if (decision.ignored !== undefined || level === undefined || view.addressed?.work?.formatted) return decision;
  // Once for each run: a round more is no more work of its own.
  const acted: NewEvent = { type: "level.acted", payload: { level, action: "formatted", headSha } };
  return withOwnEvents(decision, { subject: input.subject, version: view.facts.version }, [acted]);
}

function workFinished(view: IssueView, input: WorkFinished): Decision {
  const run = view.addressed;
  if (!ownsIssue(run) || !isAtWork(run) || !run.plan || run.phase !== "implementation")
    return ignore("the run is not implementing");
  const { work, at } = input;
  const events: NewEvent[] = [
    { type: "work.completed", phase: "implementation", payload: work },
    complete(run, "implementation", input),
  ];
  const done = withWork(run, input);
  if (work.joined !== undefined) return joined(run, done, events, work.joined, at);
  if (work.headSha === run.base.sha) {
    const reason = work.notDone[0] ?? "the plan was carried out and no file changed";
    const skipped: NewEvent = { type: "phase.skipped", phase: "review", payload: { phase: "review", reason } };
    return stepOf(run, { events: [...events, skipped, completion(done, "nothing_to_do", at)] }, at);
  }
  const onPull = answerPeople(done);
  // Somebody pushed meanwhile: both are joined first.
  if (run.toJoin !== undefined) return stepOf(run, { events, onPull, work: true }, at);
  // The plan may have been carried out before the round was cut off; what came back asks for something else than what is there.
  const isSame = run.cause !== undefined && [run.roundFrom, run.work?.headSha].every((head) => head === work.headSha);
  if (isSame) return unchanged(view, done, events, onPull, at);
  return stepOf(done, { events, effects: [push(done, work.headSha)], onPull }, at);
}

/** It includes commits that a person pushed meanwhile. A round that was cut off goes on; people were answered before. */
function joined(run: Planned | Working, done: Working, events: readonly NewEvent[], pushed: string, at: string) {
  const effects = run.roundDone ? [push({ ...done, pushed }, done.work.headSha)] : [];
  return stepOf(done, { events, effects, work: !run.roundDone }, at);
}

function unchanged(
  view: IssueView,
  run: Working,
  events: readonly NewEvent[],
  onPull: readonly Effect[],
  at: string,
): Decision {
  // People were answered: that is all they wanted.
  if (run.cause === "person" || run.cause === "instruction") {
    const isReady = run.readyHead === run.work.headSha;
    // More may have been said meanwhile.
    if (isReady) return stepOf(run, { events: [...events, backToPeople(run)], onPull, work: true }, at);
  }
  // The tests that are there passed on this very head, and some lines no test can reach.
  const isTested = run.tests?.headSha === run.work.headSha && run.tests?.outcome === "passed";
  const from = run.cause === "coverage" ? phaseThatSends(view.pipeline, run.cause) : undefined;
  if (from && isTested && failedGuard({ ...run, roundDone: true }, from, view.pipeline) === undefined) {
    const back = enter(run, from, "no test was added");
    const step = pass(view, { ...run, phase: from }, "no test was added", at);
    return stepOf(
      run,
      { ...step, events: [...events, back, ...step.events], onPull: [...onPull, ...(step.onPull ?? [])] },
      at,
    );
  }
  const { feedback, answers } = run;
  const said = answers.map(({ answer }) => `the implementer changed nothing, and says: ${answer}`);
  const asked = askPerson(
    view,
    run,
    {
      type: "bounces_used",
      cause: run.cause ?? "instruction",
      limit: run.bounces[run.cause ?? "instruction"] ?? 0,
      reasons: feedback.map(({ message }) => message).slice(0, 10),
      tried: [...triedBy({ ...run, answers: [] }), ...(said.length > 0 ? said : ["the implementer changed nothing"])],
      ...defined({ pull: run.pull?.number }),
    },
    at,
  );
  return stepOf(run, { ...asked, events: [...events, ...asked.events], onPull }, at);
}

/** Nothing changed: the pull request is as it was, and people have the word again. */
function backToPeople({ work }: Working): NewEvent {
  return { type: "pull.ready", payload: { headSha: work.headSha } };
}

/** The attempts at a problem so far, one line for each round, for the person who is asked. */
export function triedBy({ bounces, answers }: Implementation): string[] {
  const rounds = Object.entries(bounces).map(
    ([cause, times]) => `${times} ${times === 1 ? "round" : "rounds"} for ${cause}`,
  );
  return [...rounds, ...answers.filter(({ done }) => !done).map(({ answer }) => answer)];
}

function withWork(run: Planned | Working, { work, costUsd }: WorkFinished): Working {
  const after = { costUsd: Math.max(run.costUsd, costUsd), answers: work.answers, work: addWork(run.work, work) };
  return run.work ? { ...run, ...after } : { ...run, ...after, is: "working" };
}

/** Puts the work on its branch. The key names the decision that wants it: what GitHub refused once may be wanted again. */
export function push(run: Planned | Working, headSha: string): Effect {
  const { taken } = run;
  const named = [numberOf(run.subject), run.plan.plan.title] as const;
  const branch = run.branch ?? (taken === undefined ? branchName(...named) : nextBranchName(taken, ...named));
  return {
    kind: "branch.push",
    key: effectKey("branch.push", subjectKey(run.subject), headSha, run.runId, String(run.version)),
    payload: { branch, headSha, expected: run.pushed ?? null },
  };
}

/**
 * An agent ended without a result: the run stands still with all it has, and the work so far goes to a draft (SAFE-2, GH-12a). Whoever raises
 * the limit or has it go on finds it there.
 */
export function decideHalted({ addressed: run }: IssueView, input: WorkHalted): Decision {
  if (!ownsIssue(run) || run.stopped || openGates(run).length > 0) return ignore("the run stands still already");
  const { reason, limit, ofRun, at } = input;
  // Commits are made for a plan.
  const work = run.plan ? input.work : undefined;
  const events: NewEvent[] = [];
  if (run.phase !== undefined && isAtWork(run)) events.push(complete(run, run.phase, input));
  if (work) {
    const none = { filesChanged: 0, testsAdded: 0, answers: [], notDone: [] };
    const done = { ...work, ...none, validated: false, unfinished: true };
    events.push({ type: "work.completed", phase: "implementation", payload: done });
  }
  events.push({ type: "run.stopped", payload: { reason, ...defined({ limit, ofRun: ofRun || undefined }) } });
  const effects = run.plan && work ? [push(run, work.headSha)] : [];
  return stepOf(run, { events, effects }, at);
}

type FromPerson = Extract<Feedback, { from: "person" }>;

/** Each thread of a person gets one answer that says what was done about it; what stood above their review is answered in one comment (GH-6). */
function answerPeople(run: Implementation): Effect[] {
  const { pull, feedback, answers, work } = run;
  if (!pull || !work) return [];
  const asked = feedback.filter((item) => item.from === "person");
  const answered = asked.flatMap((item) => {
    const answer = answers.find(({ id }) => id === item.id);
    return answer ? [{ item, answer }] : [];
  });
  const changed = work.headSha !== run.pushed;
  const subject = pullSubject(run.subject, pull.number);
  const say = (
    about: string,
    thread: number | undefined,
    said: readonly { item: FromPerson; answer: FeedbackAnswer }[],
  ) => {
    const told = said.map(({ item, answer: { done, answer } }) => {
      return { done, answer, ...(thread === undefined ? { asked: item.message } : {}) };
    });
    const effect: Effect = {
      kind: "comment.reply",
      key: effectKey("comment.reply", subjectKey(subject), work.headSha, run.runId, about),
      payload: {
        ...defined({ thread }),
        answer: { kind: "worked_on", answers: told, headSha: work.headSha, changed },
      },
    };
    return effect;
  };
  const inThreads = answered.filter(({ item }) => item.thread !== undefined);
  const above = answered.filter(({ item }) => item.thread === undefined);
  return [
    ...inThreads.map((one) => say(one.item.id, one.item.thread, [one])),
    ...(above.length > 0 ? [say(above[0]!.item.id, undefined, above)] : []),
  ];
}
