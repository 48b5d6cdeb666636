import { isDeepStrictEqual } from "node:util";
import type { NewEvent } from "../../domain/events.ts";
import type { RunRestored } from "../../domain/inputs.ts";
import { type Decision, ignore } from "../decision.ts";
import { showPlan } from "./ask-person.ts";
import { bounced } from "./bounce.ts";
import { headOf, type Implementation, isAtWork, openGates, ownsIssue } from "./implementation.ts";
import { enter, stepOf, voidGates } from "./step.ts";
import type { IssueView } from "./view.ts";

/**
 * A run goes on from an earlier point of itself (PIPE-6). Nothing is taken out of the log: the plan of then is proposed and accepted anew, the
 * phase is entered anew, and what was asked meanwhile is void.
 */
export function decideRestored({ addressed: run }: IssueView, input: RunRestored): Decision {
  if (!ownsIssue(run)) return ignore("the run has ended");
  if (isAtWork(run)) return ignore("the run is at work: stop it first");
  const { at, by, phase, toVersion, headSha } = input;
  if (phase !== "planning" && headSha !== headOf(run))
    return ignore("the commits of that moment are not the present ones");
  const reason = `${by.login} took it back to checkpoint v${toVersion}`;
  const request = { ...run.request, id: `restore:${run.runId}:${run.version}`, reason: "commanded" as const };
  const voided = voidGates(openGates(run));
  const resumed: NewEvent = { type: "run.resumed", payload: { attempt: 1, reason, request }, actor: by };
  const { events, run: planned } = withPlan(run, input);
  const { back } = input;
  const entered =
    phase === "implementation" && back
      ? bounced(planned, { ...back, reason }, Math.max(1, run.bounces[back.cause] ?? 1))
      : [enter(planned, phase, reason)];
  return stepOf(
    run,
    {
      events: [...voided, resumed, ...events, ...entered],
      effects: events.length > 0 ? [showPlan(planned)] : [],
      work: true,
      cancelJobs: true,
    },
    at,
  );
}

function withPlan(
  run: Implementation,
  { plan: then, phase }: RunRestored,
): { events: NewEvent[]; run: Implementation } {
  const now = run.plan;
  if (!then || phase === "planning") return { events: [], run };
  const isSame = now !== undefined && isDeepStrictEqual(now.plan, then.plan);
  const revision = isSame ? now.revision : (now?.revision ?? 0) + 1;
  const accepted: NewEvent = { type: "plan.accepted", payload: { revision } };
  if (isSame) return { events: now.accepted ? [] : [accepted], run };
  const proposed: NewEvent = { type: "plan.proposed", phase: "planning", payload: { ...then, revision } };
  return { events: [proposed, accepted], run: { ...run, plan: { ...then, revision, accepted: true } } };
}
