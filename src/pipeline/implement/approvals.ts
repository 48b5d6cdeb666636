import type { GateQuestion } from "../../domain/gates.ts";
import { RISK_LEVELS, type RiskLevel } from "../../domain/risk.ts";
import type { Implementation } from "./implementation.ts";

/** Whether the head was reviewed, and nothing blocks or a person has accepted what does. */
export function isReviewed(run: Implementation): boolean {
  const { work, reviewed } = run;
  if (!work || reviewed?.headSha !== work.headSha) return false;
  return reviewed.blocking === 0 || reviewed.accepted === true || approvedHere(run, "security_finding");
}

function approvedHere({ gates, work }: Implementation, type: GateQuestion["type"]): boolean {
  return gates.some(
    ({ question, standing, headSha }) =>
      question.type === type && standing.is === "approved" && headSha === work?.headSha,
  );
}

/** Questions about the change itself: what was said to them is about its content. */
type AboutContent = Extract<GateQuestion, { treeSha: string }>;

/** The question of this kind, as it was approved, that was about a head from which the present one does not differ (GH-14a); newest first. */
export function approvedBefore(
  { gates, work, reviewed }: Pick<Implementation, "gates" | "work" | "reviewed">,
  type: AboutContent["type"],
): AboutContent | undefined {
  const same = reviewed !== undefined && reviewed.headSha === work?.headSha ? (reviewed.sameAs ?? []) : [];
  const gate = gates.findLast(
    ({ question, standing, headSha }) =>
      question.type === type && standing.is === "approved" && headSha !== work?.headSha && same.includes(headSha),
  );
  return gate && "treeSha" in gate.question ? gate.question : undefined;
}

/** Whether somebody said yes to a risk at least as high, for the present head or one from which it does not differ. */
export function isRiskApproved(run: Implementation, risk: RiskLevel): boolean {
  const { gates, work } = run;
  const here = gates.flatMap(({ question, standing, headSha }) => {
    if (question.type !== "high_risk_change" || standing.is !== "approved") return [];
    const isSame = headSha === work?.headSha || question.treeSha === work?.treeSha;
    return isSame ? [question] : [];
  });
  const before = approvedBefore(run, "high_risk_change");
  return [...here, ...(before ? [before] : [])].some((approved) => {
    const level = "risk" in approved ? approved.risk : undefined;
    return level !== undefined && RISK_LEVELS.indexOf(level) >= RISK_LEVELS.indexOf(risk);
  });
}

/** A job that runs tests says so by its name; a passing linter shows nothing of how the change behaves. */
const RUNS_TESTS = /(?:^|[^a-z])(?:unit|e2e|integration|ci|tests?|specs?|jest|vitest|mocha|pytest|ava|tap)(?![a-z])/i;

/** The checks of others that ran the tests of this very head, where none of them failed; undefined where there are none. */
export function testedByCi({ ciPassed, work, signals }: Implementation): readonly string[] | undefined {
  if (!work || ciPassed?.headSha !== work.headSha) return undefined;
  if (signals.some((signal) => signal.from === "ci" && signal.headSha === work.headSha)) return undefined;
  const names = ciPassed.names.filter((name) => RUNS_TESTS.test(name));
  return names.length > 0 ? names : undefined;
}
