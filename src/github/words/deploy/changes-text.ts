import type { DeployedChange } from "../../../domain/deployments.ts";
import { count, foreignCode, foreignLine, type Wording } from "../wording.ts";

/** What a version brings. */
export interface Brought {
  readonly changes: readonly DeployedChange[];
  readonly more: number;
  readonly direct: number;
}

/** "2 pull requests", "1 pull request and 3 commits without one", "no change". */
export function broughtFacts({ changes, more, direct }: Brought): string {
  const pulls = changes.length + more;
  const parts = [
    ...(pulls > 0 ? [count(pulls, "pull request")] : []),
    ...(direct > 0 ? [`${count(direct, "commit")} without one`] : []),
  ];
  return parts.length === 0 ? "no change" : parts.join(" and ");
}

const MAXIMUM_ROWS = 15;

/** Each pull request with who wrote it and what the record shows of it. Empty without any. */
export function changesTable({ changes, more, direct }: Brought, wording: Wording): string[] {
  const rows = changes.slice(0, MAXIMUM_ROWS).map((one) => {
    const title = foreignLine(one.title, wording, { table: true, maximum: 80 });
    return `| #${one.number} ${title} | ${foreignCode(one.author, wording, { table: true })} | ${one.risk ?? "unknown"} | ${record(one)} |`;
  });
  const rest = more + changes.length - rows.length;
  const left = [
    ...(rest > 0 ? [`${count(rest, "older pull request")} not shown`] : []),
    ...(direct > 0
      ? [
          `${count(direct, "commit")} came by no whole pull request into this branch, so no review looked at exactly ${direct === 1 ? "this" : "these"}`,
        ]
      : []),
  ];
  return [
    ...(rows.length === 0 ? [] : [["| brings | by | risk | on record |", "|---|---|---|---|", ...rows].join("\n")]),
    ...(left.length === 0 ? [] : [`${left.join("; ")}.`]),
  ];
}

const REVIEWED = {
  approve: "reviewed",
  request_changes: "changes were requested",
  require_human: "a person's review was asked for",
} as const;
const TESTED = { passed: "tests pass", failed: "**tests fail**", skipped: "no tests were run" } as const;

function record({ reviewed, overridden, open, blocking, tests, implements: work }: DeployedChange): string {
  return [
    reviewed === undefined ? "**not reviewed**" : REVIEWED[reviewed],
    ...(overridden ? ["let pass by a person"] : []),
    ...(open > 0 ? [`${count(open, "finding")} open${blocking > 0 ? `, **${blocking} blocking**` : ""}`] : []),
    ...(tests === undefined ? [] : [TESTED[tests]]),
    ...(work ? [`work on #${work.issue}`] : []),
  ].join(", ");
}
