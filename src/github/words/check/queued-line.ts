import type { CheckReport } from "../../../domain/effects.ts";
import type { Conclusion } from "../../../domain/phases.ts";
import type { QueuedPull } from "../../../domain/review-report.ts";
import { count, shortSha } from "../wording.ts";

type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

/** The title of a merge group's check where a pull request in it decided; undefined where its own findings did. */
export function queuedTitle(conclusion: Conclusion, { queued = [], findings, blocking }: Reviewed): string | undefined {
  const pull = queued.find((one) => one.conclusion === conclusion && !one.overridden);
  if (!pull) return undefined;
  if (conclusion === "failure" && blocking === 0) {
    return `#${pull.number} is queued with ${count(pull.blocking, "blocking finding")}`;
  }
  if (conclusion === "action_required") return `#${pull.number} is queued and not fully reviewed`;
  if (conclusion === "neutral" && findings.length === 0) {
    return `Advisory findings in #${pull.number}, nothing blocking`;
  }
  return undefined;
}

/** Which pull requests a merge group holds, each with what its own check said. */
export function queuedLines({ queued = [] }: Reviewed): string[] {
  if (queued.length === 0) return [];
  const pulls = queued.map((pull) => `#${pull.number} at \`${shortSha(pull.headSha)}\` (${saidOf(pull)})`);
  return [`**Queued**: ${pulls.join(", ")}. The worst verdict counts.`];
}

const SAID: Readonly<Record<Conclusion, string>> = {
  success: "clean",
  neutral: "advisory findings",
  failure: "changes requested",
  action_required: "not fully reviewed",
  skipped: "left out",
  cancelled: "not reviewed",
};

function saidOf({ conclusion, overridden }: QueuedPull): string {
  return overridden ? "overridden" : SAID[conclusion];
}

/** From which head a verdict was carried over, and why it could be. */
export function carriedLines({ carried }: Reviewed): string[] {
  if (!carried) return [];
  const from = `\`${shortSha(carried.headSha)}\``;
  return carried.pull === undefined
    ? [`**Carried over** from ${from}: this push only merges the base branch, so nothing was looked at anew.`]
    : [`**Carried over** from #${carried.pull} at ${from}: this group has the same files.`];
}
