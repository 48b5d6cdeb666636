import { isDeepStrictEqual } from "node:util";
import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { FindingsPosted, HeadJudged, Input, PullInput, RequestMade, VerdictGiven } from "../../domain/inputs.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { sayUnwritten, settleQuestion, takeComment, voidComment } from "../commands/acknowledge.ts";
import { decideCommand } from "../commands/decide-command.ts";
import {
  both,
  type Decision,
  decideLearnt,
  decideTraced,
  findEnd,
  ignore,
  learnFrom,
  NOTHING,
  workOn,
} from "../runs/decision.ts";
import { failureOf } from "../runs/effects/effect-input.ts";
import { showGate } from "../runs/gates/evolve-gates.ts";
import { voidGatesOfEnded } from "../runs/gates/gate-rules.ts";
import { misdirected } from "../runs/kind.ts";
import { BESIDE } from "./beside-inputs.ts";
import { ON_PULL_REQUEST } from "./commands/on-pull-request.ts";
import { settleReply } from "./commands/settle-reply.ts";
import { asksPeople, carryReview, concludeReview } from "./conclude-review.ts";
import { cancelActive, decideHead } from "./decide-head.ts";
import { decidePullObserved } from "./decide-observed.ts";
import { failReview, parkReview } from "./end-events.ts";
import { decideFixesFailed, decideFixesMade, decideFixesPushed, isPushOfFixes } from "./fix/decide-fixes.ts";
import { suspendReview } from "./gates.ts";
import { decideMergeSettled, decideMerging, withMerging } from "./give-merge.ts";
import { withVerdict } from "./give-verdict.ts";
import { decideHeadTested, progressTests, withTests } from "./head-tests.ts";
import { progressReview } from "./progress-review.ts";
import type { RunState } from "./run-state.ts";
import { shareCheck } from "./shared-head/share-check.ts";
import { reviseReview } from "./show-ledger.ts";
import type { SubjectView } from "./view.ts";

/**
 * What follows from an input on a subject (PIPE-2). Pure: no clock, no I/O, no randomness; time and ids come with the input, facts with
 * the view.
 */
export function decide(view: SubjectView, input: PullInput): Decision {
  const runs = [view.active, view.addressed, view.latest];
  let decision = answerTo(view, input);
  decision = voidGatesOfEnded(decision, input, runs, (run, gate) => {
    return { headSha: run.ends.headSha, effects: [showGate(run.subject, gate)] };
  });
  decision = withOpenness(view, input, decision);
  decision = withTests(view, input, decision);
  decision = shareCheck(view, input, decision);
  decision = withVerdict(view, input, decision);
  decision = withMerging(view, input, decision);
  decision = withDeployment(view, input, withLearning(view, input, decision));
  return withWakeUp(view, input, decision);
}

/** What the input itself comes to; what follows from any such decision stands in `decide`. */
function answerTo(view: SubjectView, input: PullInput): Decision {
  switch (input.type) {
    case "head.changed":
      return decideHead(view, input);
    case "pull_request.closed":
      if (input.headSha !== undefined && view.active?.ends.headSha !== input.headSha)
        return ignore("its run has ended");
      return cancelActive(view, input, { reason: input.merged ? "merged" : "closed", settle: true });
    case "subject.gone":
      // Nothing can be written there any more, so no effect is planned.
      return cancelActive(view, input, { reason: input.reason, settle: false });
    case "review.observed":
      return decidePullObserved(view, input);
    case "review.finished":
      return concludeReview(view, input);
    case "review.carried":
      return carryReview(view, input);
    case "review.suspended":
      return suspendReview(view, input);
    case "review.parked":
      return parkReview(view, input);
    case "review.progressed":
      return progressReview(view, input);
    case "review.failed":
      return failReview(view, input);
    case "findings.posted":
      return note(view, input, input.placed.map(posted));
    case "check.settled": {
      const { check, headSha, conclusion, checkRunId, placed } = input;
      const settled: NewEvent = { type: "check.settled", payload: { check, headSha, conclusion, checkRunId } };
      return note(view, input, [...placed.map(posted), settled]);
    }
    case "effect.failed":
      if (isPushOfFixes(view, input)) return decideFixesFailed(view, input);
      return withWords(
        note(view, input, [{ type: "error.escalated", payload: failureOf(input) }]),
        sayUnwritten(input),
      );
    case "request.made":
      return takePullComment(view, input);
    case "commands.void":
      return voidComment(view.facts, input);
    case "command.given":
      return decideCommand(view, input, ON_PULL_REQUEST);
    case "question.settled":
      return settleQuestion(view.facts, input);
    case "verdict.given":
      return decideVerdictGiven(view, input);
    case "head.judged":
      return decideHeadJudged(view, input);
    case "head.tested":
      return decideHeadTested(view, input);
    case "tests.progressed":
      return progressTests(view.facts, input);
    case "fixes.made":
      return decideFixesMade(view, input);
    case "branch.pushed":
      return decideFixesPushed(view, input);
    case "pull.readied":
      return ignore("nothing here waits for that");
    case "merge.observed":
      return decideMerging(view, input);
    case "merge.settled":
      return decideMergeSettled(view, input);
    case "reply.read":
      return settleReply(view, input);
    case "learning.observed":
      return decideLearnt(view, input);
    case "production.traced":
      return decideTraced(view, input);
    default:
      return misdirected(input);
  }
}

/** What is not noted is not decided either, unless there is something to say. */
function withWords(noted: Decision, said: Decision): Decision {
  return said === NOTHING ? noted : both(noted, said);
}

function posted(placed: FindingsPosted["placed"][number]): NewEvent {
  return { type: "finding.posted", payload: placed };
}

/** Writes facts to the log that the input names, of a run in whatever state or of the subject; they change nothing else. */
function note(
  view: SubjectView,
  input: { readonly subject: Subject; readonly runId: string },
  events: NewEvent[],
): Decision {
  const { runId, subject } = input;
  const log = runId === subjectKey(subject) ? view.facts : view.addressed;
  if (!log) return ignore("the run is not known");
  if (events.length === 0) return ignore("there is nothing to note");
  return { ...NOTHING, appends: [{ runId, expectedVersion: log.version, events }] };
}

/** Notes in a pull request's own log that it was closed or opened again, whatever else follows: its verdict counts only while it is open. */
function withOpenness(view: SubjectView, input: Input, decision: Decision): Decision {
  const event = eventOf(view, input);
  if (!event) return decision;
  const append = { runId: subjectKey(input.subject), expectedVersion: view.facts.version, events: [event] };
  const { ignored: _nothing, ...rest } = decision;
  return both(rest, { ...NOTHING, appends: [append] });
}

function eventOf({ facts, latest }: SubjectView, input: Input): NewEvent | undefined {
  if (input.subject.kind !== "pull_request") return undefined;
  if (input.type === "pull_request.closed" && !facts.closed && latest) {
    return { type: "subject.closed", payload: { subject: input.subject, merged: input.merged }, actor: input.by };
  }
  if (input.type === "head.changed" && facts.closed) {
    return { type: "subject.reopened", payload: {}, actor: input.by };
  }
  return undefined;
}

/** What a merge made is perhaps to be deployed: a worker looks at the configuration (GH-7). */
function withDeployment({ facts }: SubjectView, { subject, at, ...input }: PullInput, decision: Decision): Decision {
  if (input.type !== "pull_request.closed" || !input.merged || subject.kind !== "pull_request") return decision;
  if (facts.closed) return decision;
  const { ignored: _nothing, ...rest } = decision;
  const job = { kind: "merged", key: `merged:${subjectKey(subject)}`, payload: { subject }, runAt: at } as const;
  return both(rest, { ...NOTHING, jobs: [job] });
}

/**
 * When a pull request ends, somebody dismissed something, or anything happened after people could see a finding, a worker looks what there is
 * to learn (HUM-4): GitHub tells nobody of reactions.
 */
function withLearning(view: SubjectView, { subject, at, type }: PullInput, decision: Decision): Decision {
  if (subject.kind !== "pull_request" || decision.ignored !== undefined) return decision;
  const events = decision.appends.flatMap((append) => append.events);
  const isDismissed = events.some((event) => event.type === "finding.dismissed" && event.actor !== undefined);
  const isSeen = view.ledger.some(({ commentId }) => commentId !== undefined);
  const { learning } = BESIDE[type];
  const looks = learning === "always" || isDismissed || (isSeen && learning === "where seen");
  return looks ? both(decision, { ...NOTHING, jobs: [learnFrom(subject, at)] }) : decision;
}

/** A comment on a pull request: commands, a plain answer in a finding's thread, or talk there that a model reads. */
function takePullComment(view: SubjectView, input: RequestMade): Decision {
  const { subject, source, by, at, plain, thread, bodyHash, talk = false } = input;
  if (input.remark) return takeRemark(view, input);
  const isInThread = view.ledger.some(({ commentId }) => commentId !== undefined && commentId === thread);
  const ignored =
    (plain || talk) && !isInThread
      ? "the reply is in no finding's thread"
      : talk && (view.facts.pause || view.repository.pause)
        ? "Forge is paused"
        : undefined;
  if (!talk) return takeComment(view.facts, input, { ignored, quiet: plain });
  const asked = { subject, source, index: 0, by, questionHash: bodyHash ?? "", talk };
  const payload = { ...asked, ...defined({ thread: thread || undefined }) };
  const job = { kind: "ask", key: `ask:${subjectKey(subject)}`, payload, runAt: at } as const;
  return takeComment(view.facts, input, { ignored, quiet: true, job });
}

/** Somebody remarked on lines of the change: where it was reviewed, a worker looks whether that was missed. */
function takeRemark({ facts, latest }: SubjectView, input: RequestMade): Decision {
  const { subject, source: remark, at } = input;
  const ignored = latest?.status === "completed" ? undefined : "nothing was reviewed here";
  return takeComment(facts, input, { ignored, quiet: true, job: learnFrom(subject, at, remark) });
}

/** Somebody gave a verdict on GitHub: a worker looks at it where a high risk waits for one (REV-2). */
function decideVerdictGiven({ latest }: SubjectView, { subject, at }: VerdictGiven): Decision {
  if (!latest || !waitsForPeople(latest)) return ignore("nothing here waits for a review of people");
  const job = { kind: "judge", key: `judge:${subjectKey(subject)}`, payload: { subject }, runAt: at } as const;
  return { ...NOTHING, jobs: [job] };
}

function waitsForPeople(run: RunState): boolean {
  return run.status === "running" ? asksPeople(run) : run.status === "completed" && run.review?.asks === true;
}

/** What people say of a head now: it is noted, and its check says what it comes to with that. */
function decideHeadJudged(view: SubjectView, { subject, at, headSha, judgement }: HeadJudged): Decision {
  const { facts, ledger } = view;
  const judged = { headSha, ...judgement };
  if (isDeepStrictEqual(facts.judged ?? { headSha }, judged)) return ignore("they say what they said before");
  const runId = subjectKey(subject);
  const payload = { subject, ...judged };
  const noted: Decision = {
    ...NOTHING,
    appends: [{ runId, expectedVersion: facts.version, events: [{ type: "head.judged", payload }] }],
  };
  const cause = `judged@${facts.version}`;
  return both(noted, reviseReview(view, { subject, at, headSha, cause }, { ledger, facts: { ...facts, judged } }));
}

/** The end of a review of Forge's own work is what the run on the issue waits for: a worker looks at it in the same transaction. */
function withWakeUp(view: SubjectView, { subject, at }: PullInput, decision: Decision): Decision {
  const runs = [view.active, view.addressed, view.latest].filter((run) => run !== undefined);
  const ended = decision.appends.filter(({ events }) => findEnd(events) !== -1);
  const work = ended
    .map(({ runId }) => runs.find((run) => run.runId === runId)?.implements)
    .find((ref) => ref !== undefined);
  if (!work) return decision;
  const issue: Subject = { kind: "issue", repository: subject.repository, number: work.issue };
  return { ...decision, jobs: [...decision.jobs, workOn({ runId: work.runId, subject: issue }, at)] };
}
