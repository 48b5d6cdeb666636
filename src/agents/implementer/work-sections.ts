import type { Plan } from "../../domain/plan.ts";
import type { Redact } from "../../safety/redact.ts";
import { isProse } from "../../tools/data/clean-text.ts";
import { showText } from "../../tools/data/show-text.ts";
import type { InstructionText } from "../reviewer/brief.ts";
import { type CurrentFile, showFiles } from "../show-files.ts";
import { type ProgramCall, sayCall } from "./find-type-check.ts";

/** The working environment, for every implementer. */
export interface Workplace {
  /** AGENTS.md, CLAUDE.md and the like, from the default branch (GH-15a). */
  readonly instructions: readonly InstructionText[];
  /** How tests are executed here, in words that follow "by"; undefined where nothing can be. */
  readonly testing?: string | undefined;
  /** Why nothing can be, in a sentence. */
  readonly testingMissing?: string | undefined;
  readonly typeCheck?: ProgramCall | undefined;
  /** How style is checked here. */
  readonly lint?: ProgramCall | undefined;
  /** Model calls that there are. */
  readonly steps: number;
  /** USD left for the implementation. */
  readonly leftUsd: number;
  readonly redact: Redact;
}

const INSTRUCTION_CHARACTERS = 12_000;
const ALL_INSTRUCTIONS = 24_000;

export async function instructionSections({ instructions, redact }: Workplace): Promise<string[]> {
  let remaining = ALL_INSTRUCTIONS;
  const shown: string[] = [];
  for (const { path, text } of instructions) {
    if (remaining <= 0) break;
    const maxCharacters = Math.min(INSTRUCTION_CHARACTERS, remaining);
    shown.push(await showText({ from: path, text, prose: isProse(path), maxCharacters }, redact));
    remaining -= text.length;
  }
  return shown.length === 0 ? [] : [`How things are done in this repository:\n${shown.join("\n")}`];
}

export function checkSections({ testing, testingMissing, typeCheck, lint }: Workplace): string[] {
  const why = testingMissing === undefined ? "" : ` ${testingMissing}`;
  const checks = [
    ...(typeCheck === undefined ? [] : [`types (${sayCall(typeCheck)})`]),
    ...(testing === undefined ? [] : ["the tests that your edits affect"]),
  ];
  return [
    testing === undefined
      ? `Tests cannot be executed here.${why} Say so by \`validated: false\`.`
      : `Tests are executed by ${testing}`,
    ...(checks.length === 0
      ? []
      : [
          `When you have handed in, Forge checks ${checks.join(" and runs ")}: what fails because of your edits comes back.`,
        ]),
    ...(lint === undefined ? [] : [`Style is checked by ${sayCall(lint)}: run it on what you wrote.`]),
  ];
}

/** The whole task, for an agent that does a part of it. */
export async function planSections(plan: Plan, redact: Redact): Promise<string[]> {
  const text = [
    `title: ${plan.title}`,
    plan.summary,
    ...list("constraints", plan.constraints),
    ...list("components", plan.architecture?.components ?? []),
    ...list("interfaces", plan.architecture?.interfaces ?? []),
    ...list("decisions", plan.decisions),
    ...list("acceptance criteria of the whole", plan.acceptance_criteria),
    ...list("not included", plan.not_included),
  ].join("\n\n");
  return [`The plan:\n${await showText({ from: "plan", text, prose: false, maxCharacters: 20_000 }, redact)}`];
}

/** A file of the task is shown whole up to the first size, all of them together up to the second; in characters. */
const TASK_FILES = { each: 24_000, all: 60_000, part: 12_000 } as const;
const NEAR_FILES = { each: 8_000, all: 24_000, part: 5_000 } as const;

export interface ShownWork {
  readonly sections: readonly string[];
  /** Those that stand there: an edit need not read them again. */
  readonly read: readonly string[];
}

/**
 * The files to work on while there is room, their tests and what stands near; of what is too long the part that the work is about.
 * @param about the words of the work
 */
export async function fileSections(
  files: readonly CurrentFile[],
  near: readonly CurrentFile[],
  redact: Redact,
  about: string,
): Promise<ShownWork> {
  const own = await showFiles(files, TASK_FILES, redact, about);
  const others = await showFiles(near, NEAR_FILES, redact, about);
  const { left } = own;
  const sections = [
    ...(others.blocks.length === 0
      ? []
      : [
          `Files near those of your work, as they are now (line number, bar, text); they count as read:\n${others.blocks.join("\n")}`,
        ]),
    ...(own.blocks.length === 0 ? [] : [`Files of your work as they are now, read too:\n${own.blocks.join("\n")}`]),
    ...(left.length === 0 ? [] : [`Too long to be shown here: ${left.join(", ")}.`]),
  ];
  return { sections, read: [...own.whole, ...others.whole] };
}

export function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join("\n")}`];
}
