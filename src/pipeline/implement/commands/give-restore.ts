import { isDeepStrictEqual } from "node:util";
import type { NewEvent } from "../../../domain/events.ts";
import type { RestorePoint } from "../../../domain/implementation.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { voidGates } from "../../runs/gates/gate-rules.ts";
import { showPlan } from "../ask-person.ts";
import { bounced } from "../bounce.ts";
import { failedGuard } from "../guards.ts";
import { headOf, isAtWork, isLooked, type Looked, openGates, ownsIssue } from "../implementation.ts";
import { enter, stepOf } from "../step.ts";
import { firstOfHead, type IssueView } from "../view.ts";
import { resumedBy } from "./give-control.ts";

/**
 * `/forge retry v12`: the run goes on from an earlier point of itself (PIPE-6). Nothing is taken out of the log: the plan of then is proposed
 * and accepted anew, the phase is entered anew, and what was asked meanwhile is void.
 */
export function giveRestore(view: IssueView, input: IssueCommandGiven, version: number): Outcome {
  const { active: run, pipeline } = view;
  const { restore, at, by } = input;
  const not = (why: string) => refuse({ reason: "not_restorable", version, why });
  if (!restore || "notRestorable" in restore) return not(restore?.notRestorable ?? "nobody read it");
  if (!ownsIssue(run) || run.runId !== restore.runId) return refuse({ reason: "nothing_to_retry" });
  if (!isLooked(run) || isAtWork(run)) return refuse({ reason: "at_work" });
  const isPresent = restore.phase === "planning" || restore.headSha === headOf(run);
  if (!isPresent) return not("the commits of that moment are not the present ones");
  const reason = `${by.login} took it back to checkpoint v${version}`;
  const { events, run: planned } = withPlan(run, restore);
  const { back } = restore;
  const failed = failedGuard(planned, restore.phase, pipeline);
  if (failed && failed.guard !== "head_reviewed") return not(failed.why);
  // What was not reviewed since, or what blocks, is not got past by going back behind it.
  const phase = failed ? firstOfHead(view) : restore.phase;
  const entered =
    phase === pipeline.work && back
      ? bounced(pipeline, planned, { ...back, reason }, Math.max(1, run.bounces[back.cause] ?? 1))
      : [enter(planned, phase, reason)];
  const restored: NewEvent = { type: "checkpoint.restored", payload: { version, phase }, actor: by };
  const step = {
    events: [...voidGates(run, openGates(run)), restored, resumedBy(run, input, reason), ...events, ...entered],
    effects: events.length > 0 && planned.plan ? [showPlan(planned, planned.plan)] : [],
    work: true,
    cancelJobs: true,
  };
  return {
    decision: stepOf(run, step, at),
    answer: { kind: "restored", version, phase, lasting: [...restore.lasting] },
  };
}

function withPlan(
  run: Looked,
  { plan: then, phase }: RestorePoint,
): { readonly events: readonly NewEvent[]; readonly run: Looked } {
  const now = run.plan;
  if (!then || phase === "planning") return { events: [], run };
  const isSame = now !== undefined && isDeepStrictEqual(now.plan, then.plan);
  const revision = isSame ? now.revision : (now?.revision ?? 0) + 1;
  const accepted: NewEvent = { type: "plan.accepted", payload: { revision } };
  if (isSame) return { events: now.accepted ? [] : [accepted], run };
  const proposed: NewEvent = { type: "plan.proposed", phase: "planning", payload: { ...then, revision } };
  const plan = { ...then, revision, accepted: true };
  return { events: [proposed, accepted], run: run.work ? { ...run, plan } : { ...run, is: "planned", plan } };
}
