// Where a review comment may stand.

import type { DiffFile } from "../git/diff-files.ts";
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

/** Why a comment cannot stand there; GitHub names the field in one endpoint and only the sentence in the other. */
export interface AnchorRefusal {
  readonly field: "path" | "line" | "start_line" | "position";
  readonly sentence: string;
}

const HUNK_LINES_SHOWN = 8;

/** The path is in the diff of that commit, the line lies in it, and a range stays in one hunk.
 * https://docs.github.com/en/rest/pulls/comments#create-a-review-comment-for-a-pull-request */
export async function resolveAnchor(
  world: World,
  request: PullRequest,
  commitId: string,
  proposed: ProposedAnchor,
): Promise<Anchor | AnchorRefusal> {
  const { files } = await inspectPull(world, request, commitId);
  const file = files.find((each) => each.filename === proposed.path);
  if (!file) return refusal("path", "Path could not be resolved");
  const { line, position, side = "RIGHT" } = proposed;
  if (proposed.subject_type === "file") return fileAnchor(side);
  if (line === undefined && position !== undefined) return atPosition(file, position);
  const hunk = line === undefined ? undefined : linesOf(file, side).get(line);
  if (line === undefined || hunk === undefined) return refusal("line", "Line could not be resolved");
  const end = {
    subjectType: "line",
    side,
    line,
    position: positionOf(file, side, line),
    diffHunk: hunkText(file),
  } as const;
  if (proposed.start_line === undefined) return { ...end, startLine: null, startSide: null };
  const startSide = proposed.start_side === "LEFT" || proposed.start_side === "RIGHT" ? proposed.start_side : side;
  const startHunk = linesOf(file, startSide).get(proposed.start_line);
  if (startHunk === undefined) return refusal("start_line", "Start line could not be resolved");
  if (startHunk !== hunk) return refusal("start_line", "Start line must be part of the same hunk as the line.");
  if (startSide === side && proposed.start_line >= line)
    return refusal("start_line", "Start line must precede the end line.");
  return { ...end, startLine: proposed.start_line, startSide };
}

export function isRefusal(anchor: Anchor | AnchorRefusal): anchor is AnchorRefusal {
  return "sentence" in anchor;
}

function refusal(field: AnchorRefusal["field"], sentence: string): AnchorRefusal {
  return { field, sentence };
}

function fileAnchor(side: Side): Anchor {
  return { subjectType: "file", side, line: null, startLine: null, startSide: null, position: null, diffHunk: "" };
}

function atPosition(file: DiffFile, position: number): Anchor | AnchorRefusal {
  const place = file.positions[position];
  if (!place) return refusal("position", "Position could not be resolved");
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
