import { isBlocking, isCriticalSecurity } from "../../domain/findings.ts";
import type { RiskFloor } from "../../domain/risk.ts";
import type { RiskFacts } from "./risk-facts.ts";

/** The lowest score of the level critical, and of high. */
const CRITICAL = 76;
const HIGH = 51;

const SHOWN_PATHS = 10;

/** Every floor that applies, highest first. */
export function riskFloors(facts: RiskFacts): RiskFloor[] {
  const { openFindings } = facts;
  const secrets = openFindings.filter((finding) => finding.secret).length;
  const criticalSecurity = openFindings.filter((finding) => isCriticalSecurity(finding) && !finding.secret).length;
  // A guess of low confidence is advisory (REV-3a): it must not call a person either.
  const high = openFindings.filter(isBlocking).length - secrets;
  return [
    ...counted(criticalSecurity, "critical_security_finding", CRITICAL, "open critical security finding"),
    ...counted(secrets, "secret", CRITICAL, "open secret"),
    ...placed(facts.migrations, "migration", CRITICAL, "a database migration"),
    ...placed(facts.workflowPermissions, "workflow_permissions", CRITICAL, "changed permissions of a workflow"),
    ...counted(high, "high_finding", HIGH, "open finding of severity error or critical"),
    ...placed(facts.protectedPaths, "protected_path", HIGH, "a protected path"),
  ];
}

function counted(count: number, cause: RiskFloor["cause"], score: number, what: string): RiskFloor[] {
  if (count === 0) return [];
  return [{ cause, score, reason: `${count} ${count === 1 ? what : what.replace(/(finding|secret)/, "$1s")}` }];
}

function placed(paths: readonly string[], cause: RiskFloor["cause"], score: number, what: string): RiskFloor[] {
  if (paths.length === 0) return [];
  const more = paths.length > 1 ? ` (${paths.length} files)` : "";
  return [{ cause, score, reason: `${what}${more}`, paths: paths.slice(0, SHOWN_PATHS) }];
}
