import type { Plan, PlanTask } from "../../domain/plan.ts";
import { dollars } from "../../safety/trip-rules.ts";
import { shownPath, showText } from "../../tools/data/show-text.ts";
import { type Evidence, evidenceSections } from "../evidence.ts";
import type { CurrentFile } from "../show-files.ts";
import { type Wish, wishSections } from "../wishes.ts";
import {
  checkSections,
  fileSections,
  instructionSections,
  list,
  planSections,
  type Workplace,
} from "./work-sections.ts";

/** A task that was done before, as its commit has it. */
export interface DoneTask {
  readonly id: string;
  readonly title: string;
  /** Files of its commit. */
  readonly files: readonly string[];
  readonly summary: string;
  readonly notDone?: string | undefined;
}

export interface ImplementBrief extends Workplace {
  readonly plan: Plan;
  readonly task: PlanTask;
  readonly done: readonly DoneTask[];
  /** Files of the task that exist, as they are now in the clone; text files only. */
  readonly files: readonly CurrentFile[];
  /** Files of the task that exist and are no text. */
  readonly binary?: readonly string[];
  /** Imported and neighbouring files: see `nearestFiles`. */
  readonly near?: readonly CurrentFile[];
  /** The code around these files, drawn by `drawMap`. */
  readonly map?: string | undefined;
  /** Of an issue that Forge opened about production. */
  readonly evidence?: Evidence | undefined;
  /** Remarks since the plan by people with push; oldest first. */
  readonly wishes: readonly Wish[];
}

/** The first message of an implementer, and which files of the clone it has read by that. */
export interface Start {
  readonly task: string;
  /** To be noted in the read log of its tools, with the content that was handed in. */
  readonly read: readonly string[];
}

const MAP_CHARACTERS = 8_000;

/** Constant parts come first, for the provider's cache: house rules, plan; then this task (IMPL-1). */
export async function implementTask(brief: ImplementBrief): Promise<Start> {
  const { plan, task, done, files, near = [], binary = [], map, wishes, redact, steps, leftUsd } = brief;
  const about = [task.title, task.description, plan.summary, ...plan.decisions, ...plan.acceptance_criteria].join("\n");
  const shown = await fileSections(files, near, redact, about);
  const existing = new Set([...files.map(({ path }) => path), ...binary]);
  const missing = task.files.filter((path) => !existing.has(path));
  const others = plan.tasks.filter(({ id }) => id !== task.id && !done.some((each) => each.id === id));
  const text = [`${task.title}`, task.description, ...list("files", task.files.map(shownPath))].join("\n\n");
  const sections = [
    ...(await instructionSections(brief)),
    ...checkSections(brief),
    ...(await evidenceSections(brief.evidence, redact)),
    ...(await planSections(plan, redact)),
    ...(await wishSections(wishes, redact)),
    ...(done.length === 0
      ? []
      : [
          `Done before, and committed:\n${await showText({ from: "done tasks", text: done.map(describe).join("\n\n"), prose: false, maxCharacters: 12_000 }, redact)}`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `Not yours, they come later:\n${await showText({ from: "later tasks", text: others.map(({ title }) => `- ${title}`).join("\n"), prose: false, maxCharacters: 4_000 }, redact)}`,
        ]),
    ...(map === undefined || map === ""
      ? []
      : [
          `What surrounds the files of your task:\n${await showText({ from: "map of the repository", text: map, prose: false, maxCharacters: MAP_CHARACTERS }, redact)}`,
        ]),
    ...shown.sections,
    ...(missing.length === 0 ? [] : [`Not there yet: ${missing.map(shownPath).join(", ")}.`]),
    ...(binary.length === 0 ? [] : [`Not text: ${binary.map(shownPath).join(", ")}.`]),
    `Your task:\n${await showText({ from: "task", text, prose: false, maxCharacters: 12_000 }, redact)}`,
    "You may write the files of the plan, tests beside them, and new files in their folders; for any other file a person is asked.",
    `Do it. You have ${steps} steps and ${dollars(leftUsd)}, the last step for \`complete\`; one step can hold many calls.`,
  ];
  return { task: sections.join("\n\n"), read: shown.read };
}

function describe({ title, files, summary, notDone }: DoneTask): string {
  return [
    title,
    summary,
    `files: ${files.map(shownPath).join(", ")}`,
    ...(notDone === undefined ? [] : [`not done: ${notDone}`]),
  ].join("\n");
}
