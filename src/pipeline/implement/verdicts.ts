import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Feedback, PullReviewed } from "../../domain/implementation.ts";
import type { PhaseFinished, TestsFinished } from "../../domain/inputs.ts";
import type { Conclusion } from "../../domain/phases.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { TestFailure, TestOutcome } from "../../domain/test-report.ts";
import { type Decision, ignore } from "../runs/decision.ts";
import { mostBounces } from "../runs/definition.ts";
import { approvedBefore, testedByCi } from "./approvals.ts";
import { askPerson } from "./ask-person.ts";
import { sendBack } from "./bounce.ts";
import { emptied } from "./branch.ts";
import { aboutChange, pass } from "./finish.ts";
import { failedGuard } from "./guards.ts";
import { isAtWork, type Looked, type Working } from "./implementation.ts";
import { complete, pullSubject, type Step, stepOf } from "./step.ts";
import { type Asking, after, type IssueView } from "./view.ts";
import { triedBy } from "./worked.ts";

/** Tests run on the head of a pull request. */
type Tested = Working & { readonly pull: NonNullable<Working["pull"]> };

/** A fix that the tester is surer of than this is worth another round without asking (PIPE-5). */
const SURE = 0.7;

/** A phase is over: the next one begins, or work goes back (PIPE-5). */
export function decidePhaseFinished(view: IssueView, input: PhaseFinished): Decision {
  const run = view.addressed;
  const { phase, outcome, review, at } = input;
  if (run?.is !== "working" || !isAtWork(run) || run.phase !== phase) return ignore(`the run is not in ${phase}`);
  if (review) return decideReviewed(view, run, { ...input, review });
  const step = outcome.is === "back" ? sendBack(view, run, outcome, at) : pass(view, run, outcome.reason, at);
  return stepOf(run, { ...step, events: [complete(run, phase, input), ...step.events] }, at);
}

/** The review of the head is over: what blocks goes back to the implementer, and where that did not help to a person. */
function decideReviewed(
  view: IssueView,
  run: Working,
  input: PhaseFinished & { readonly review: PullReviewed },
): Decision {
  const { phase, outcome, at } = input;
  if (!run.pull) return ignore("the run has no pull request");
  if (input.review.headSha !== run.work.headSha) return ignore("that is not the head any more");
  const offered = fixesToGive(run, input.review);
  const feedback = outcome.is === "back" ? outcome.feedback : [];
  const isAccepted = feedback.length > 0 && wereAccepted({ ...run, reviewed: input.review }, feedback);
  const review: PullReviewed = { ...input.review, ...(isAccepted ? { accepted: true } : {}) };
  const seen: Working = { ...run, reviewed: review };
  const took = { durationMs: review.durationMs ?? 0, costUsd: run.costUsd + review.costUsd };
  const events: NewEvent[] = [{ type: "pull.reviewed", phase, payload: review }, complete(run, phase, took)];
  const and = (step: Step) => stepOf(seen, { ...step, events: [...events, ...step.events] }, at);
  const next = after(view, phase);
  // Somebody set the branch back while it was looked at.
  if (failedGuard(seen, next, view.pipeline)?.guard === "changes_made") return and({ events: [emptied(run)] });
  const isRoundLeft = (run.bounces.review ?? 0) < mostBounces(view.pipeline, "review", run.configuration);
  if (outcome.is === "passed" && offered.length > 0 && isRoundLeft) {
    const reason = `the review confirmed ${offered.length === 1 ? "a fix" : `${offered.length} fixes`}`;
    return and(sendBack(view, seen, { cause: "review", reason, feedback: offered }, at));
  }
  if (outcome.is === "passed") return and(pass(view, seen, outcome.reason, at));
  if (isAccepted) return and(pass(view, seen, "what blocks was accepted", at));
  const isLast = (run.bounces[outcome.cause] ?? 0) >= mostBounces(view.pipeline, outcome.cause, run.configuration);
  if (isLast && review.criticalSecurity > 0) {
    const reasons = feedback.map(({ message }) => message).slice(0, 10);
    const about = { ...aboutChange(run, run.pull), ...defined({ risk: review.risk }) };
    return and(askPerson(view, seen, { type: "security_finding", reasons, ...about }, at));
  }
  const given = outcome.cause === "review" ? offered : [];
  return and(sendBack(view, seen, { ...outcome, feedback: [...outcome.feedback, ...given] }, at));
}

/** Fixes that the review confirmed and that the implementer was not given yet: each goes to it once, and what it leaves the pull request says. */
function fixesToGive({ fixesGiven = {} }: Working, { fixes = [] }: PullReviewed): Feedback[] {
  const fresh = fixes.filter(({ id }) => !Object.hasOwn(fixesGiven, id));
  return fresh.map((fix) => ({ from: "review", findingId: fix.id, ...fix }));
}

/** Whether a person accepted all of this on a head from which the present one does not differ. */
function wereAccepted(run: Working, feedback: readonly Feedback[]): boolean {
  const accepted = approvedBefore(run, "security_finding")?.reasons;
  return accepted !== undefined && feedback.every(({ message }) => accepted.includes(message));
}

/** The tests of the head were run: on to people, or back with what fails (PIPE-5, TEST-1). */
export function decideTested(view: IssueView, input: TestsFinished): Decision {
  const run = view.addressed;
  if (run?.is !== "working" || !isAtWork(run) || !run.pull || run.phase !== "testing")
    return ignore("the run is not testing");
  const { outcome, at } = input;
  if (outcome.headSha !== run.work.headSha) return ignore("that is not the head any more");
  const tested: Tested = { ...run, pull: run.pull, tests: outcome, costUsd: Math.max(run.costUsd, input.costUsd) };
  const type = ({ passed: "test.passed", failed: "test.failed", not_run: "test.skipped" } as const)[outcome.outcome];
  const events: NewEvent[] = [
    { type, phase: "testing", payload: outcome },
    ...outcome.flaky.map((name): NewEvent => ({ type: "test.flaky", phase: "testing", payload: { name } })),
    complete(run, "testing", input),
  ];
  const step = afterTests(view, tested, outcome, at);
  const onPull = [completeTests({ ...run, pull: run.pull }, outcome, input), ...(step.onPull ?? [])];
  return stepOf(tested, { ...step, events: [...events, ...step.events], onPull }, at);
}

function afterTests(view: IssueView, run: Tested, outcome: TestOutcome, at: string): Step {
  const blamed = outcome.failures.filter((failure) => failure.class === "bug" || failure.class === "environment");
  const weakened = outcome.weakened.map((one, index): Feedback => {
    const place = { file: one.path, name: one.path };
    return { from: "tests", id: `W${index + 1}`, ...place, message: one.what, fix: "put the test back as it was" };
  });
  const sure = blamed.filter(isSure);
  if (weakened.length > 0 || (blamed.length > 0 && sure.length === blamed.length)) {
    const feedback = [...weakened, ...sure.map(toFeedback)];
    const reason = weakened.length > 0 ? "tests were weakened" : `${sure.length} tests fail`;
    return sendBack(view, run, { cause: "tests", reason, feedback }, at);
  }
  // A runner that fails without naming a test has not run them.
  const isUnclear = outcome.outcome === "failed" && outcome.failures.length === 0;
  const couldNot = isUnclear || (outcome.outcome === "not_run" && outcome.nothingToRun !== true);
  if (blamed.length === 0 && !couldNot) {
    const feedback = missingTests(view, run, outcome);
    if (feedback.length === 0) return pass(view, run, "the tests passed", at);
    const reason = `no test reaches some lines of ${feedback.length} ${feedback.length === 1 ? "file" : "files"}`;
    return sendBack(view, run, { cause: "coverage", reason, feedback }, at);
  }
  const byCi = couldNot && weakened.length === 0 ? testedByCi(run) : undefined;
  if (byCi) return pass(view, run, "the project's own CI has run the tests", at);
  const reasons = couldNot
    ? [outcome.reason ?? "the tests could not be run"]
    : blamed.map(({ name, cause, message }) => `${name}: ${cause ?? message.split("\n", 1)[0]}`).slice(0, 10);
  // Somebody let just this pass on a head that does not differ.
  const before = approvedBefore(run, "test_failure");
  const isKnown = (reason: string) => before?.reasons.some((known) => subjectOf(known) === subjectOf(reason));
  if (before && ("notRun" in before && before.notRun === true) === couldNot && reasons.every(isKnown))
    return pass(view, run, "somebody let it pass before", at);
  const about = aboutChange(run, run.pull);
  const not = couldNot ? { notRun: true } : {};
  return askPerson(view, run, { type: "test_failure", ...not, reasons, tried: triedBy(run), ...about }, at);
}

/** What a reason is about: the test's name, before whatever is said of its cause this time. */
function subjectOf(reason: string): string {
  return reason.split(": ", 1)[0]!;
}

function isSure({ class: kind, fix, confidence = 0 }: TestFailure): boolean {
  return kind === "bug" && fix !== undefined && confidence > SURE;
}

function toFeedback({ name, file, message, fix }: TestFailure, index: number): Feedback {
  return {
    from: "tests",
    id: `T${index + 1}`,
    name,
    message,
    ...defined({ file, fix }),
  };
}

/** The check `forge/tests` of the head (GH-11). */
function completeTests(run: Tested, outcome: TestOutcome, { costUsd }: TestsFinished): Effect {
  const { headSha } = outcome;
  const of = subjectKey(pullSubject(run.subject, run.pull.number));
  const round = String(run.took.testing?.times ?? 1);
  const spent = Math.max(0, costUsd - run.costUsd);
  return {
    kind: "check.complete",
    key: effectKey("check.complete", of, headSha, run.runId, `tests.${round}`),
    payload: {
      check: "forge/tests",
      headSha,
      conclusion: conclusionOf(outcome),
      report: { kind: "tested", outcome, costUsd: spent, work: true },
    },
  };
}

/** GH-11a: nothing is green that was not run. */
function conclusionOf({ outcome, weakened, nothingToRun, failures }: TestOutcome): Conclusion {
  if (weakened.length > 0) return "failure";
  if (outcome === "failed") {
    const isOld = failures.length > 0 && failures.every((failure) => failure.class === "existing");
    return isOld ? "neutral" : "failure";
  }
  if (outcome === "passed") return "success";
  return nothingToRun ? "neutral" : "action_required";
}

/** A change of which tests reach less than this share has gaps (TEST-1). */
const ENOUGH = 0.8;

/**
 * Lines of the change that no test reaches and for which tests are to be written, by file (TEST-1): where the repository wants that, and only
 * once in a run, as some lines no test can reach.
 */
function missingTests({ pipeline }: Asking, run: Looked, { coverage }: TestOutcome): Feedback[] {
  if (run.configuration.tools.missing_tests !== "write" || coverage === undefined) return [];
  const { covered, executable, missed } = coverage;
  const isEnough = executable === 0 || covered / executable >= ENOUGH;
  if (isEnough || (run.bounces.coverage ?? 0) >= mostBounces(pipeline, "coverage", run.configuration)) return [];
  return missed
    .filter(({ ranges }) => ranges.length > 0)
    .map(({ path, ranges }, index): Feedback => {
      const lines = ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ");
      const message = `No test reaches the lines ${lines}. Write tests for what they do; change the code only where a test shows that it is wrong.`;
      return { from: "coverage", id: `U${index + 1}`, file: path, ranges, message };
    });
}
