import { isWanted } from "../../analysis/path-filter.ts";
import type { StandingDismissal } from "../../domain/dismissals.ts";
import type { Finding } from "../../domain/findings.ts";
import { guardOf } from "../../safety/permissions.ts";

/**
 * The dismissal that covers a finding, if one does (HUM-1): its own, one of the same place wherever in the repository it shows, or one of
 * its rule. Secrets and critical security findings are dismissed one by one: no rule or path ever covers them.
 */
export function coveringDismissal(
  finding: Finding,
  standing: readonly StandingDismissal[],
): StandingDismissal | undefined {
  const own = standing.find(({ findingId }) => findingId === finding.id);
  return own ?? standing.find((dismissal) => covers(dismissal, finding));
}

function covers({ scope, fingerprint, rule }: StandingDismissal, finding: Finding): boolean {
  if (fingerprint === finding.fingerprint) return true;
  if (guardOf(finding) || rule !== finding.rule) return false;
  switch (scope.kind) {
    case "here":
      return false;
    case "path":
      return isWanted(finding.file, { include: [scope.glob], exclude: [] });
    case "rule":
      return true;
  }
}
