import type { Finding } from "../../domain/findings.ts";
import { fence, suggestionFence } from "../../safety/code-text.ts";
import { findingHeading, linesOf } from "./finding-heading.ts";
import { shortRule } from "./rule-name.ts";
import { foreign, foreignCode, type Wording } from "./wording.ts";

/** Enough to see what the analyser saw. */
const MAXIMUM_EVIDENCE = 4000;

/**
 * A finding as a comment on its lines (GH-10). `suggestion` is what would replace exactly the commented lines; see `suggestionFor`.
 * `marker` goes last, where nobody sees it.
 */
export function findingComment(
  finding: Finding,
  wording: Wording,
  { suggestion, marker }: { readonly suggestion?: string | undefined; readonly marker: string },
): string {
  return [
    `**${findingHeading(finding)}**`,
    statement(finding, wording),
    ...(suggestion === undefined ? [] : ["", suggestionFence(suggestion)]),
    ...verification(finding, suggestion !== undefined),
    ...evidence(finding, wording),
    "",
    footer(finding, wording),
    marker,
  ].join("\n");
}

/** The same finding as a comment on its file, for when GitHub does not take the lines: it says them. */
export function fileComment(finding: Finding, wording: Wording, marker: string): string {
  const heading = `**${findingHeading(finding)}** · ${linesOf(finding)}`;
  return [
    heading,
    statement(finding, wording),
    ...verification(finding, false),
    ...evidence(finding, wording),
    "",
    footer(finding, wording),
    marker,
  ].join("\n");
}

function statement({ message, why }: Finding, wording: Wording): string {
  const said = foreign(message, wording);
  return why === undefined ? said : `${said}\n${foreign(why, wording)}`;
}

/** What was executed to show it (REV-4); the test stands in the fold below. */
function verification({ verified }: Finding, suggested: boolean): string[] {
  if (verified === undefined) return [];
  const where = verified === "base" ? "before the change" : suggested ? "with the suggestion" : "with the fault mended";
  return ["", `**Verified**: the test below fails on this head and passes ${where}.`];
}

/** Evidence of a secret is the secret, so there is none. */
function evidence(finding: Finding, wording: Wording): string[] {
  if (finding.evidence === undefined || finding.secret) return [];
  const shown = fence(wording.redact(finding.evidence).slice(0, MAXIMUM_EVIDENCE));
  return ["", "<details><summary>evidence</summary>", "", shown, "", "</details>"];
}

function footer(finding: Finding, wording: Wording): string {
  const rule = `rule ${foreignCode(shortRule(finding.rule), wording)}`;
  return `Wrong or accepted? \`/forge dismiss <reason>\` in this thread · ${rule}`;
}
