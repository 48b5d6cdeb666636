import type { PresentedFile } from "../../analysis/present-change.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText } from "../../tools/data/clean-text.ts";
import { fenceData } from "../../tools/data/fence-data.ts";
import type { PlacedClaim } from "./vote.ts";

/** Instructions that the repository keeps on its default branch (GH-15a). */
export interface InstructionText {
  readonly path: string;
  readonly text: string;
}

export interface ReviewBrief {
  /** What the author calls the change. */
  readonly title: string;
  readonly files: readonly PresentedFile[];
  /** Other files of the change, which this reader does not get. */
  readonly elsewhere: readonly string[];
  readonly instructions: readonly InstructionText[];
  /** What the deterministic layers found. */
  readonly found: readonly Pick<Observation, "file" | "line" | "rule" | "message">[];
  readonly redact: Redact;
}

/** More than this of what is known already is not read. */
const MOST_KNOWN = 60;

/** The first message of a reviewer: rules of the house first, what is known, then the change (REV-4a). */
export function reviewTask(brief: ReviewBrief): string {
  const { title, files, elsewhere, instructions, found, redact } = brief;
  return [
    ...instructionSections(instructions, redact),
    section("What the analysers found already; not to be repeated", "analysers", knownLines(found), redact),
    `The change, as its author calls it:\n${fenced("title of the change", title, redact)}`,
    changeSection(files, redact),
    ...(elsewhere.length > 0
      ? [section("Also changed, not shown here (git_diff shows them)", "list of files", elsewhere.join("\n"), redact)]
      : []),
    "Review this change. Look where you have to, then call `complete`.",
  ].join("\n\n");
}

/** The first message of a verifier: the claims, and the change that they are about; nothing of how they came about. */
export function verifyTask(
  claims: readonly PlacedClaim[],
  { files, redact }: Pick<ReviewBrief, "files" | "redact">,
): string {
  const about = new Set(claims.map(({ claim }) => claim.file));
  const listed = claims.map(({ claim, place }, at) =>
    [
      `Claim ${at + 1}, ${claim.kind}, ${claim.severity}, ${claim.file} lines ${place.line} to ${place.endLine}:`,
      `quote: ${claim.quote}`,
      `claim: ${claim.claim}`,
      `scenario: ${claim.scenario}`,
      ...(claim.rule ? [`rests on ${claim.rule.file}: ${claim.rule.quote}`] : []),
      ...(claim.fix
        ? [`proposed lines ${claim.fix.start_line} to ${claim.fix.end_line}:\n${claim.fix.replacement}`]
        : []),
    ].join("\n"),
  );
  return [
    section(
      `${claims.length} ${claims.length === 1 ? "claim" : "claims"} to refute`,
      "claims of another reviewer",
      listed.join("\n\n"),
      redact,
    ),
    changeSection(
      files.filter(({ path }) => about.has(path)),
      redact,
    ),
    "Judge every claim by its number, then call `complete`.",
  ].join("\n\n");
}

function changeSection(files: readonly PresentedFile[], redact: Redact): string {
  const note = "Each line has its number in the new file; `+` was added, `-` was removed and has none.";
  return `${note}\n${fenced("the change", files.map(({ text }) => text).join("\n"), redact)}`;
}

function instructionSections(instructions: readonly InstructionText[], redact: Redact): string[] {
  if (instructions.length === 0) return [];
  const texts = instructions.map(({ path, text }) => fenced(path, text, redact, true));
  return [`What this repository says about itself (from its default branch):\n${texts.join("\n")}`];
}

function knownLines(found: ReviewBrief["found"]): string {
  if (found.length === 0) return "nothing";
  const lines = found
    .slice(0, MOST_KNOWN)
    .map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`);
  return [...lines, ...(found.length > MOST_KNOWN ? [`and ${found.length - MOST_KNOWN} more`] : [])].join("\n");
}

function section(title: string, from: string, text: string, redact: Redact): string {
  return `${title}:\n${fenced(from, text, redact)}`;
}

/** Foreign text cannot close its fence, holds no secret, and nothing that people do not see (SEC-5). */
function fenced(from: string, text: string, redact: Redact, prose = false): string {
  const { lines, leftOut } = cleanText(text, { redact, prose });
  return `${fenceData(from, lines.join("\n"))}${leftOut === undefined ? "" : `\n${leftOut}`}`;
}
