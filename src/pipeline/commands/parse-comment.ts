import { createHash } from "node:crypto";
import { type Misuse, readWords, type Words } from "../../domain/command-options.ts";
import { COMMAND_NAMES, COMMANDS, type Command, CommandName } from "../../domain/commands.ts";
import { nearest } from "../../domain/nearest.ts";
import type { ParsedCommand } from "../../domain/refusals.ts";
import { bare, plainly, splitWords } from "../../domain/typed-words.ts";
import { commandLines, LONGEST_COMMENT } from "./command-lines.ts";

/** At most this many commands of one comment are carried out; a comment can hold thousands. */
export const COMMANDS_PER_COMMENT = 10;

export interface ParsedComment {
  /** In the order in which they were written. */
  readonly commands: readonly ParsedCommand[];
  /** Whether the commands are all that the comment says: then a refusal may be said in words. */
  readonly alone: boolean;
}

/** Reads the commands of a comment (GH-4); what lies beyond the limit is refused once, as a whole. */
export function parseCommands(body: string): ParsedComment {
  const { lines, alone } = commandLines(body);
  if (body.length > LONGEST_COMMENT)
    return { commands: lines.map(() => ({ refusal: { reason: "too_long", limit: LONGEST_COMMENT } as const })), alone };
  const commands = lines.slice(0, COMMANDS_PER_COMMENT).map(parseCommand);
  const tooMany = lines.length > COMMANDS_PER_COMMENT;
  const refusal = { reason: "too_many", limit: COMMANDS_PER_COMMENT } as const;
  return { commands: tooMany ? [...commands, { refusal }] : commands, alone };
}

/** How far a mistyped word may be from the command that is offered. */
const NEAR = 3;

/** Characters of a text that are read; what is beyond is cut. */
const MAXIMUM_TEXT = 2_000;

/** A row, whichever it is. */
interface AnyRow {
  readonly usage: string;
  readonly takesText?: true;
  readonly read: (words: Words, name: CommandName) => object | Misuse<CommandName>;
}

/** Reads what follows `/forge` on a line, with any kind of spaces, dashes and quotes. A line with nothing more asks for help. */
export function parseCommand(line: string): ParsedCommand {
  const [first = "help", ...rest] = splitWords(line);
  const asked = plainly(first).toLowerCase();
  const { data: name } = CommandName.safeParse(asked);
  if (name === undefined) {
    const near = nearest(bare(asked), COMMAND_NAMES, Math.min(NEAR, Math.floor(first.length / 2)));
    return { refusal: { reason: "unknown_command", written: first, ...(near ? { nearest: near } : {}) } };
  }
  const { usage, takesText, read }: AnyRow = COMMANDS[name];
  const text = line
    .slice(line.indexOf(first) + first.length)
    .trim()
    .slice(0, MAXIMUM_TEXT);
  const words = takesText ? { plain: [], options: new Map<string, string>() } : readWords(name, usage, rest);
  if ("refusal" in words) return words;
  const args = read({ ...words, text }, name);
  return "refusal" in args ? args : { command: { name, ...args } as Command };
}

/** What a reply in a finding's thread begins with when a person dismisses the finding in plain words (GH-8a). */
const DISMISSAL = /^(?:not an issue|false positive|won['’]?t ?fix|will not fix|by design|accepted)(?=$|[\s.,;:!)–—-])/i;

/** Longest reason that is kept of a reply. */
const MAXIMUM_REASON = 500;

/** The reason that a plain reply gives for a dismissal: its first paragraph; undefined when it does not begin like one. */
export function dismissalReason(body: string): string | undefined {
  if (body.length > LONGEST_COMMENT) return undefined;
  const text = body.trimStart();
  // Only the beginning decides. Each quote and space is replaced by one plain character.
  const begins = text
    .slice(0, 40)
    .replace(/[\u2018\u201b\u2032\u00b4`]/g, "'")
    .replace(/\p{Zs}/gu, " ");
  if (body.includes("<!-- forge:") || !DISMISSAL.test(begins)) return undefined;
  const [paragraph = ""] = text.split(/\r?\n[ \t]*\r?\n/);
  return paragraph.replace(/\s+/g, " ").trim().slice(0, MAXIMUM_REASON);
}

/** The command line that stands for each button (GH-5), and for the label that asks for work (GH-1). */
const PRESSED: Readonly<Record<string, string>> = {
  review: "review",
  "review-full": "review --full",
  unpause: "unpause",
  resume: "resume",
  test: "test",
  implement: "implement",
};

/** What a button, or another run of a check, asks for, as a person would write it; undefined for a button that is not ours. */
export function commandOfButton(identifier: string): string | undefined {
  const answer = /^(approve|reject)-(G-[1-9]\d{0,5})$/.exec(identifier);
  if (answer) return `${answer[1]} ${answer[2]}`;
  const deploy = /^deploy-(staging|production)-([0-9a-f]{40}|[0-9a-f]{64})$/.exec(identifier);
  if (deploy) return `deploy ${deploy[1]} ${deploy[2]}`;
  return Object.hasOwn(PRESSED, identifier) ? PRESSED[identifier] : undefined;
}

/** By this a comment is known to be the very one that the webhook brought; its text itself is not kept. */
export function bodyHash(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}
