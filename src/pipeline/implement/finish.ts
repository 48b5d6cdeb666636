import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { PullDescription } from "../../domain/implementation-status.ts";
import { numberOf, subjectKey } from "../../domain/subjects.ts";
import { nextPhase } from "../runs/definition.ts";
import { isRiskApproved, testedByCi } from "./approvals.ts";
import { askPerson } from "./ask-person.ts";
import type { Looked, Working } from "./implementation.ts";
import { enter, pullSubject, type Step } from "./step.ts";
import type { Asking } from "./view.ts";

/** The phase of the run passed: the next one begins; after the last the pull request is ready for people. */
export function pass(view: Asking, run: Looked, reason: string, at: string): Step {
  const next = nextPhase(view.pipeline, run.phase);
  if (next !== undefined) return { events: [enter(run, next, reason)], work: true };
  return run.is === "working" ? finish(view, run, at) : { events: [], work: true };
}

/**
 * Review and tests have passed, or a person let them pass: the pull request is ready for people, once somebody said yes to a risk that is high
 * (REV-3a). The answer to that counts for the tree it was given for, not for another one (GH-14a).
 */
export function finish(view: Asking, run: Working, at: string): Step {
  const { work, reviewed, pull } = run;
  // Nothing is reviewed or tested before there is one.
  if (!pull) return { events: [] };
  const risk = reviewed?.risk;
  const isRisky = risk === "high" || risk === "critical";
  if (isRisky && !isRiskApproved(run, risk)) {
    const reasons = [`the risk of the change is ${risk}`];
    const about = { ...aboutChange(run, pull), risk, reasons };
    const needs = risk === "critical" ? "maintain" : "write";
    return askPerson(view, run, { type: "high_risk_change", ...about }, at, needs);
  }
  const { number } = pull;
  const of = subjectKey(pullSubject(run.subject, number));
  const { headSha } = work;
  const key = (kind: Effect["kind"]) => effectKey(kind, of, headSha, run.runId, String(run.took.testing?.times ?? 0));
  const onPull: Effect[] = [
    { kind: "pull.describe", key: key("pull.describe"), payload: { number, description: describePull(run) } },
    { kind: "pull.ready", key: key("pull.ready"), payload: { number } },
  ];
  // A worker looks at what people and CI said meanwhile.
  return { events: [{ type: "pull.ready", payload: { headSha } }], onPull, work: true };
}

/** The content that a question about the change is asked of. A tree that is not known is empty in the log. */
export function aboutChange({ work }: Pick<Working, "work">, { number }: { readonly number: number }) {
  return { treeSha: work.treeSha ?? "", pull: number };
}

/** The facts for the pull request's text, as far as they are known. */
export function describePull(run: Working): PullDescription {
  const { plan, work, tests, reviewed, costUsd, subject, requestedBy, took, fixesGiven = {}, faultIn } = run;
  const fixes = reviewed?.headSha === work.headSha ? (reviewed.fixes ?? []) : [];
  const fixesLeft = fixes.map(({ id, message }) => ({ id, message, ...defined({ why: fixesGiven[id] }) }));
  return {
    issue: numberOf(subject),
    requestedBy: requestedBy.login,
    plan: plan.plan,
    estimate: plan.estimate,
    commits: [...work.commits],
    notDone: [...work.notDone],
    costUsd,
    ...(fixesLeft.length > 0 ? { fixesLeft } : {}),
    ...defined({
      faultIn,
      testedByCi: testedByCi(run)?.slice(),
      tests,
      review: reviewed && {
        decision: reviewed.decision,
        blocking: reviewed.blocking,
        advisory: reviewed.advisory,
        rounds: took.review?.times ?? 1,
      },
    }),
  };
}
