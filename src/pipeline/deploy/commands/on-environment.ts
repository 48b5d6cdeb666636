import type { CommandOf } from "../../../domain/commands.ts";
import { uncoveredOf } from "../../../domain/coverage.ts";
import { defined } from "../../../domain/defined.ts";
import { type DeployRequest, environmentOf, needsOther } from "../../../domain/deployments.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { DeployCommandGiven } from "../../../domain/inputs.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { atLeast, type Role } from "../../../domain/subjects.ts";
import { type Outcome, refuse, requestOf } from "../../commands/command-result.ts";
import type { Commands } from "../../commands/decide-command.ts";
import { answerGate, findGate, refusedAnswer } from "../../runs/gates/gate-rules.ts";
import { shownDeployGate } from "../ask-to-deploy.ts";
import { DEPLOYMENT } from "../definition.ts";
import { currentStep, isObserved, type Observed, stageOf } from "../deployment.ts";
import { answered, leave } from "../go-on.ts";
import { finish, holdEvent, type Move, moved } from "../move.ts";
import { decideRequested } from "../request.ts";
import { beginNext, rollBack } from "../steps.ts";
import type { EnvironmentView } from "../view.ts";
import { giveDeployOverride } from "./give-deploy-override.ts";
import { giveDeployResume, giveDeployStop } from "./give-stop.ts";

type OnEnvironment =
  | "deploy"
  | "rollback"
  | "hold"
  | "release"
  | "promote"
  | "approve"
  | "reject"
  | "stop"
  | "resume"
  | "override";

/**
 * What is carried out on an environment: given on an issue or a pull request, by people with the role maintain; objecting and
 * stopping by who may push.
 */
export const ON_ENVIRONMENT = {
  deploy: giveDeploy,
  rollback: giveRollback,
  hold: giveDeployHold,
  release: giveRelease,
  promote: givePromote,
  approve: giveDeployVerdict,
  reject: giveDeployVerdict,
  stop: giveDeployStop,
  resume: giveDeployResume,
  override: giveDeployOverride,
} satisfies Commands<OnEnvironment, EnvironmentView, DeployCommandGiven>;

/** `/forge deploy`: a version is wanted there. */
function giveDeploy(view: EnvironmentView, input: DeployCommandGiven): Outcome {
  const { target } = input;
  if (!target || "refusal" in target) return refuse(notDeployable(input, target?.refusal ?? "not_configured"));
  if (view.environment.hold)
    return refuse({
      reason: "environment_held",
      environment: environmentOf(input.subject),
      hold: view.environment.hold,
    });
  if (target.from !== undefined && view.environment.running) return refuse(notDeployable(input, "known_beginning"));
  const { active } = view;
  if (isAnnounced(active) && active.deploy.sha === target.sha) return beginNow(view, active, input, undefined);
  return request(view, input, "command", target.sha, { from: target.from });
}

/** `/forge rollback`: what is under way goes back; else the last healthy version is deployed in place of what runs there. */
function giveRollback(view: EnvironmentView, input: DeployCommandGiven, { reason }: CommandOf<"rollback">): Outcome {
  const { active: run, environment } = view;
  const { by, at } = input;
  const why = reason ?? `${by.login} went back`;
  if (isObserved(run) && DEPLOYMENT.stages[stageOf(run)].out) {
    if (run.back) return refuse({ reason: "going_back", environment: environmentOf(input.subject) });
    return carriedOut(view, run, { ...rollBack(run, at, "person", why, by), wake: true }, at);
  }
  // Nobody is at a run that waits.
  const wake = run !== undefined && DEPLOYMENT.stages[stageOf(run)].waits === true;
  if (run) return carriedOut(view, run, { ...finish(run, at, { outcome: "rejected", reason: why }), wake }, at);
  const { healthy, running } = environment;
  if (healthy === undefined || healthy === running?.sha)
    return refuse({ reason: "nothing_to_go_back_to", environment: environmentOf(input.subject) });
  return request(view, input, "rollback", healthy, { reason: why });
}

function request(
  view: EnvironmentView,
  input: DeployCommandGiven,
  cause: DeployRequest["cause"],
  sha: string,
  { reason, from }: { readonly reason?: string; readonly from?: string | undefined },
): Outcome {
  const { by, givenOn: about, subject } = input;
  const said = defined({ reason: reason?.slice(0, 500), from });
  const deploy: DeployRequest = {
    environment: environmentOf(subject),
    sha,
    by,
    cause,
    id: requestOf(input),
    about,
    ...said,
  };
  const decision = decideRequested(view, { ...input, deploy });
  return decision.ignored === undefined
    ? { decision }
    : refuse({ reason: "deploying_already", sha, environment: environmentOf(subject) });
}

function carriedOut(
  view: EnvironmentView,
  run: Observed | NonNullable<EnvironmentView["active"]>,
  what: Move,
  at: string,
): Outcome {
  return { decision: moved(run, view.facts.version, { ...what, own: [] }, at), events: what.own ?? [] };
}

/**
 * `/forge hold production`: nothing is deployed there until a person lifts that. What is under way stays as it is; what was only announced
 * ends. Who may push objects to what was announced in the same words, and the environment stays free: whether all of it is held is up to who
 * may lift that.
 */
function giveDeployHold(view: EnvironmentView, input: DeployCommandGiven, { reason }: CommandOf<"hold">): Outcome {
  const { environment, active } = view;
  const { by, at, role = "none" } = input;
  const where = environmentOf(input.subject);
  const mayHold = atLeast(role, HOLDER);
  const waits = isAnnounced(active) ? active : undefined;
  if (!mayHold && !waits) return refuse({ reason: "role", name: "hold", needs: HOLDER, has: role });
  if (environment.hold) return refuse({ reason: "environment_held", environment: where, hold: environment.hold });
  const why = reason ?? `${by.login} holds it`;
  const held: NewEvent[] = mayHold ? [{ ...holdEvent(at, { by: by.login, why }), actor: by }] : [];
  if (!waits) return { events: held };
  const said = reason === undefined ? `${by.login} objected` : `${by.login} objected: ${reason}`;
  const [completed, ...rest] = finish(waits, at, { outcome: "held", reason: said }).events;
  const events = completed ? [{ ...completed, actor: by }, ...rest] : rest;
  return carriedOut(view, waits, { events, own: held, wake: true }, at);
}

const HOLDER: Role = "maintain";

function isAnnounced(run: EnvironmentView["active"]): run is Observed {
  return isObserved(run) && stageOf(run) === "announced";
}

/** A maintainer ends the time to object: the first step begins. */
function beginNow(view: EnvironmentView, run: Observed, { by, at }: DeployCommandGiven, reason?: string): Outcome {
  const promoted: NewEvent = {
    ...{ type: "deployment.promoted", phase: "deployment", actor: by },
    payload: { step: 0, ...defined({ reason }) },
  };
  const next = beginNext(run);
  return carriedOut(view, run, { ...next, events: [promoted, ...next.events], wake: true }, at);
}

/** `/forge release`: lifts that. */
function giveRelease({ environment }: EnvironmentView, input: DeployCommandGiven): Outcome {
  if (!environment.hold) return refuse({ reason: "not_held", environment: environmentOf(input.subject) });
  return { events: [{ type: "environment.released", payload: {}, actor: input.by }] };
}

/** `/forge promote`: the next step although the judge cannot tell, or the first before the time to object is over. Past what is worse nobody promotes. */
function givePromote(view: EnvironmentView, input: DeployCommandGiven, { reason }: CommandOf<"promote">): Outcome {
  const { active: run } = view;
  const step = isObserved(run) ? currentStep(run) : undefined;
  const { by, at } = input;
  const where = environmentOf(input.subject);
  if (isAnnounced(run)) return beginNow(view, run, input, reason);
  if (!isObserved(run) || !step || stageOf(run) !== "baking" || run.back) {
    return refuse({ reason: "nothing_to_promote", environment: where });
  }
  if (step.verdict?.is === "worse") return refuse({ reason: "worse", environment: where });
  const payload = { step: step.planned.marker.step, ...(reason === undefined ? {} : { reason }) };
  const promoted: NewEvent = { type: "deployment.promoted", phase: "deployment", payload, actor: by };
  // Nobody found it healthy by that.
  const found = step.verdict?.is === "better_or_equal" ? "good" : "unclear";
  const next = leave("baking", { view, run, at, found });
  return carriedOut(view, run, { ...next, events: [promoted, ...next.events], wake: true }, at);
}

/**
 * The answer to the gate: for this commit and these steps, by maintain, and at a high risk not by the person who asked for it or wrote it alone. What
 * was not looked at goes there only with a reason (DEP-4), and nothing while the environment is held.
 */
function giveDeployVerdict(
  view: EnvironmentView,
  input: DeployCommandGiven,
  command: CommandOf<"approve" | "reject">,
): Outcome {
  const { active: run, environment } = view;
  const gate = findGate(run?.gates ?? [], command.gate);
  if ("reason" in gate) return refuse(gate);
  const { by, at, role = "none" } = input;
  const refusal = refusedAnswer(gate, command.name, role, {
    head: run?.deploy.sha ?? gate.headSha,
    at,
    isCurrent: isObserved(run),
  });
  if (refusal || !isObserved(run)) return refuse(refusal ?? { reason: "no_gate" });
  if (command.name === "approve" && environment.hold)
    return refuse({ reason: "environment_held", environment: environmentOf(input.subject), hold: environment.hold });
  if (command.name === "approve" && isOwn(run, input)) return refuse({ reason: "own_work", gate: gate.gate });
  if (command.name === "approve" && command.note === undefined && uncoveredOf(run.observed.facts.coverage))
    return refuse({ reason: "needs_reason", gate: gate.gate });
  const [is, answer] = command.name === "approve" ? (["approved", "yes"] as const) : (["rejected", "no"] as const);
  const told = answerGate(run, gate, is, { by, at, note: command.note });
  const reason = command.note === undefined ? `${by.login} said no` : `${by.login} said no: ${command.note}`;
  const next = answered("asking", answer, { view, run, at, reason });
  const events = [told.event, ...next.events];
  return carriedOut(view, run, { ...next, events, told: shownDeployGate(run, told.gate), wake: true }, at);
}

/** Separation of duties (SAFE-3): who asked for it, and whoever wrote all of it, is not the one who lets a high risk through. */
function isOwn({ observed, deploy }: Observed, { by }: DeployCommandGiven): boolean {
  const { changes } = observed.facts;
  if (!observed.separate || !needsOther(observed.facts)) return false;
  const isAuthor = changes.length > 0 && changes.every(({ author }) => author === by.login);
  return isAuthor || (deploy.cause === "command" && deploy.by.id === by.id);
}

function notDeployable(
  { subject }: DeployCommandGiven,
  why: Extract<Refusal, { reason: "not_deployable" }>["why"],
): Refusal {
  return { reason: "not_deployable", environment: environmentOf(subject), why };
}
