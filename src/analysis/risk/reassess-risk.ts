import { FLOORS_FROM_FINDINGS, levelOfRisk, type RiskReport } from "../../domain/risk.ts";
import type { RiskFacts } from "./risk-facts.ts";
import { riskFloors } from "./risk-floors.ts";

/** The same change when other findings are open: its components stay, the floors that come from findings are laid anew. */
export function reassessRisk(report: RiskReport, openFindings: RiskFacts["openFindings"]): RiskReport {
  const none = { files: [], pathWeights: [], migrations: [], workflowPermissions: [], protectedPaths: [] };
  const kept = report.floors.filter(({ cause }) => !FLOORS_FROM_FINDINGS.has(cause));
  const floors = [...riskFloors({ ...none, openFindings }), ...kept].sort((a, b) => b.score - a.score);
  const score = Math.max(report.sum, ...floors.map((floor) => floor.score));
  return { ...report, score, level: levelOfRisk(score), floors };
}
