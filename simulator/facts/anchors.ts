// Where a review comment may stand.

import type { DiffFile } from "../git/diff-files.ts";
import { unprocessable } from "../problem.ts";
import type { Anchor, PullRequest, Side } from "../records.ts";
import type { World } from "../world.ts";
import { inspectPull } from "./inspect-pull.ts";

export interface ProposedAnchor {
  readonly path: string;
  readonly position?: number;
  readonly line?: number;
  readonly side?: Side;
  readonly start_line?: number;
  readonly start_side?: Side | "side";
  readonly subject_type?: "line" | "file";
}

const HUNK_LINES_SHOWN = 8;

/** Throws the 422 problems: the path is in the diff, the line lies in it, and a range stays in one hunk. GitHub's answer
 * names no comment. https://docs.github.com/en/rest/pulls/comments#create-a-review-comment-for-a-pull-request */
export async function resolveAnchor(world: World, request: PullRequest, proposed: ProposedAnchor): Promise<Anchor> {
  const { files } = await inspectPull(world, request);
  const file = files.find((each) => each.filename === proposed.path);
  if (!file) throw unprocessable("Path could not be resolved");
  const side = proposed.side ?? "RIGHT";
  if (proposed.subject_type === "file") return fileAnchor(side);
  if (proposed.line === undefined && proposed.position !== undefined) return atPosition(file, proposed.position);
  if (proposed.line === undefined) throw unprocessable("Line could not be resolved");
  const hunk = linesOf(file, side).get(proposed.line);
  if (hunk === undefined) throw unprocessable("Line could not be resolved");
  const { line } = proposed;
  const base = {
    subjectType: "line",
    side,
    line,
    position: positionOf(file, side, line),
    diffHunk: hunkText(file),
  } as const;
  if (proposed.start_line === undefined) return { ...base, startLine: null, startSide: null };
  const startSide = proposed.start_side === "LEFT" || proposed.start_side === "RIGHT" ? proposed.start_side : side;
  const startHunk = linesOf(file, startSide).get(proposed.start_line);
  if (startHunk === undefined) throw unprocessable("Start line could not be resolved");
  if (startHunk !== hunk)
    throw unprocessable("Pull request review thread start line must be part of the same hunk as the line.");
  if (startSide === side && proposed.start_line >= line)
    throw unprocessable("Pull request review thread start line must precede the end line.");
  return { ...base, startLine: proposed.start_line, startSide };
}

function fileAnchor(side: Side): Anchor {
  return { subjectType: "file", side, line: null, startLine: null, startSide: null, position: null, diffHunk: "" };
}

function atPosition(file: DiffFile, position: number): Anchor {
  const place = file.positions[position];
  if (!place) throw unprocessable("Position could not be resolved");
  return { subjectType: "line", ...place, startLine: null, startSide: null, position, diffHunk: hunkText(file) };
}

function linesOf(file: DiffFile, side: Side): ReadonlyMap<number, number> {
  return side === "LEFT" ? file.left : file.right;
}

function positionOf(file: DiffFile, side: Side, line: number): number | null {
  const index = file.positions.findIndex((place) => place?.side === side && place.line === line);
  return index < 0 ? null : index;
}

function hunkText(file: DiffFile): string {
  return (file.patch ?? "").split("\n").slice(0, HUNK_LINES_SHOWN).join("\n");
}
