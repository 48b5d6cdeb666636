import { isWanted } from "../../analysis/path-filter.ts";
import { isMigration } from "../../analysis/risk/gather-risk-facts.ts";
import { reasonByName } from "../../analysis/written-claims.ts";
import type { Plan } from "../../domain/plan.ts";
import { RISK_LEVELS, type RiskLevel } from "../../domain/risk.ts";
import { governsWhat, instructsAgents } from "../governing-files.ts";

const MOST_REASONS = 10;
const SHOWN_PATHS = 5;

interface Floor {
  readonly level: RiskLevel;
  readonly reason: string;
  readonly holds: (path: string) => boolean;
}

/**
 * How risky a plan is: what the planner says, raised to what its files alone come to, with the reasons of the files first. The same floors
 * hold as for the risk of a change (RISK-1).
 * @param protectedPaths globs, `review.protected_paths` of the configuration
 */
export function planRisk(
  { tasks, risk }: Pick<Plan, "tasks" | "risk">,
  protectedPaths: readonly string[],
): Plan["risk"] {
  const paths = [...new Set(tasks.flatMap(({ files }) => files))];
  let { level } = risk;
  const reasons: string[] = [];
  for (const floor of floors(protectedPaths)) {
    const touched = paths.filter(floor.holds);
    if (touched.length === 0) continue;
    if (RISK_LEVELS.indexOf(floor.level) > RISK_LEVELS.indexOf(level)) level = floor.level;
    reasons.push(`${floor.reason}: ${listed(touched)}`);
  }
  const said = risk.reasons.filter((reason) => !reasons.includes(reason));
  return { level, reasons: [...reasons, ...said].slice(0, MOST_REASONS) };
}

function floors(protectedPaths: readonly string[]): readonly Floor[] {
  const isProtected = (path: string) =>
    protectedPaths.length > 0 && isWanted(path, { include: protectedPaths, exclude: [] });
  return [
    { level: "critical", reason: "changes a database migration", holds: isMigration },
    {
      level: "high",
      reason: "changes what runs or who must agree",
      holds: (path) => governsWhat(path) !== undefined,
    },
    { level: "high", reason: "changes protected paths", holds: isProtected },
    { level: "medium", reason: "changes instructions for agents", holds: instructsAgents },
    { level: "medium", reason: "changes locked packages", holds: (path) => reasonByName(path) === "a lock file" },
    {
      level: "medium",
      reason: "changes files that programs write",
      holds: (path) => !["a lock file", undefined].includes(reasonByName(path)),
    },
  ];
}

function listed(paths: readonly string[]): string {
  const more = paths.length - SHOWN_PATHS;
  return `${paths.slice(0, SHOWN_PATHS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`.slice(0, 900);
}
