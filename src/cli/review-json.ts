import { remedyOf, ruleFacts, titleOf } from "../analysis/rule-facts.ts";
import { defined } from "../domain/defined.ts";
import { type Finding, isUnproven } from "../domain/findings.ts";
import type { FolderReview } from "../pipeline/review/folder/review-folder.ts";

/** A review as scripts read it: one object. Names and order of its members are part of the format. */
export function reviewAsJson({ findings, beyondLimit, verdict, coverage, base, risk, ai }: FolderReview): object {
  const { usd, tokens, calls, models } = ai?.cost ?? { usd: 0, tokens: 0, calls: 0, models: [] };
  return {
    verdict: verdict.outcome,
    counts: { ...verdict.open, blocking: verdict.blocking, left_out: beyondLimit },
    looked_at: {
      ...{ files: coverage.filesCovered, of_files: coverage.files },
      ...{ added_lines: coverage.addedLinesCovered, of_added_lines: coverage.addedLines },
      ...defined({ base, packages: coverage.packages }),
    },
    not_looked_at: notLookedAt(coverage),
    // None where every file was looked at, whether it changed or not.
    risk: risk ?? null,
    cost: { usd, tokens, calls, models },
    notes: coverage.notes,
    findings: findings.map(findingAsJson),
  };
}

/** `incomplete`: it should have been looked at, so the review is not complete. The others are left out on purpose. */
function notLookedAt({ uncovered, layers, searchedOnly = [] }: FolderReview["coverage"]): object[] {
  return [
    ...layers
      .filter(({ state }) => state === "failed" || state === "partly")
      .map(({ layer, reason = "did not run" }) => ({ layer, reason, incomplete: true })),
    ...uncovered.map(({ path, reason, gap }) => ({ path, reason, incomplete: gap === true })),
    // Searched for secrets only: Forge does not read the language.
    ...searchedOnly.map(({ path, reason }) => ({ path, reason, incomplete: false })),
  ];
}

function findingAsJson(finding: Finding): object {
  const { file, line, column, endLine, endColumn, rule, severity, category, confidence } = finding;
  const { message, why, fix, flow, source, id } = finding;
  const { cwe, url, docs } = ruleFacts(rule) ?? {};
  const unproven = isUnproven(finding) ? { unproven: true, ...defined({ unprovenBecause: finding.unproven }) } : {};
  const place = { file, line, ...defined({ column }), endLine, ...defined({ endColumn }) };
  const said = { message, ...defined({ why, remedy: remedyOf(finding), flow, fix }) };
  const known = { title: titleOf(rule) ?? message, ...defined({ cwe, url, docs }) };
  return { ...place, ...known, rule, severity, category, confidence, ...said, source, id, ...unproven };
}
