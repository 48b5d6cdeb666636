import type { Finding } from "../../domain/findings.ts";
import { type Anchors, isAnchorable } from "../../domain/hunks.ts";
import { isSuggestable } from "../../safety/code-text.ts";
import type { Redact } from "../../safety/redact.ts";

/** The lines that a comment stands on, and what may be suggested in their place. */
export interface Anchor {
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
  if (fix && isOffered(finding, fix, redact) && isAnchorable(hunks, fix.startLine, fix.endLine)) {
    return { startLine: fix.startLine, line: fix.endLine, suggestion: fix.after };
  }
  return isAnchorable(hunks, line, endLine) ? { startLine: line, line: endLine } : undefined;
}

/** A secret has to be rotated, not replaced; and what people would commit must be what they see. */
function isOffered({ file, line, secret }: Finding, fix: NonNullable<Finding["fix"]>, redact: Redact): boolean {
  const { after, before, startLine, endLine } = fix;
  if (secret || fix.file !== file || line < startLine || line > endLine) return false;
  if (after.length > MAXIMUM_SUGGESTION || redact(after) !== after || !isSuggestable(after)) return false;
  return after.replace(/\r?\n$/, "") !== before.replace(/\r?\n$/, "");
}
