import type { IssueSnapshot } from "../../domain/implementation.ts";
import type { Plan } from "../../domain/plan.ts";
import { atLeast } from "../../domain/subjects.ts";
import type { Redact } from "../../safety/redact.ts";
import { dollars } from "../../safety/trip-rules.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { isProse } from "../../tools/data/clean-text.ts";
import { shownPath, showText } from "../../tools/data/show-text.ts";
import { type Evidence, evidenceSections } from "../evidence.ts";
import { promptInjection } from "../guardrails.ts";
import { type ProgramCall, sayCall } from "../implementer/find-type-check.ts";
import type { InstructionText } from "../reviewer/brief.ts";
import { type CurrentFile, showFiles } from "../show-files.ts";
import { type Wish, wishSections } from "../wishes.ts";
import { drawTree } from "./draw-tree.ts";

export interface PlanBrief {
  /** Of the issue. */
  readonly number: number;
  readonly issue: IssueSnapshot;
  /** Of an issue that Forge opened about production. */
  readonly evidence?: Evidence | undefined;
  /** Files of the base, as git lists them. */
  readonly paths: readonly string[];
  /** There are more files than `paths` names. */
  readonly truncated: boolean;
  /** Manifest and guides of the base: see `chooseDocuments`. */
  readonly documents: readonly InstructionText[];
  /** AGENTS.md, CLAUDE.md and the like, from the default branch (GH-15a). */
  readonly instructions: readonly InstructionText[];
  /** How tests are executed here, as the implementer is told; undefined where nothing can be. */
  readonly testing?: string | undefined;
  readonly testingMissing?: string | undefined;
  /** How types are checked here: see `findTypeCheck`. */
  readonly typeCheck?: ProgramCall | undefined;
  /** The files around what the issue names, drawn by `drawMap` around `findFocus`. */
  readonly map?: string | undefined;
  /** The files that the issue names or seems to be about, then what stands near them: see `findFocus` and `nearestFiles`. */
  readonly files?: readonly CurrentFile[];
  /** Later remarks of people with push; oldest first. */
  readonly wishes: readonly Wish[];
  /** The plan that they spoke about, where there is one. */
  readonly earlier?: Plan | undefined;
  /** Model calls that there are. */
  readonly steps: number;
  /** USD left for planning. */
  readonly leftUsd: number;
  readonly redact: Redact;
}

/** In characters; with the issue the whole message stays below about 40,000 tokens. */
const LIMITS = { tree: 10_000, document: 6_000, documents: 20_000, instruction: 12_000, instructions: 32_000 } as const;
const MAP_CHARACTERS = 8_000;
const PLAN_CHARACTERS = 16_000;
/** Newest comments whose words say which part of a long file is shown. */
const MOST_ASKED = 10;
const FILES = { each: 12_000, all: 32_000, part: 6_000 } as const;

/** The first message of a planner (PLAN-1): the repository first, which stays the same for long, then the issue, then what is to be done. */
export async function planTask(brief: PlanBrief): Promise<string> {
  const { number, issue, paths, truncated, documents, instructions, map, redact, wishes, earlier } = brief;
  const tree = drawTree(paths, LIMITS.tree);
  const documented = new Set([...documents, ...instructions].map(({ path }) => path));
  const files = brief.files?.filter(({ path }) => !documented.has(path)) ?? [];
  const said = [issue.body, ...issue.comments.slice(-MOST_ASKED)].map(({ text }) => text.slice(0, BODY_CHARACTERS));
  const about = [issue.title, ...said].join("\n");
  const shown = await showFiles(files, FILES, redact, about);
  return [
    `The files of the repository${truncated ? " (there are more than are listed)" : ""}, a line for each folder:\n${await showText({ from: "files", text: tree, prose: false, maxCharacters: LIMITS.tree + 200 }, redact)}`,
    ...(await texts("What it says about itself:", documents, LIMITS.document, LIMITS.documents, redact)),
    ...(await texts(
      "Its instructions for agents, from its default branch:",
      instructions,
      LIMITS.instruction,
      LIMITS.instructions,
      redact,
    )),
    ...(map === undefined || map === ""
      ? []
      : [
          `Code that the issue seems to be about, with what surrounds it (line and declaration; * is the focus):\n${await showText({ from: "map of the repository", text: map, prose: false, maxCharacters: MAP_CHARACTERS }, redact)}`,
        ]),
    ...(shown.blocks.length === 0
      ? []
      : [
          `Some of these files, whole where they are not too long (line number, bar, text):\n${shown.blocks.join("\n")}`,
        ]),
    brief.testing === undefined
      ? ["Tests cannot be executed here.", ...(brief.testingMissing === undefined ? [] : [brief.testingMissing])].join(
          " ",
        )
      : `Whoever implements executes tests by ${brief.testing}`,
    ...(brief.typeCheck === undefined ? [] : [`Types are checked by ${sayCall(brief.typeCheck)}.`]),
    ...(await evidenceSections(brief.evidence, redact)),
    ...(await issueSections(number, issue, redact)),
    ...(earlier === undefined
      ? []
      : [
          `The plan so far, which is to be changed as people say, and kept where they say nothing:\n${await showText({ from: "plan so far", text: JSON.stringify(earlier, null, 1), prose: false, maxCharacters: PLAN_CHARACTERS }, redact)}`,
        ]),
    ...(await wishSections(wishes, redact)),
    `${earlier === undefined ? "Plan the work on this issue." : "Hand in the whole plan anew, changed so."} You have ${brief.steps} steps and ${dollars(brief.leftUsd)}, the last step for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
}

/** Texts of files up to a bound for each and for all; those without room are named. */
async function texts(
  title: string,
  files: readonly InstructionText[],
  each: number,
  all: number,
  redact: Redact,
): Promise<string[]> {
  const shown: string[] = [];
  const left: string[] = [];
  let remaining = all;
  for (const { path, text } of files) {
    if (remaining <= 0) left.push(path);
    else {
      const block = await showText(
        { from: path, text, prose: isProse(path), maxCharacters: Math.min(each, remaining) },
        redact,
      );
      remaining -= block.length;
      shown.push(block);
    }
  }
  if (shown.length === 0) return [];
  return [
    `${title}\n${shown.join("\n")}${left.length === 0 ? "" : `\nNot shown for want of room: ${left.map(shownPath).join(", ")}.`}`,
  ];
}

type Said = IssueSnapshot["body"];

/** Characters of the issue's own text, of one comment, and of all comments together: about 13,000 tokens at most. */
const BODY_CHARACTERS = 20_000;
const COMMENT_CHARACTERS = 6_000;
const COMMENTS_CHARACTERS = 30_000;

/**
 * An issue as a model reads it (PLAN-1, SEC-5): each text by itself between marks, with who wrote it and whether they may push. Of a long
 * conversation the newest comments are kept, as they correct the older ones.
 */
async function issueSections(number: number, issue: IssueSnapshot, redact: Redact): Promise<string[]> {
  const { title, body, labels, comments, leftOut } = issue;
  const texts: string[] = [];
  let remaining = COMMENTS_CHARACTERS;
  for (const [at, comment] of [...comments.entries()].reverse()) {
    const text = await show(`comment ${at + 1}`, comment, comment.text, COMMENT_CHARACTERS, redact);
    remaining -= text.length;
    if (remaining < 0) break;
    texts.unshift(text);
  }
  const missing = comments.length - texts.length + leftOut.comments;
  const titled = `title: ${title}\nlabels: ${labels.join(", ") || "none"}\n\n${body.text}`;
  return [
    `The issue, as it stood when the work was asked for:\n${await show(`issue ${number}`, body, titled, BODY_CHARACTERS, redact)}`,
    ...(missing > 0 ? [`${counted(missing, "older comment")} left out.`] : []),
    ...(leftOut.characters > 0 ? [`${counted(leftOut.characters, "character")} cut off.`] : []),
    ...(texts.length === 0 ? [] : [`What was said about it, oldest first:\n${texts.join("\n")}`]),
  ];
}

async function show(
  what: string,
  { by, role, at }: Said,
  text: string,
  maxCharacters: number,
  redact: Redact,
): Promise<string> {
  const trusted = atLeast(role, "write");
  const who = `${by.login}${by.kind === "bot" ? ", a bot" : ""}`;
  const rights = trusted ? `may push (${role})` : `UNTRUSTED, may not push (${role})`;
  const from = visibleText(`${what} of ${who}, ${rights}, ${at.slice(0, 10)}`);
  const shown = await showText({ from, text, prose: true, maxCharacters }, redact);
  const verdict = promptInjection.check({ stage: "tool_output", text });
  return verdict.pass || trusted ? shown : `[Careful: ${verdict.reason}]\n${shown}`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? " was" : "s were"}`;
}
