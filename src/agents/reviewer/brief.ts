import type { PresentedFile } from "../../analysis/present-change.ts";
import type { Observation, SuggestedFix } from "../../domain/findings.ts";
import type { Redact } from "../../safety/redact.ts";
import { redactBeginning } from "../../safety/redact-beginning.ts";
import { cleanText } from "../../tools/data/clean-text.ts";
import { fenceData } from "../../tools/data/fence-data.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Claim } from "./claims.ts";
import { proposalLines } from "./fix-of-claim.ts";
import { showChange, type ToldPlace, type UnreadLines } from "./show-change.ts";
import type { PlacedClaim } from "./vote.ts";

/** Instructions that the repository keeps on its default branch (GH-15a). */
export interface InstructionText {
  readonly path: string;
  readonly text: string;
}

/** The plan of a change, from the issue that it is made for. */
export interface Demands {
  readonly constraints: readonly string[];
  /** Observable criteria of success. */
  readonly criteria: readonly string[];
  /** Left out on purpose. */
  readonly notIncluded: readonly string[];
  /** How it was to be built. */
  readonly interfaces: readonly string[];
  readonly decisions: readonly string[];
  /** Not done, in the implementer's words. */
  readonly notDone: readonly string[];
  /** Programs that were run on it and their results, a sentence each. */
  readonly executed: readonly string[];
}

export interface ReviewBrief {
  /** The title of the change, if it has one. */
  readonly title?: string | undefined;
  /** The author's description and the messages of the commits, oldest first. */
  readonly description?: string | undefined;
  readonly messages?: readonly string[] | undefined;
  /** Only of Forge's own work: what others write of their change is not read. */
  readonly demands?: Demands | undefined;
  /** Model calls that the reader has. */
  readonly steps: number;
  /** The head up to which the change was read before, where the files show what came since; with the files that nothing came to. */
  readonly further?: { readonly readBefore: string; readonly unchanged: number } | undefined;
  readonly files: readonly PresentedFile[];
  /** Other files of the change, which this reader does not get. */
  readonly elsewhere: readonly string[];
  readonly instructions: readonly InstructionText[];
  /** Findings of the deterministic layers. */
  readonly found: readonly Pick<Observation, "file" | "line" | "rule" | "message">[];
  readonly redact: Redact;
}

/** More than this of what is known already is not read. */
const MOST_KNOWN = 60;

/** The first message of a reviewer, and what it could not show of the change. */
export interface ReviewTask {
  readonly text: string;
  readonly unread: readonly UnreadLines[];
}

/** The first message of a reviewer: rules of the house first, what is known, then the change (REV-4a). */
export async function reviewTask(brief: ReviewBrief): Promise<ReviewTask> {
  const { demands, files, elsewhere, instructions, found, further, redact, steps } = brief;
  const change = await changeSection(files, redact, found);
  const text = [
    ...(await instructionSections(instructions, redact)),
    ...(found.length > 0
      ? [
          await section(
            "Found already, by analysers and earlier reviews; not to be repeated",
            "analysers",
            knownLines(found),
            redact,
          ),
        ]
      : []),
    ...(await authorsWord(brief)),
    ...(demands === undefined
      ? []
      : [await section("What it was planned to come to", "plan of the change", demandLines(demands), redact)]),
    ...(further === undefined ? [] : [furtherNote(further)]),
    change.text,
    elsewhere.length > 0
      ? await section(
          "Also changed, not shown here (git_diff shows them)",
          "list of files",
          elsewhere.join("\n"),
          redact,
        )
      : `These are all files that ${further === undefined ? "changed" : "were touched since"}.`,
    `Review this change. You have ${steps} steps, the last one for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
  return { text, unread: change.unread };
}

function furtherNote({ readBefore, unchanged }: NonNullable<ReviewBrief["further"]>): string {
  const rest =
    unchanged === 0
      ? ""
      : ` Files of the change that stand as they were read: ${unchanged} (git_diff lists and shows them).`;
  return `The change was reviewed up to ${readBefore.slice(0, 10)}. Below is what was done to it since then: \`+\` and \`-\` are against that state. Look at this, and at what it does to the rest of the change.${rest}`;
}

export interface VerifyBrief extends Pick<ReviewBrief, "redact" | "steps"> {
  /** Changed files that are not shown, each with why. */
  readonly others: readonly string[];
  readonly files: readonly {
    readonly presented: PresentedFile;
    readonly whole?: PresentedFile | undefined;
  }[];
  /** How a demonstration is executed; undefined where nothing can be. */
  readonly testing?: string | undefined;
  /** Proposed fixes of claims. */
  readonly fixes?: ReadonlyMap<Claim, SuggestedFix> | undefined;
}

/** The files that claims are about, each once: whole with the change in it where it is short, else the change. */
export function filesToJudge<File extends VerifyBrief["files"][number]>(
  claims: readonly PlacedClaim[],
  files: readonly File[],
): { readonly file: File; readonly shown: PresentedFile }[] {
  const about = new Set(claims.map(({ claim }) => claim.file));
  return files
    .filter(({ presented }) => about.has(presented.path))
    .map((file) => ({ file, shown: file.whole ?? file.presented }));
}

/** The first message of a verifier: the claims, and the change that they are about; nothing of how they came about. */
export async function verifyTask(
  claims: readonly PlacedClaim[],
  { files, others, redact, steps, testing, fixes }: VerifyBrief,
): Promise<string> {
  const listed = claims.map(({ claim, place }, at) =>
    [
      `Claim ${at + 1}, ${claim.kind}, ${claim.severity}, ${claim.file} lines ${place.line} to ${place.endLine}:`,
      `quote: ${claim.quote}`,
      `claim: ${claim.claim}`,
      `scenario: ${claim.scenario}`,
      ...(claim.rule ? [`rests on ${claim.rule.file}: ${claim.rule.quote}`] : []),
      ...proposalOf(claims, at, fixes),
    ].join("\n"),
  );
  const change = await changeSection(
    filesToJudge(claims, files).map(({ shown }) => shown),
    redact,
  );
  return [
    await section(
      `${claims.length} ${claims.length === 1 ? "claim" : "claims"} to refute`,
      "claims of another reviewer",
      listed.join("\n\n"),
      redact,
    ),
    change.text,
    await section(
      "All changed files",
      "list of files",
      [...files.map(({ presented }) => presented.path), ...others].join("\n"),
      redact,
    ),
    testing === undefined
      ? "Nothing can be executed here: leave `demonstration` out."
      : `How a demonstration is executed: ${testing}`,
    `Judge every claim by its number. You have ${steps} steps, the last one for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
}

/** One fix of several claims stands at the first of them. */
function proposalOf(claims: readonly PlacedClaim[], at: number, fixes: VerifyBrief["fixes"]): string[] {
  const fixOf = (claim: PlacedClaim | undefined) => claim && fixes?.get(claim.claim);
  const fix = fixOf(claims[at]);
  if (!fix) return [];
  const first = claims.findIndex((each) => fixOf(each) === fix);
  return first < at ? [`proposed: what is proposed with claim ${first + 1} mends it too`] : proposalLines(fix);
}

/** Some 32,000 characters are shown in 20 ms at most. */
const TURN = { most: 32, unitsOfStep: 1_024 };

/** Each file between marks of its own: what is left out of one is said of that one. Others have their turn between two files (OPS-8). */
async function changeSection(
  files: readonly PresentedFile[],
  redact: Redact,
  found: readonly ToldPlace[] = [],
): Promise<ReviewTask> {
  const note =
    "Each line has its number in the new file, a bar, and right behind it the text; `+` was added, `-` was removed and has no number.";
  const turn = takeTurns(TURN);
  const shown: Awaited<ReturnType<typeof showChange>>[] = [];
  for (const file of files) {
    shown.push(await showChange(file, redact, found));
    await turn(file.text.length);
  }
  const unread = shown.flatMap((file) => (file.unread.lines.length === 0 ? [] : [file.unread]));
  return { text: [note, ...shown.map(({ text }) => text)].join("\n"), unread };
}

async function instructionSections(instructions: readonly InstructionText[], redact: Redact): Promise<string[]> {
  if (instructions.length === 0) return ["This repository keeps no instructions for reviewers."];
  const texts = await Array.fromAsync(instructions, ({ path, text }) => fenced(path, text, redact, true));
  return [`What this repository says about itself (from its default branch):\n${texts.join("\n")}`];
}

/** So much of a description, and of all messages together, is read: more is a template or a log. */
const WORDS = { description: 4_000, message: 600, messages: 4_000 } as const;

/** The author's description of the change: it tells what it is for, and is no evidence (REV-4a). */
async function authorsWord({ title, description, messages = [], redact }: ReviewBrief): Promise<string[]> {
  const parts = [
    ...(title === undefined ? [] : [await fenced("title of the change", title, redact, true)]),
    ...(description === undefined
      ? []
      : [
          await fenced(
            "description of the change",
            cutText(redactBeginning(description, redact), WORDS.description),
            redact,
            true,
          ),
        ]),
    // One commit is named like its change.
    ...(messages.length === 0 || (messages.length === 1 && messages[0] === title)
      ? []
      : [
          await fenced(
            "messages of its commits",
            messageLines(messages.map((text) => redactBeginning(text, redact))),
            redact,
            true,
          ),
        ]),
  ];
  return parts.length === 0 ? [] : [`The change, as its author tells it:\n${parts.join("\n")}`];
}

function messageLines(messages: readonly string[]): string {
  return cutText(messages.map((text) => `- ${cutText(text, WORDS.message)}`).join("\n"), WORDS.messages);
}

/** Cut only after redaction: a secret that is cut in two is not recognised. */
function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} [cut here]`;
}

function demandLines({
  constraints,
  criteria,
  interfaces,
  notIncluded,
  decisions,
  notDone,
  executed,
}: Demands): string {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join("\n")}`];
  return [
    ...list("constraints", constraints),
    ...list("done when", criteria),
    ...list("interfaces", interfaces),
    ...list("decided", decisions),
    ...list("left out on purpose", notIncluded),
    ...list("not done, as its implementer says", notDone),
    ...list("what was executed", executed),
  ].join("\n\n");
}

function knownLines(found: ReviewBrief["found"]): string {
  if (found.length === 0) return "nothing";
  const lines = found
    .slice(0, MOST_KNOWN)
    .map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`);
  return [...lines, ...(found.length > MOST_KNOWN ? [`and ${found.length - MOST_KNOWN} more`] : [])].join("\n");
}

async function section(title: string, from: string, text: string, redact: Redact): Promise<string> {
  return `${title}:\n${await fenced(from, text, redact)}`;
}

/** Foreign text cannot close its fence, holds no secret, and nothing that people do not see (SEC-5). */
async function fenced(from: string, text: string, redact: Redact, prose = false): Promise<string> {
  const { lines, leftOut } = await cleanText(text, { redact, prose, names: "none" });
  return `${fenceData(from, lines.join("\n"))}${leftOut === undefined ? "" : `\n${leftOut}`}`;
}
