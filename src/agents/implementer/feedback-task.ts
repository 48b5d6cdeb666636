import type { Feedback } from "../../domain/implementation.ts";
import type { Plan } from "../../domain/plan.ts";
import { dollars } from "../../safety/trip-rules.ts";
import { shownPath, showText } from "../../tools/data/show-text.ts";
import type { CurrentFile } from "../show-files.ts";
import type { Start } from "./implement-task.ts";
import {
  checkSections,
  fileSections,
  instructionSections,
  list,
  planSections,
  type Workplace,
} from "./work-sections.ts";

export interface FeedbackBrief extends Workplace {
  /** Undefined on a branch that no plan made. */
  readonly plan?: Plan | undefined;
  readonly feedback: readonly Feedback[];
  /** Whether somebody may push: what others say is marked as untrusted (SEC-5). */
  readonly mayPush: (login: string) => boolean;
  /** Files that the branch changes against its base. */
  readonly changed: readonly string[];
  /** Its change to them, as `git diff` prints it against the base, to tell old faults from new ones. */
  readonly diff?: string | undefined;
  /** Files that the feedback is about, as they are now in the clone: see `filesOfFeedback`. */
  readonly files: readonly CurrentFile[];
  /** Imported and neighbouring files: see `nearestFiles`. */
  readonly near?: readonly CurrentFile[];
}

const ITEM_CHARACTERS = 6_000;
const LOG_CHARACTERS = 10_000;
const ALL_ITEMS = 60_000;
const DIFF_CHARACTERS = 24_000;

/** The first message of an implementer that works on feedback (IMPL-2): all of it, each piece with its id. */
export async function feedbackTask(brief: FeedbackBrief): Promise<Start> {
  const { plan, feedback, changed, diff, files, near = [], redact, steps, leftUsd } = brief;
  const shown = await fileSections(files, near, redact, feedback.map(placeAndText).join("\n"));
  const items = await showItems(brief);
  const ids = feedback.map(({ id }) => id);
  const sections = [
    ...(await instructionSections(brief)),
    ...checkSections(brief),
    ...(plan ? await planSections(plan, redact) : []),
    `Files that the branch changes:\n${await showText({ from: "list of files", text: changed.map(shownPath).join("\n"), prose: false, maxCharacters: 6_000 }, redact)}`,
    ...(diff === undefined || diff === ""
      ? []
      : [
          `What it changes:\n${await showText({ from: "diff of the branch", text: diff, prose: false, maxCharacters: DIFF_CHARACTERS }, redact)}`,
        ]),
    ...shown.sections,
    `The feedback, ${feedback.length === 1 ? "one piece" : `${feedback.length} pieces`}:\n${items.join("\n")}`,
    `Work on exactly that and answer each: ${ids.join(", ")}. You have ${steps} steps and ${dollars(leftUsd)}, the last step for \`complete\`; one step can hold many calls.`,
  ];
  return { task: sections.join("\n\n"), read: shown.read };
}

/** Files that feedback names, in its order, without repetition: what the implementer has to see first. */
export function filesOfFeedback(feedback: readonly Feedback[]): string[] {
  const named = feedback.flatMap((item) => {
    if (item.from === "conflict") return item.files;
    return "file" in item && item.file !== undefined ? [item.file] : [];
  });
  return [...new Set(named)];
}

/** Every piece is shown; where there are many, each is cut shorter. */
async function showItems({ feedback, mayPush, redact }: FeedbackBrief): Promise<string[]> {
  const fair = Math.max(800, Math.floor(ALL_ITEMS / Math.max(1, feedback.length)));
  return Array.fromAsync(feedback, (item) => {
    const log = item.from === "ci";
    const maxCharacters = Math.min(log ? LOG_CHARACTERS : ITEM_CHARACTERS, fair);
    const prose = item.from === "person" || item.from === "instruction";
    const from = `${item.id}: ${sourceOf(item, mayPush)}`;
    return showText({ from, text: textOf(item), prose, maxCharacters, log }, redact);
  });
}

/** The subject of a piece, with its lines as `path:line`. */
function placeAndText(item: Feedback): string {
  const lines = item.from === "coverage" ? item.ranges.map(([from]) => from) : "line" in item ? [item.line] : [];
  const places = "file" in item ? lines.map((line) => `${item.file}:${line}`) : [];
  return [...places, textOf(item)].join("\n");
}

function sourceOf(item: Feedback, mayPush: FeedbackBrief["mayPush"]): string {
  switch (item.from) {
    case "review":
      return `finding of the review, ${item.severity}, ${item.file}:${item.line}`;
    case "tests":
      return `failed test ${item.name}${item.file === undefined ? "" : ` in ${item.file}`}`;
    case "coverage":
      return `lines of ${item.file} that no test reaches`;
    case "ci":
      return `failed job ${item.name}`;
    case "person": {
      const place = item.file === undefined ? "" : ` on ${item.file}${item.line === undefined ? "" : `:${item.line}`}`;
      return `comment of ${item.by}${place}, ${mayPush(item.by) ? "may push" : "UNTRUSTED, may not push"}`;
    }
    case "instruction":
      return `instruction of ${item.by}, may push`;
    case "conflict":
      return "the base moved and does not merge";
    default:
      return item satisfies never;
  }
}

function textOf(item: Feedback): string {
  switch (item.from) {
    case "review":
      return [item.message, ...named("evidence", item.evidence), ...named("suggestion", item.suggestion)].join("\n");
    case "tests":
      return [item.message, ...named("what would mend it", item.fix)].join("\n");
    case "conflict":
      return [item.message, ...list("files", item.files.map(shownPath))].join("\n");
    case "coverage":
    case "ci":
    case "person":
    case "instruction":
      return item.message;
  }
}

function named(name: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`${name}:\n${text}`];
}
