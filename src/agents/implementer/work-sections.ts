import type { Plan } from "../../domain/plan.ts";
import type { Redact } from "../../safety/redact.ts";
import { isProse } from "../../tools/data/clean-text.ts";
import { shownPath } from "../../tools/data/listing.ts";
import { showText } from "../../tools/data/show-text.ts";
import type { InstructionText } from "../reviewer/brief.ts";

/** What every implementer is told of the place where it works. */
export interface Workplace {
  /** AGENTS.md, CLAUDE.md and the like, from the default branch (GH-15a). */
  readonly instructions: readonly InstructionText[];
  /** How tests are executed here, in words; undefined where nothing can be. */
  readonly testing?: string | undefined;
  /** How types are checked here, in words: see `findTypeCheck`. */
  readonly typeCheck?: string | undefined;
  /** Model calls that there are. */
  readonly steps: number;
  /** USD left for the implementation. */
  readonly leftUsd: number;
  readonly redact: Redact;
}

const INSTRUCTION_CHARACTERS = 12_000;
const ALL_INSTRUCTIONS = 24_000;
const FILE_CHARACTERS = 24_000;
const ALL_FILES = 60_000;

export function instructionSections({ instructions, redact }: Workplace): string[] {
  let room = ALL_INSTRUCTIONS;
  const shown: string[] = [];
  for (const { path, text } of instructions) {
    if (room <= 0) break;
    const maxCharacters = Math.min(INSTRUCTION_CHARACTERS, room);
    shown.push(showText({ from: path, text, prose: isProse(path), maxCharacters }, redact));
    room -= text.length;
  }
  return shown.length === 0 ? [] : [`How things are done in this repository:\n${shown.join("\n")}`];
}

export function checkSections({ testing, typeCheck }: Workplace): string[] {
  return [
    testing === undefined
      ? "Tests cannot be executed here: say so by `validated: false`."
      : `Tests are executed by run_tests, so: ${testing}`,
    ...(typeCheck === undefined ? [] : [`Types are checked by ${typeCheck}.`]),
  ];
}

/** What the whole is about, for whoever does a part of it. */
export function planSections(plan: Plan, redact: Redact): string[] {
  const text = [
    `title: ${plan.title}`,
    plan.summary,
    ...list("constraints", plan.constraints),
    ...list("decisions", plan.decisions),
    ...list("acceptance criteria of the whole", plan.acceptance_criteria),
    ...list("not included", plan.not_included),
  ].join("\n\n");
  return [`The plan:\n${showText({ from: "plan", text, prose: false, maxCharacters: 20_000 }, redact)}`];
}

/** A file as it stands in the clone. */
export interface CurrentFile {
  readonly path: string;
  readonly text: string;
}

export interface ShownFiles {
  readonly sections: readonly string[];
  /** Those that stand there whole: an edit need not read them again. */
  readonly whole: readonly string[];
}

/** Files as `read_file` would show them, in their order while there is room; the others are named. */
export function fileSections(files: readonly CurrentFile[], redact: Redact): ShownFiles {
  let room = ALL_FILES;
  const shown: string[] = [];
  const whole: string[] = [];
  const left: string[] = [];
  for (const { path, text } of files) {
    // Numbers and bars of lines come on top.
    const size = text.length + text.split("\n").length * 5;
    if (size > FILE_CHARACTERS || size > room) {
      left.push(path);
      continue;
    }
    room -= size;
    // Not cut: what counts as read has to be there.
    const maxCharacters = Number.POSITIVE_INFINITY;
    shown.push(showText({ from: path, text, prose: isProse(path), maxCharacters, numbered: true }, redact));
    whole.push(path);
  }
  const sections = [
    ...(shown.length === 0
      ? []
      : [`Files as they are now (line number, bar, text); they count as read:\n${shown.join("\n")}`]),
    ...(left.length === 0 ? [] : [`Too long to be shown here: ${left.map(shownPath).join(", ")}.`]),
  ];
  return { sections, whole };
}

export function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join("\n")}`];
}
