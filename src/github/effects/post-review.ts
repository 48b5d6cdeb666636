import { isDeepStrictEqual } from "node:util";
import { defined } from "../../domain/defined.ts";
import type { EffectResult } from "../../domain/effects.ts";
import { byImportance, editsOf, type Finding, type SuggestedEdit, type SuggestedFix } from "../../domain/findings.ts";
import { type Anchors, isAnchorable } from "../../domain/hunks.ts";
import { numberOf } from "../../domain/subjects.ts";
import { isSuggestable } from "../../safety/code-text.ts";
import type { Redact } from "../../safety/redact.ts";
import type { ReviewComment } from "../github-repository.ts";
import { markerFor } from "../marker.ts";
import { fileComment, findingComment, type ShownFix } from "../words/review/review-comments.ts";
import type { EffectHandler, EffectOf, Look, Send } from "./effect-ports.ts";
import { orRefused } from "./metered-writes.ts";
import { findPosted, type PlannedComment, type RefusedComment, submitReview } from "./submit-review.ts";

type Placed = NonNullable<EffectResult["placed"]>;

/** What an earlier attempt posted. */
interface Posted {
  readonly reviewId: number | undefined;
  readonly comments: readonly ReviewComment[];
}

/**
 * Posts the findings as one review with line comments (GH-10). No finding is lost: one without a line in the diff, or beyond the limit,
 * is left to the annotations; one that GitHub refuses becomes a comment on its file, or else an annotation.
 */
export const postReview: EffectHandler<"review.post", Posted> = {
  find: async (effect, look) => {
    const number = numberOf(effect.subject);
    const comments = await look.repository.listReviewComments(number);
    return { there: { reviewId: await findPosted(effect, look), comments } };
  },
  send: async (effect, there, ports) => {
    const { planned, left } = planComments(effect, ports);
    if (planned.length === 0) return { kind: "done", result: { placed: left } };
    const { reviewId, commentIds, refused } = await submitReview(effect, planned, there?.reviewId, ports);
    const fallen = await postFileComments(effect, refused, there?.comments ?? [], ports);
    const commented = planned
      .map(({ finding }) => finding.id)
      .filter((findingId) => !fallen.some((placed) => placed.findingId === findingId))
      .map((findingId) => {
        const commentId = commentIds.get(findingId);
        return { findingId, placement: "comment" as const, ...defined({ commentId }) };
      });
    const placed: Placed = [...commented, ...fallen, ...left];
    return { kind: "done", result: { placed, ...defined({ reviewId }) } };
  },
};

function planComments(
  effect: EffectOf<"review.post">,
  { wording, markerSecret }: Look,
): { planned: PlannedComment[]; left: Placed } {
  const { anchors, maxComments } = effect.payload;
  const planned: PlannedComment[] = [];
  const left: Placed = [];
  const fixes: { readonly id: string; readonly fix: SuggestedFix }[] = [];
  const leave = ({ id: findingId, commit }: Finding, reason: string) =>
    left.push({ findingId, placement: commit === undefined ? "annotation" : "summary", reason });
  for (const finding of effect.payload.findings.toSorted(byImportance)) {
    const anchor = anchorFor(finding, anchors, wording.redact);
    if (finding.severity === "info") leave(finding, "a note is never a comment");
    else if (!anchor) leave(finding, "its lines are not in the diff");
    else if (planned.length >= maxComments) leave(finding, `more than ${maxComments} comments`);
    else {
      const marker = markerFor({ kind: "finding", key: `${effect.key}#${finding.id}` }, markerSecret);
      const { suggestion } = anchor;
      const { fix } = finding;
      const same = fix && fixes.find((other) => isDeepStrictEqual(other.fix, fix));
      const shown =
        suggestion === undefined ? (same ? { fixOf: same.id } : shownFix(finding, wording.redact)) : undefined;
      if (fix && !same && (suggestion !== undefined || shown)) fixes.push({ id: finding.id, fix });
      const body = findingComment(finding, wording, { suggestion, fix: shown, marker });
      const startLine = anchor.startLine < anchor.line ? { startLine: anchor.startLine } : {};
      planned.push({ finding, marker, comment: { path: finding.file, line: anchor.line, ...startLine, body } });
    }
  }
  return { planned, left };
}

/** Findings whose lines GitHub refused, as comments on their files; where it refuses that too they are left to the annotations (GH-10). `there`: those of an earlier attempt. */
async function postFileComments(
  effect: EffectOf<"review.post">,
  refused: readonly RefusedComment[],
  there: readonly ReviewComment[],
  { write, wording }: Send,
): Promise<Placed> {
  const pull = numberOf(effect.subject);
  const placed: Placed = [];
  for (const { finding, marker, reason, onFile } of refused) {
    const findingId = finding.id;
    const earlier = there.find(({ byBot, body }) => byBot && body.includes(marker));
    if (earlier) {
      placed.push({ findingId, placement: "file_comment", commentId: earlier.id, reason });
      continue;
    }
    const body = fileComment(finding, wording, { fix: shownFix(finding, wording.redact), marker });
    const comment = { commitId: effect.payload.headSha, path: finding.file, body };
    const posted = onFile ? await orRefused(write.createFileComment(pull, comment)) : undefined;
    if (posted?.ok) placed.push({ findingId, placement: "file_comment", commentId: posted.value.id, reason });
    else placed.push({ findingId, placement: "annotation", reason: posted?.message ?? reason });
  }
  return placed;
}

/** The lines that a comment stands on, and what may be suggested in their place. */
interface Anchor {
  readonly startLine: number;
  readonly line: number;
  readonly suggestion?: string;
}

/** A longer one is not read in a comment, and GitHub limits the comment. */
const MAXIMUM_SUGGESTION = 10_000;

/**
 * Where a finding can be commented on: inside one hunk (GH-10), never on a wrong line. GitHub replaces exactly the commented lines by a
 * suggestion, so where there is one, the comment stands on the lines of the fix. Undefined when the diff does not show the lines.
 */
export function anchorFor(finding: Finding, files: readonly Anchors[], redact: Redact): Anchor | undefined {
  const hunks = files.find(({ path }) => path === finding.file)?.hunks ?? [];
  const { fix, line, endLine, commit } = finding;
  if (commit !== undefined) return undefined;
  if (fix && isSuggested(finding, fix, redact) && isAnchorable(hunks, fix.startLine, fix.endLine)) {
    return { startLine: fix.startLine, line: fix.endLine, suggestion: fix.after };
  }
  return isAnchorable(hunks, line, endLine) ? { startLine: line, line: endLine } : undefined;
}

/** GitHub applies one range and nothing else: a part of a fix would be none. */
function isSuggested({ file, line, secret }: Finding, fix: SuggestedFix, redact: Redact): boolean {
  const { startLine, endLine, also } = fix;
  if (secret || also !== undefined || fix.file !== file || line < startLine || line > endLine) return false;
  return isShowable(fix, redact);
}

/** What people would commit must be what they see. */
function isShowable({ after, before }: SuggestedEdit, redact: Redact): boolean {
  if (after.length > MAXIMUM_SUGGESTION || redact(after) !== after || !isSuggestable(after)) return false;
  return after.replace(/\r?\n$/, "") !== before.replace(/\r?\n$/, "");
}

/** A fix that GitHub cannot apply, for people to read and `/forge fix` to commit. A secret has to be rotated, not replaced. */
function shownFix({ fix, secret }: Finding, redact: Redact): ShownFix | undefined {
  if (!fix || secret) return undefined;
  const edits = editsOf(fix);
  const length = edits.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
  return length <= MAXIMUM_SUGGESTION && edits.every((edit) => isShowable(edit, redact)) ? { edits } : undefined;
}
