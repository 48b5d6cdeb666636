import type { DeployFacts } from "../../../domain/deployments.ts";
import type { RuleAnswer, RuleLook, RuleReason } from "../../../domain/protection.ts";
import { RISK_LEVELS, type RiskLevel } from "../../../domain/risk.ts";
import { notLetPass } from "../guards.ts";

/** The highest risk that Forge lets into environments of others: above it a person starts the jobs. */
const HIGHEST_RISK: RiskLevel = "medium";

/**
 * What Forge answers as the rule of an environment: it lets through only what the record shows, says no only to what the record speaks
 * against, and waits with all else. An error of its own is never a yes.
 */
export function answerTo(look: RuleLook): RuleAnswer {
  switch (look.of) {
    case "own":
      return answerToOwn(look);
    case "others":
      return answerToOthers(look.facts);
    case "unfit":
      return { is: "rejected", reasons: [{ why: look.why }] };
    case "nothing":
      return { is: "waits", reasons: [{ why: "unavailable" }] };
  }
}

/**
 * The yes of people is bound to commit and plan, and a step is begun only after it: so a step under way is what was approved. What others
 * started can never become a step. What Forge started may be one whose number it does not know yet.
 */
function answerToOwn({ isStep, from, underWay, held }: Extract<RuleLook, { of: "own" }>): RuleAnswer {
  if (isStep) return { is: "approved", reasons: [] };
  if (from === "again") return { is: "rejected", reasons: [{ why: "run_again" }] };
  if (from === "forge" && underWay) return { is: "waits", reasons: [{ why: "asking" }] };
  return { is: "rejected", reasons: [{ why: held ? "held" : "not_asked" }] };
}

function answerToOthers(facts: DeployFacts): RuleAnswer {
  const { merged, older, direct, more } = facts;
  const strict = notLetPass(facts);
  const about = (why: RuleReason["why"], pulls: readonly { readonly number: number }[]): RuleReason[] =>
    pulls.length > 0 ? [{ why, pulls: pulls.map(({ number }) => number) }] : [];
  const against: RuleReason[] = [
    ...(merged ? [] : [{ why: "not_merged" } as const]),
    ...(older ? [{ why: "older" } as const] : []),
    ...about(
      "blocking",
      strict.filter(({ blocking }) => blocking > 0),
    ),
    ...about(
      "changes_requested",
      strict.filter(({ reviewed, blocking }) => reviewed === "request_changes" && blocking === 0),
    ),
    ...about(
      "tests_failed",
      strict.filter(({ tests }) => tests === "failed"),
    ),
  ];
  if (against.length > 0) return { is: "rejected", reasons: against };
  const open: RuleReason[] = [
    ...about(
      "not_reviewed",
      strict.filter(({ reviewed }) => reviewed === undefined),
    ),
    ...about(
      "risk",
      strict.filter(({ reviewed, risk }) => reviewed !== undefined && isTooHigh(risk)),
    ),
    ...(direct > 0 ? [{ why: "direct" } as const] : []),
    ...(more > 0 ? [{ why: "too_many" } as const] : []),
  ];
  return open.length > 0 ? { is: "waits", reasons: open } : { is: "approved", reasons: [] };
}

/** What is not known counts as too high. */
function isTooHigh(risk: RiskLevel | undefined): boolean {
  return risk === undefined || RISK_LEVELS.indexOf(risk) > RISK_LEVELS.indexOf(HIGHEST_RISK);
}
