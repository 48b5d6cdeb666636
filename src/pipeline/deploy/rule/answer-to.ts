import { isOnItsWay, type Uncovered, uncoveredOf } from "../../../domain/coverage.ts";
import type { DeployFacts } from "../../../domain/deployments.ts";
import type { RuleAnswer, RuleLook, RuleReason } from "../../../domain/protection.ts";
import { RISK_LEVELS, type RiskLevel } from "../../../domain/risk.ts";

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
      return answerToOthers(look.facts, look.again);
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

/** @param again the jobs were started again: what was refused then waits, so that an administrator can start them */
function answerToOthers({ merged, older, coverage, changes }: DeployFacts, again = false): RuleAnswer {
  const against: RuleReason[] = [
    ...(merged ? [] : [{ why: "not_merged" } as const]),
    ...(older ? [{ why: "older" } as const] : []),
  ];
  const uncovered = uncoveredOf(coverage);
  if (uncovered && coverage && isOnItsWay(coverage) && against.length === 0)
    return { is: "waits", reasons: [{ why: "on_its_way", landings: named(uncovered) }] };
  // Where it is not known what runs, an administrator begins, and Forge goes on from there.
  if (uncovered?.noBeginning && against.length === 0) return { is: "waits", reasons: [{ why: "no_beginning" }] };
  if (uncovered && again && against.length === 0) return { is: "waits", reasons: reasonsOf(uncovered) };
  if (uncovered) against.push(...reasonsOf(uncovered));
  if (against.length > 0) return { is: "rejected", reasons: against };
  const risky = changes.filter(({ risk }) => isTooHigh(risk)).map(({ number }) => number);
  return risky.length > 0 ? { is: "waits", reasons: [{ why: "risk", pulls: risky }] } : { is: "approved", reasons: [] };
}

function reasonsOf(uncovered: Uncovered): RuleReason[] {
  const { landings, beyond } = uncovered;
  return [
    ...(landings.length > 0 ? [{ why: "not_covered", landings: named(uncovered) } as const] : []),
    ...(beyond > 0 ? [{ why: "too_many" } as const] : []),
  ];
}

/** Commits that a reason carries. */
const NAMED = 10;

function named({ landings }: Uncovered): NonNullable<RuleReason["landings"]> {
  return landings.slice(0, NAMED);
}

/** What is not known counts as too high. */
function isTooHigh(risk: RiskLevel | undefined): boolean {
  return risk === undefined || RISK_LEVELS.indexOf(risk) > RISK_LEVELS.indexOf(HIGHEST_RISK);
}
