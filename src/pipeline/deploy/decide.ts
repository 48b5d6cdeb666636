import { isDeepStrictEqual } from "node:util";
import { defined } from "../../domain/defined.ts";
import { UNCLEAR_RUN } from "../../domain/deployments.ts";
import type { Effect } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type {
  DeployFailed,
  DeployLooked,
  DeployObserved,
  DeployProbed,
  DeployStepped,
  DeployVerified,
  EffectFailed,
  FeedbackReceived,
  Input,
} from "../../domain/inputs.ts";
import type { Phase } from "../../domain/phases.ts";
import { decideCommand } from "../commands/decide-command.ts";
import { both, type Decision, decideLearnt, ignore, NOTHING } from "../runs/decision.ts";
import { failureOf } from "../runs/effects/effect-input.ts";
import { timeOutGates, voidGatesOfEnded } from "../runs/gates/gate-rules.ts";
import { misdirected } from "../runs/kind.ts";
import { shownDeployGate } from "./ask-to-deploy.ts";
import { ON_ENVIRONMENT } from "./commands/on-environment.ts";
import { DEPLOYMENT } from "./definition.ts";
import { deployOn } from "./deploy-on.ts";
import { currentStep, type Deployment, isActive, isDue, isObserved, type Observed, stageOf } from "./deployment.ts";
import { askForWords } from "./explain/ask-for-words.ts";
import { decideExplained } from "./explain/decide-explained.ts";
import { withAlerts } from "./feedback/decide-alert.ts";
import { decideFeedback } from "./feedback/decide-feedback.ts";
import { decideQuiet } from "./feedback/decide-quiet.ts";
import { answered, leave } from "./go-on.ts";
import { judgeStep } from "./judge-step.ts";
import { finish, type Move, moved } from "./move.ts";
import { decideRequested } from "./request.ts";
import { decideRule } from "./rule/decide-rule.ts";
import { sayStep } from "./say-became.ts";
import { withStanding } from "./standing-of.ts";
import { beginBack, beginNext, rollBack, stepEffect } from "./steps.ts";
import type { EnvironmentInput, EnvironmentView } from "./view.ts";

/** What follows from an input on an environment. Pure: no clock, no I/O, no randomness; time and ids come with the input. */
export function decideDeployment(view: EnvironmentView, input: EnvironmentInput): Decision {
  const runs = [view.active, view.addressed, view.latest];
  const decision = voidGatesOfEnded(answerTo(view, input), input, runs, (run, gate) => {
    return { headSha: "", effects: shownDeployGate(run, gate), ...defined({ subject: run.deploy.about }) };
  });
  return askForWords(view, withStanding(view, decision, input), input);
}

function answerTo(view: EnvironmentView, input: EnvironmentInput): Decision {
  switch (input.type) {
    case "deploy.requested":
      return decideRequested(view, input);
    case "deploy.observed":
      return decideObserved(view, input);
    case "deploy.verified":
      return decideVerified(view, input);
    case "deploy.stepped":
      return decideStepped(view, input);
    case "deploy.probed":
      return decideProbed(view, input);
    case "deploy.looked":
      return decideLooked(view, input);
    case "feedback.received":
      return decideMessages(view, input);
    case "fault.quiet":
      return view.feedback
        ? decideQuiet(view.feedback, view.facts.version, input)
        : ignore("the earlier counts were not read");
    case "deploy.explained":
      return decideExplained(view, input);
    case "deploy.heard":
      return isActive(view.active)
        ? moved(view.active, view.facts.version, { events: [], wake: true }, input.at)
        : ignore("nothing is deployed there now");
    case "deploy.failed":
      return decideFailed(view, input);
    case "command.given":
      return decideCommand(view, input, ON_ENVIRONMENT);
    case "effect.failed":
      return decideEffectFailed(view, input);
    case "subject.gone":
      return decideGone(view, input.at, input.reason);
    case "rule.observed":
      return view.answered ? decideRule(view, view.answered, input) : ignore("the earlier answers were not read");
    case "learning.observed":
      return decideLearnt(view, input);
    case "request.made":
    case "commands.void":
    case "branch.pushed":
    case "production.traced":
      return ignore("an environment has no conversation and no branch");
    default:
      return misdirected(input);
  }
}

function decideMessages(view: EnvironmentView, input: FeedbackReceived): Decision {
  if (!view.feedback) return ignore("the earlier counts were not read");
  return withAlerts(view, decideFeedback(view.feedback, view.facts.version, input), input);
}

type Told = Pick<Input, "at">;

function move(view: EnvironmentView, run: Deployment, what: Move, { at }: Told): Decision {
  return moved(run, view.facts.version, what, at);
}

/** What there is to deploy is known: it is refused, or built and tested. */
function decideObserved(view: EnvironmentView, input: DeployObserved): Decision {
  const { addressed: run, environment } = view;
  if (!isActive(run) || run.observed) return ignore("the deployment was looked at before");
  const { seen, at } = input;
  if ("refusal" in seen) return move(view, run, finish(run, at, { outcome: "refused", refusal: seen.refusal }), input);
  // Of the first version there nothing can be told; the next one goes back to it all the same.
  const back = environment.healthy ?? seen.facts.previous;
  const payload = { ...seen, ...(back === undefined ? {} : { back }), onward: seen.onward || undefined };
  const observed: NewEvent = { type: "deployment.observed", payload };
  const known: Observed = { ...run, observed: payload };
  return move(view, run, prefixed(observed, leave("pending", { view, run: known, at })), input);
}

function prefixed(event: NewEvent, rest: Move): Move {
  return { ...rest, events: [event, ...rest.events] };
}

/** It was built and tested: a person is asked, it is announced, or its first step begins. */
function decideVerified(view: EnvironmentView, input: DeployVerified): Decision {
  const { addressed: run } = view;
  if (!isObserved(run) || run.verified) return ignore("the version was verified before");
  const { is, summary, at } = input;
  const verified: NewEvent = { type: "deployment.verified", phase: "verification", payload: { is, summary } };
  if (is === "failed") {
    const end = finish(run, at, { outcome: "failed", refusal: "not_tested", reason: summary });
    return move(view, run, prefixed(verified, end), input);
  }
  const known: Observed = { ...run, verified: { is, summary } };
  return move(view, run, prefixed(verified, leave("verifying", { view, run: known, at })), input);
}

/** Nothing came of a step, and nothing of it is there: it is over without a rollback. */
const NOTHING_THERE: ReadonlySet<string> = new Set(["never_started", "rejected", "cancelled"]);

/** The way says what became of a step. */
function decideStepped(view: EnvironmentView, input: DeployStepped): Decision {
  const { addressed: run } = view;
  if (!isObserved(run)) return ignore("the deployment is over");
  const step = currentStep(run);
  const { handle, outcome, at } = input;
  if (!step || step.planned.marker.step !== input.step || step.doneAt !== undefined)
    return ignore("the deployment is beyond that step");
  const before = step.outcome;
  const isNews =
    outcome.is !== before.is ||
    outcome.detail !== before.detail ||
    outcome.ranOn !== before.ranOn ||
    !isDeepStrictEqual(outcome.awaits, before.awaits) ||
    isNewHandle(step.handle, handle);
  if (!isNews) return ignore("nothing has changed");
  const payload = { step: input.step, outcome, ...(handle ? { handle } : {}) };
  const progressed: NewEvent = { type: "deployment.progressed", phase: "deployment", payload };
  const said = sayStep(run, step, outcome, handle);
  switch (outcome.is) {
    case "waiting":
    case "running":
      return move(view, run, { events: [progressed] }, input);
    case "done":
      return move(view, run, withEffects(prefixed(progressed, arrived(view, run, at)), said), input);
    case "failed":
    case "never_started":
    case "cancelled":
    case "foreign":
    case "rejected":
    case "too_slow": {
      const what = outcome.detail ?? "";
      return move(view, run, withEffects(prefixed(progressed, failedStep(run, at, outcome.is, what)), said), input);
    }
  }
}

/** These come first: what is said of the end of the deployment follows what is said of its step. */
function withEffects(move: Move, first: readonly Effect[]): Move {
  return { ...move, effects: [...first, ...(move.effects ?? [])] };
}

function isNewHandle(before: object | undefined, told: object | undefined): boolean {
  const known = before as Record<string, unknown> | undefined;
  return Object.entries(told ?? {}).some(([key, value]) => value !== undefined && known?.[key] !== value);
}

/** The version is there. Having gone back is the end; else it bakes. */
function arrived(view: EnvironmentView, run: Observed, at: string): Move {
  const steps = run.steps.map((one, i) => (i === run.steps.length - 1 ? { ...one, doneAt: at } : one));
  const back = run.back ?? (run.deploy.cause === "rollback" ? asked(run, at) : undefined);
  const there = { ...run, steps, ...defined({ back }) };
  return leave("deploying", { view, run: there, at, ...defined({ reason: back?.reason }) });
}

/** A person wanted to go back. */
function asked({ observed, deploy }: Observed, at: string): NonNullable<Observed["back"]> {
  const { previous = deploy.sha } = observed.facts;
  return {
    from: previous,
    why: "person",
    reason: deploy.reason ?? "a person asked for the rollback",
    at,
    by: deploy.by.login,
  };
}

/** How a step ended, as the reason that people read. */
const STEP_ENDS: Readonly<Record<string, string>> = {
  failed: "the step failed",
  never_started: "nothing began the step in time",
  cancelled: "the step was cancelled",
  rejected: "the step was refused",
  too_slow: "the step did not end in time",
  foreign: "only another workflow than the configured one deployed the step",
};

function failedStep(run: Observed, at: string, is: string, detail: string): Move {
  const { back } = run;
  const words = `${STEP_ENDS[is] ?? "the step failed"}${detail === "" ? "" : `: ${detail}`}`;
  if (back || run.deploy.cause === "rollback") {
    const tried = run.steps.filter(({ planned }) => planned.task === "rollback").length;
    const known = back ?? { from: run.deploy.sha, why: "person" as const, reason: words, at };
    const again = tried >= DEPLOYMENT.rollbacks ? undefined : back ? beginBack(run) : beginNext(run);
    return again ?? finish({ ...run, back: known }, at, { outcome: "rollback_failed", reason: words });
  }
  const isFirst = run.steps.length === 1;
  if (isFirst && NOTHING_THERE.has(is)) return finish(run, at, { outcome: "failed", reason: words });
  return rollBack(run, at, "failed", words);
}

/** The version was looked at: the judge says what follows (DEP-3). */
function decideProbed(view: EnvironmentView, input: DeployProbed): Decision {
  const { addressed: run } = view;
  if (!isObserved(run)) return ignore("the deployment is over");
  const step = currentStep(run);
  if (!step || step.planned.marker.step !== input.step || step.doneAt === undefined)
    return ignore("the deployment is beyond that step");
  return move(view, run, judgeStep(view, run, step, input.sample, input.at), input);
}

/** A worker had nothing to report: a gate may have run out of its time, the time to object is over, or a step has no effect yet. */
function decideLooked(view: EnvironmentView, input: DeployLooked): Decision {
  const { addressed: run } = view;
  if (!isObserved(run)) return ignore("the deployment is over");
  const { at, level } = input;
  const stage = stageOf(run);
  if (level !== undefined && isDue(run, at)) {
    // What counts is the level of now.
    const known: Observed = { ...run, observed: { ...run.observed, level } };
    return move(view, run, leave(stage, { view, run: known, at }), input);
  }
  // A step that an earlier version of Forge began has no effect; one that has it keeps it.
  const step = currentStep(run);
  if (stage === "deploying" && step?.planned.way === "program") {
    return move(view, run, { events: [], effects: [stepEffect(run, step.planned)] }, input);
  }
  const { late, events } = timeOutGates(run, at);
  if (late.length === 0) return ignore("nobody is late");
  const end = answered("asking", "no", { view, run, at, reason: "nobody answered in time" });
  const told = late.flatMap((gate) => shownDeployGate(run, gate));
  return move(view, run, { ...end, events: [...events, ...end.events], told }, input);
}

/** Before anything is there the deployment is over; afterwards somebody has to watch, whatever happens. */
function decideFailed(view: EnvironmentView, input: DeployFailed): Decision {
  const { addressed: run } = view;
  if (!isActive(run)) return ignore("the deployment is over");
  const { error, final, at } = input;
  const phase: Phase = run.phase ?? "verification";
  if (!final)
    return move(view, run, { events: [{ type: "error.occurred", payload: { error, during: phase } }] }, input);
  if (!DEPLOYMENT.stages[stageOf(run)].out)
    return move(view, run, finish(run, at, { outcome: "failed", reason: error.message }), input);
  const escalated: NewEvent = { type: "error.escalated", payload: { error, during: phase } };
  const soon = new Date(Date.parse(at) + DEPLOYMENT.watcherMs).toISOString();
  return both(move(view, run, { events: [escalated] }, input), { ...NOTHING, jobs: [deployOn(run, soon)] });
}

/** GitHub does not take something: a step that cannot be begun has failed; all else is noted. */
function decideEffectFailed(view: EnvironmentView, input: EffectFailed): Decision {
  const { addressed: run } = view;
  if (!isObserved(run)) return ignore("the deployment is over");
  const escalated: NewEvent = { type: "error.escalated", payload: failureOf(input) };
  const step = currentStep(run);
  const isBegin = input.effect.kind === "deployment.begin" && step !== undefined && step.doneAt === undefined;
  // One that the deployment has left, by going back while it was being begun, tells nothing of the step at hand.
  const isLeft = run.steps.some((one) => one !== step && stepEffect(run, one.planned).key === input.effect.key);
  if (!isBegin || isLeft) return move(view, run, { events: [escalated] }, input);
  // Where a run may have been started, something may be there: that is gone back from.
  const is = input.error.code === UNCLEAR_RUN ? "failed" : "rejected";
  const outcome = { is, detail: input.error.message.slice(0, 300) } as const;
  const progressed: NewEvent = { type: "deployment.progressed", payload: { step: step.planned.marker.step, outcome } };
  const next = failedStep(run, input.at, outcome.is, outcome.detail);
  return move(view, run, { ...next, events: [escalated, progressed, ...next.events], wake: true }, input);
}

/** Nothing can be deployed or written there any more. */
function decideGone(view: EnvironmentView, at: string, reason: "installation_removed" | "repository_gone"): Decision {
  const { active: run } = view;
  if (!isActive(run)) return ignore("nothing is deployed there now");
  const cancelled: NewEvent = { type: "run.cancelled", payload: { reason } };
  return { ...moved(run, view.facts.version, { events: [cancelled] }, at), cancelJobsOfRuns: [run.runId] };
}
