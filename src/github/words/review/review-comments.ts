import { remedyOf, titleOf } from "../../../analysis/rule-facts.ts";
import type { Effect } from "../../../domain/effects.ts";
import { type Finding, isBlocking, isUnproven, type SuggestedEdit } from "../../../domain/findings.ts";
import { fence, suggestionFence } from "../../../safety/code-text.ts";
import { redactBeginning } from "../../../safety/redact-beginning.ts";
import { probeLines } from "../command/hiding-text.ts";
import { count, foreign, foreignCode, foreignLine, shortSha, type Wording, withFullStop } from "../wording.ts";
import { findingTitle, findingTraits, flowText, linesOf } from "./finding-heading.ts";

/** Enough to see what the analyzer saw. */
const MAXIMUM_EVIDENCE = 4000;

/** The fix of a finding that does not fit into a suggestion of GitHub: all of its edits, or the finding whose fix covers this one too. */
export type ShownFix = { readonly edits: readonly SuggestedEdit[] } | { readonly fixOf: string };

interface Parts {
  readonly fix?: ShownFix | undefined;
  readonly marker: string;
}

/**
 * A finding as a comment on its lines (GH-10). `suggestion` is what would replace exactly the commented lines; see `anchorFor`.
 * `marker` goes last, out of sight.
 */
export function findingComment(
  finding: Finding,
  wording: Wording,
  { suggestion, fix, marker }: Parts & { readonly suggestion?: string | undefined },
): string {
  const means = suggestion === undefined ? (fix === undefined ? "nothing" : "fix") : "suggestion";
  return [
    findingTitle(finding, wording),
    ...statement(finding, wording),
    ...(suggestion === undefined ? [] : ["", suggestionFence(suggestion)]),
    ...fixLines(finding, fix, wording),
    ...verification(finding, means, wording),
    ...evidence(finding, wording),
    ...probeLines(finding),
    "",
    footer(finding, wording),
    marker,
  ].join("\n");
}

/** The same finding as a comment on its file, for when GitHub does not take the lines: it says them. */
export function fileComment(finding: Finding, wording: Wording, { fix, marker }: Parts): string {
  const heading = `${findingTitle(finding, wording)} · ${linesOf(finding)}`;
  return [
    heading,
    ...statement(finding, wording),
    ...fixLines(finding, fix, wording),
    ...verification(finding, fix === undefined ? "nothing" : "fix", wording),
    ...evidence(finding, wording),
    ...probeLines(finding),
    "",
    footer(finding, wording),
    marker,
  ].join("\n");
}

/** The fact, why it matters with what fixes it, and the data flow. Where the rule has no name, the heading is the message. */
export function statement(finding: Finding, wording: Wording): string[] {
  const { rule, message, why, flow } = finding;
  const isTitle = titleOf(rule) === undefined && !message.includes("\n") && message.length <= 300;
  const because = [why ?? "", remedyOf(finding) ?? ""].filter((part) => part !== "").join(" ");
  const steps = flowText(flow?.map((step) => ({ ...step, text: redactBeginning(step.text, wording.redact) })));
  return [
    ...(isTitle ? [] : [foreign(message, wording)]),
    ...(because === "" ? [] : [foreign(because, wording)]),
    ...(steps === undefined ? [] : [steps]),
  ];
}

/** What has to change, where, and the command that does it; the lines themselves are folded. */
function fixLines({ id }: Finding, fix: ShownFix | undefined, wording: Wording): string[] {
  if (fix === undefined) return [];
  if ("fixOf" in fix) return ["", `The fix of \`${fix.fixOf}\` fixes this too.`];
  const { edits } = fix;
  const places = edits.map((edit) => `${foreignCode(edit.file, wording)} ${rangeOf(edit)}`);
  const pins = [...new Set(edits.flatMap(({ file, pins: isPin }) => (isPin ? [file] : [])))];
  const said =
    pins.length === 0
      ? []
      : [
          `Of these ${pins.map((file) => foreignCode(file, wording)).join(", ")} came with this change and expects the fault.`,
        ];
  const shown = fence(edits.map(patchOf).join("\n"), "diff");
  const title = edits.length === 1 ? "Fix" : `Fix in ${edits.length} places`;
  return [
    "",
    `**${title}**: ${places.join(", ")}. \`/forge fix ${id}\` commits it.`,
    ...said,
    "<details><summary>the fix</summary>",
    ...["", shown, "", "</details>"],
  ];
}

function rangeOf({ startLine, endLine }: SuggestedEdit): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
}

function patchOf(edit: SuggestedEdit): string {
  const lines = (text: string, mark: string) => (text === "" ? [] : text.split("\n").map((line) => `${mark}${line}`));
  return [`@@ ${edit.file} ${rangeOf(edit)} @@`, ...lines(edit.before, "-"), ...lines(edit.after, "+")].join("\n");
}

/** What was executed to show it (REV-4), with the test in the fold below; or why nothing has shown it. */
function verification(finding: Finding, means: "suggestion" | "fix" | "nothing", wording: Wording): string[] {
  const { verified, unproven } = finding;
  if (isUnproven(finding) && unproven !== undefined)
    return ["", `**Unproven**: ${withFullStop(foreignLine(unproven, wording, { maximum: 300 }))}`];
  if (verified === undefined) return [];
  const mended = means === "nothing" ? "with the problem fixed" : `with the ${means}`;
  const where = verified === "base" ? "before the change" : mended;
  return ["", `**Verified**: the test below fails on this head and passes ${where}.`];
}

/** Evidence of a secret would be the secret, so it is left out. */
function evidence(finding: Finding, wording: Wording): string[] {
  if (finding.evidence === undefined || finding.secret) return [];
  const shown = fence(redactBeginning(finding.evidence, wording.redact).slice(0, MAXIMUM_EVIDENCE));
  return ["", "<details><summary>evidence</summary>", "", shown, "", "</details>"];
}

function footer(finding: Finding, wording: Wording): string {
  return `${findingTraits(finding, wording)}. Incorrect or accepted? Reply \`/forge dismiss <reason>\` in this thread.`;
}

interface ReviewContext {
  /** Blocking findings that are open in all, those of this review among them. */
  readonly blocking?: number | undefined;
  /** Whether an earlier head was reviewed. */
  readonly again?: boolean | undefined;
  /** The page of the check. */
  readonly checkUrl?: string | undefined;
}

/** The text above the comments of a review; GitHub wants one. Everything else is in the check. */
export function reviewBody(comments: readonly Finding[], context: ReviewContext, marker: string): string {
  const { blocking: inAll = 0, again = false, checkUrl } = context;
  const blocking = comments.filter(isBlocking).length;
  const advisory = comments.length - blocking;
  const fresh = again ? "new " : "";
  const parts = [
    ...(blocking > 0 ? [count(blocking, `${fresh}blocking finding`)] : []),
    ...(blocking > 0 && inAll > blocking ? [`${inAll} open in all`] : []),
    ...(advisory > 0 ? [count(advisory, `${fresh}advisory finding`)] : []),
    ...(blocking === 0 && inAll > 0 ? [`${inAll} blocking open`] : []),
  ];
  const check = checkUrl === undefined ? "`forge/review`" : `[\`forge/review\`](${checkUrl})`;
  return `**${parts.join(", ")}.** The full result is in the check ${check}.\n${marker}`;
}

type Verdict = Extract<Effect, { kind: "review.verdict" }>["payload"];

/** What Forge's own verdict says (GH-10b). */
export function verdictText({ is, headSha, blocking, level }: Verdict): string {
  return is === "approved"
    ? `**Approved**: low risk, and nothing found at \`${shortSha(headSha)}\`. Forge does this by itself at level ${level}; why it may: \`/forge level\``
    : `**${count(blocking, "blocking finding")} ${blocking === 1 ? "is" : "are"} open.** This is taken back as soon as they are closed.`;
}

/** Why a verdict was taken back; `is` is what takes its place. */
export function takenBackText(is: Verdict["is"]): string {
  return is === "none" ? "What it said no longer applies." : "Another verdict takes its place.";
}

type Gone = Exclude<Extract<Effect, { kind: "thread.resolve" }>["payload"]["because"], { kind: "dismissed" }>;

/** What is said in a finding's thread when the finding is gone; `resolved` is false where Forge may not resolve the thread itself. */
export function goneReply(because: Gone, resolved: boolean): string {
  const sha = `\`${shortSha(because.headSha)}\``;
  const gone = said(because, sha);
  return resolved ? gone : `${gone} Resolve this thread.`;
}

function said(because: Gone, sha: string): string {
  if (because.kind === "outdated") return `Outdated: its file is not part of this change since ${sha}.`;
  return because.secret ? `Gone from the branch's history since ${sha}.` : `Fixed in ${sha}.`;
}

/** What is said there when it is back. */
export function backReply(headSha: string): string {
  return `Back since \`${shortSha(headSha)}\`.`;
}
