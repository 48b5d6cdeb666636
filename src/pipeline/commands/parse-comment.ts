import { createHash } from "node:crypto";
import { type Misuse, readWords, type Words } from "../../domain/command-arguments.ts";
import { COMMAND_NAMES, COMMANDS, type Command, CommandName } from "../../domain/commands.ts";
import { nearest } from "../../domain/nearest.ts";
import type { ParsedCommand } from "../../domain/refusals.ts";
import { hiddenSpans } from "./hidden-spans.ts";

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

/** Reads what follows `/forge` on a line. A line with nothing more asks for help. */
export function parseCommand(line: string): ParsedCommand {
  const [first = "help", ...rest] = line.split(/[ \t]+/).filter((word) => word !== "");
  const { data: name } = CommandName.safeParse(first.toLowerCase());
  if (name === undefined) {
    const near = nearest(first.toLowerCase(), COMMAND_NAMES, Math.min(NEAR, Math.floor(first.length / 2)));
    return { refusal: { reason: "unknown_command", written: first, ...(near ? { nearest: near } : {}) } };
  }
  const { usage, takesText, read }: AnyRow = COMMANDS[name];
  const text = line.trim().slice(first.length).trim().slice(0, MAXIMUM_TEXT);
  const words = takesText ? { plain: [], options: new Map<string, string>() } : readWords(name, usage, rest);
  if ("refusal" in words) return words;
  const args = read({ ...words, text }, name);
  return "refusal" in args ? args : { command: { name, ...args } as Command };
}

/** What a comment asks for, before it is understood. */
export interface CommandLines {
  /** What follows `/forge` on each command line, in order. */
  readonly lines: readonly string[];
  /** Whether the comment holds nothing else that a person wrote; a quote is not the commenter's own. */
  readonly alone: boolean;
}

const COMMAND = /^ {0,3}\/forge(?:[ \t]+(.*))?$/s;
const LIST_MARKERS = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) +)+/;
/** A line that ends a quote although nothing separates the two; any other line goes on with the quote's paragraph. */
const NEW_BLOCK = /^ {0,3}(?:`{3,}|~{3,}|#{1,6}(?:\s|$)|[-*+]\s|\d{1,9}[.)]\s|<)/;

/**
 * Finds the lines that start with `/forge` as a whole word (GH-4), as GitHub would show them: not in code blocks, quotes, HTML comments
 * or code spans. What is doubtful counts as not a command, and so does everything in a comment that carries a marker of Forge (GH-8b).
 */
export function commandLines(body: string): CommandLines {
  if (body.includes("<!-- forge:")) return { lines: [], alone: false };
  const found: string[] = [];
  let alone = true;
  let block: ((line: string) => boolean) | undefined;
  let inQuote = false;
  let paragraph: string[] = [];

  const endParagraph = () => {
    for (const { line, hidden } of visibleLines(paragraph)) {
      const command = hidden ? null : COMMAND.exec(line);
      if (command) found.push((command[1] ?? "").trim());
      else alone = false;
    }
    paragraph = [];
  };

  for (const line of body.split(/\r\n|\r|\n/)) {
    if (block) {
      if (block(line)) block = undefined;
      continue;
    }
    const inner = line.replace(LIST_MARKERS, "");
    const isBlank = line.trim() === "";
    const isQuote = /^ {0,3}>/.test(inner);
    if (isBlank || isQuote) {
      endParagraph();
      inQuote = isQuote && holdsParagraph(inner);
    } else if (!inQuote || NEW_BLOCK.test(line)) {
      inQuote = false;
      const opened = openBlock(inner);
      if (opened) {
        endParagraph();
        alone = alone && opened.isComment;
        block = opened.endsAtOnce ? undefined : opened.ends;
      } else paragraph.push(line);
    }
  }
  endParagraph();
  return { lines: found, alone };
}

function holdsParagraph(quote: string): boolean {
  const text = quote.replace(/^[\s>]+/, "");
  return text !== "" && !/^(?:`{3,}|~{3,}|#{1,6}(?:\s|$))/.test(text);
}

interface Block {
  readonly ends: (line: string) => boolean;
  readonly endsAtOnce: boolean;
  readonly isComment: boolean;
}

/** A code fence, an HTML comment or an element that shows what is in it as code or as a quote. One that is never closed has the rest. */
function openBlock(line: string): Block | undefined {
  const fence = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
  if (fence) {
    const opening = fence[1] ?? fence[2]!;
    const closing = new RegExp(`^\\s*${opening[0]}{${opening.length},}[ \\t]*$`);
    return { ends: (later) => closing.test(later), endsAtOnce: false, isComment: false };
  }
  if (/^ {0,3}<!--/.test(line)) {
    const ends = (later: string) => later.includes("-->");
    return { ends, endsAtOnce: ends(line), isComment: true };
  }
  const element = /^ {0,3}<(pre|script|style|textarea|blockquote|code|samp)(?:[\s>]|$)/i.exec(line);
  if (!element) return undefined;
  const end = `</${element[1]!.toLowerCase()}`;
  const ends = (later: string) => later.toLowerCase().includes(end);
  return { ends, endsAtOnce: ends(line), isComment: false };
}

function visibleLines(paragraph: readonly string[]): { line: string; hidden: boolean }[] {
  const spans = paragraph.some((line) => COMMAND.test(line)) ? hiddenSpans(paragraph.join("\n")) : [];
  let offset = 0;
  return paragraph.map((line) => {
    const at = offset;
    offset += line.length + 1;
    return { line, hidden: spans.some(({ start, end }) => start <= at && at < end) };
  });
}

/** What a reply in a finding's thread begins with when a person dismisses the finding in plain words (GH-8a). */
const DISMISSAL = /^(?:not an issue|false positive|won['’]?t ?fix|will not fix|by design|accepted)(?=$|[\s.,;:!)–—-])/i;

/** Longest reason that is kept of a reply. */
const MAXIMUM_REASON = 500;

/** The reason that a plain reply gives for a dismissal: its first paragraph; undefined when it does not begin like one. */
export function dismissalReason(body: string): string | undefined {
  const text = body.trimStart();
  if (body.includes("<!-- forge:") || !DISMISSAL.test(text)) return undefined;
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

/** What pressing a button asks for, as one would write it; undefined for a button that is not ours. */
export function commandOfButton(identifier: string): string | undefined {
  const answer = /^(approve|reject)-(G-[1-9]\d{0,5})$/.exec(identifier);
  if (answer) return `${answer[1]} ${answer[2]}`;
  return Object.hasOwn(PRESSED, identifier) ? PRESSED[identifier] : undefined;
}

/** By this a comment is known to be the very one that the webhook brought; its text itself is not kept. */
export function bodyHash(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}
