import { isDeepStrictEqual } from "node:util";
import { defined } from "../../domain/defined.ts";
import { type DeployOutcome, type DeployStanding, environmentOf, isByItself } from "../../domain/deployments.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { Input } from "../../domain/inputs.ts";
import type { NewJob } from "../../domain/jobs.ts";
import type { Conclusion } from "../../domain/phases.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import { applyEffects, type Decision, workOn } from "../runs/decision.ts";
import { placeEvents, runOf } from "../runs/kind.ts";
import { currentStep, type Deployment, lookedAtIn, openGate, stageOf } from "./deployment.ts";
import { evolveDeployment, evolveEnvironment } from "./evolve.ts";
import { explanationOf } from "./explain/moment.ts";
import { plannedShares, timesOf } from "./steps.ts";
import { takenBack } from "./taken-back.ts";
import type { EnvironmentView } from "./view.ts";

/** Where a deployment stands, as facts for people. */
export function standingOf(run: Deployment, hold?: DeployStanding["hold"]): DeployStanding {
  const { runId, deploy, observed, steps, verified, back, end, subject, overridden } = run;
  const facts = observed?.facts;
  const gate = openGate(run);
  return {
    ...{ runId, environment: environmentOf(subject), sha: deploy.sha, by: deploy.by.login, cause: deploy.cause },
    is: isOf(run),
    shares: observed ? [...plannedShares({ observed, deploy })] : [],
    steps: steps.map(({ planned, outcome, verdict, unclear, promoted }) => {
      const { sha, percentage, task } = planned;
      return { sha, percentage, task, outcome, ...defined({ verdict, unclear, promoted }) };
    }),
    ...{ changes: facts?.changes ?? [], more: facts?.more ?? 0, direct: facts?.direct ?? 0 },
    ...defined({ coverage: facts?.coverage, accepted: acceptedBy(run) }),
    ...defined({ previous: facts?.previous, risk: facts?.risk, verified, hold, until: untilOf(run) }),
    ...defined({ overridden }),
    ...defined({ probeSeconds: observed?.settings.probe_seconds, explained: explanationOf(run) }),
    ...(run.stopped && !back && !end ? { stopped: run.stopped } : {}),
    ...defined({ onward: (observed?.onward && !run.stopped) || undefined }),
    ...(gate ? { gate: { gate: gate.gate, deadline: gate.deadline } } : {}),
    ...(back ? { back: { why: back.why, reason: back.reason, ...defined({ to: back.to, by: back.by }) } } : {}),
    ...(end ? { end: { outcome: end.outcome, ...defined({ refusal: end.refusal, reason: end.reason }) } } : {}),
  };
}

/** Who let through what was not looked at, with the reason that they gave. */
function acceptedBy({ gates }: Deployment): DeployStanding["accepted"] {
  for (const { standing } of gates.toReversed()) {
    if (standing.is === "approved" && standing.note !== undefined) return { by: standing.by, reason: standing.note };
  }
  return undefined;
}

function isOf(run: Deployment): DeployStanding["is"] {
  const stage = stageOf(run);
  switch (stage) {
    case "pending":
      return "looking";
    case "deploying":
      return currentStep(run)?.planned.task === "rollback" ? "going_back" : "deploying";
    case "announced":
    case "asking":
    case "baking":
    case "ended":
    case "verifying":
    case "watching":
      return stage;
  }
}

function untilOf(run: Deployment): string | undefined {
  const { observed, steps, announced, gates, endedAt } = run;
  if (steps.length === 0 && gates.length === 0 && endedAt === undefined && announced) return announced.due;
  const { stage, since } = lookedAtIn(run);
  if (!observed || since === undefined) return undefined;
  return new Date(Date.parse(since) + timesOf(stage, observed.settings).lasts).toISOString();
}

/** What of a standing is worth a word: not each number of each look. */
function worth({ steps, ...standing }: DeployStanding): unknown {
  const said = steps.map(({ verdict, ...step }) => {
    return {
      ...step,
      verdict: verdict && {
        is: verdict.is,
        follows: verdict.follows,
        metrics: verdict.metrics.map(({ metric, is }) => [metric, is]),
      },
    };
  });
  return { ...standing, steps: said };
}

/** The comment that moves, and the check on the commit, say anew what is so whenever that is something else than before. */
export function withStanding(view: EnvironmentView, decision: Decision, { subject, at, type }: Input): Decision {
  if (type === "subject.gone") return decision;
  const own = decision.appends.find(({ runId }) => runId === subjectKey(subject));
  const environment = own ? placeEvents(own, at).reduce(evolveEnvironment, view.environment) : view.environment;
  const wakes: NewJob[] = [];
  const planned = decision.appends.flatMap((append): Decision["effects"] => {
    const { runId, expectedVersion } = append;
    const before = runOf(view, runId);
    if (runId === subjectKey(subject) || (!before && expectedVersion > 0)) return [];
    const after = placeEvents(append, at).reduce<Deployment | undefined>(evolveDeployment, before);
    if (!after) return [];
    const standing = standingOf(after, environment.hold);
    if (before && isDeepStrictEqual(worth(standingOf(before, view.environment.hold)), worth(standing))) return [];
    const isOver = before?.endedAt === undefined && after.endedAt !== undefined;
    if (after.endedAt === undefined) wakes.push(...wakeOf(after, at));
    return [...shown(after, standing), ...(isOver ? takenBack(after, standing) : [])];
  });
  if (planned.length === 0) return decision;
  return {
    ...decision,
    effects: [...decision.effects, ...planned],
    jobs: [
      ...decision.jobs,
      ...wakes,
      applyEffects(subject, at),
      ...planned.flatMap((one) => (one.subject ? [applyEffects(one.subject, at)] : [])),
    ],
  };
}

/** The run on an issue that goes on with it tells how far it is. At its end the worker wakes that, when it has asked for the next environment. */
function wakeOf({ deploy, subject }: Deployment, at: string): NewJob[] {
  if (!deploy.implements) return [];
  const { issue, runId } = deploy.implements;
  return [workOn({ runId, subject: { kind: "issue", repository: subject.repository, number: issue } }, at)];
}

function shown({ runId, subject, version, deploy }: Deployment, standing: DeployStanding): Decision["effects"] {
  const key = (kind: Effect["kind"]) => effectKey(kind, subjectKey(subject), deploy.sha, runId, `${version}`);
  const { about, sha } = deploy;
  const check: Effect = {
    kind: "deploy.check",
    key: key("deploy.check"),
    payload: { standing, headSha: sha, of: version },
  };
  // The first that people get of what they did not ask for says what is wanted of them, or what they can object to: an edit reaches nobody.
  const isQuiet = isByItself(deploy) && (standing.is === "looking" || standing.is === "verifying");
  const comment: Effect = { kind: "deploy.show", key: key("deploy.show"), payload: { standing, of: version } };
  return [
    { runId, headSha: sha, effects: [check] },
    ...(about && !isQuiet ? [{ runId, headSha: "", effects: [comment], subject: about }] : []),
  ];
}

const CONCLUSIONS: Readonly<Record<DeployOutcome, Conclusion>> = {
  ...{ healthy: "success", unwatched: "neutral", degraded: "failure" },
  ...{ rolled_back: "failure", rollback_failed: "failure", refused: "failure", failed: "failure" },
  ...{ rejected: "failure", superseded: "failure", held: "failure" },
};

/** The row of a deployment: `headSha` is what is deployed, `baseSha` what ran there before. */
export function projectDeployment(run: Deployment): RunProjection {
  const { runId, kind, subject, deploy, status, startedAt, endedAt, version, observed, end } = run;
  const isWaiting = status === "running" && openGate(run) !== undefined;
  return {
    ...{ traceId: runId, kind, subject, status: isWaiting ? "waiting" : status },
    ...{ headSha: deploy.sha, baseSha: observed?.facts.previous ?? "", requestId: deploy.id, startedAt, version },
    ...defined({ endedAt }),
    ...(endedAt === undefined ? {} : { conclusion: end ? CONCLUSIONS[end.outcome] : "failure" }),
  };
}
