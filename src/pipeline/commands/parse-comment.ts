import { createHash } from "node:crypto";
import MarkdownIt from "markdown-it";
import { type Misuse, readWords, type Words } from "../../domain/command-arguments.ts";
import { COMMAND_NAMES, COMMANDS, type Command, CommandName } from "../../domain/commands.ts";
import { nearest } from "../../domain/nearest.ts";
import type { ParsedCommand } from "../../domain/refusals.ts";
import { closes, hiddenSpans, openElement } from "./hidden-spans.ts";

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

const COMMAND = /^ {0,3}\/forge(?:[ \t]+(.*))?$/;

/** Blocks alone, as GitHub finds them: paragraphs, lists, quotes, fences, tables, HTML. At most 30 ms for the longest comment of any kind. */
const markdown = new MarkdownIt("default", { html: true });
markdown.core.ruler.enableOnly(["normalize", "block"]);

/**
 * Finds the lines that start with `/forge` as a whole word (GH-4), as GitHub would show them: in paragraphs, and not in code, quotes,
 * headings, tables or HTML, nor behind the marker of a list. What is doubtful counts as not a command, and so does everything in a comment
 * that carries a marker of Forge (GH-8b).
 */
export function commandLines(body: string): CommandLines {
  if (body.includes("<!-- forge:")) return { lines: [], alone: false };
  const found: string[] = [];
  let alone = true;
  let quotes = 0;
  // An element that shows its content as code or as a quote, and is open over several blocks.
  let element: string | undefined;
  const written = body.split(/\r\n?|\n/);
  const tokens = markdown.parse(body, {});
  for (const [index, { type, content, map }] of tokens.entries()) {
    if (type === "blockquote_open") quotes += 1;
    else if (type === "blockquote_close") quotes -= 1;
    else if (type === "html_block") {
      alone &&= /^ {0,3}<!--/.test(content);
      element = openElement(content, element);
    } else if (type === "inline" && quotes === 0 && tokens[index - 1]?.type === "paragraph_open") {
      const closed = element === undefined || closes(content, element);
      const { hidden, open } = hiddenLines(content);
      for (const [at, line] of written.slice(...map!).entries()) {
        const command = element !== undefined || hidden.has(at) ? null : COMMAND.exec(line);
        if (command) found.push((command[1] ?? "").trim());
        else alone = false;
      }
      element = closed ? open : element;
    } else if (OTHER_CONTENT.has(type) && quotes === 0) alone = false;
  }
  return { lines: found, alone };
}

/** What else of a comment people see; text within is an `inline` of one of these. */
const OTHER_CONTENT: ReadonlySet<string> = new Set(["heading_open", "fence", "code_block", "hr", "table_open"]);

/** Which lines of a paragraph begin in what is not plain text, 0-based, and the element that it leaves open. */
function hiddenLines(paragraph: string): { hidden: ReadonlySet<number>; open: string | undefined } {
  const spans = hiddenSpans(paragraph);
  const hidden = new Set<number>();
  let start = 0;
  let next = 0;
  for (const [at, line] of paragraph.split("\n").entries()) {
    while (next < spans.length && spans[next]!.end <= start) next += 1;
    if (next < spans.length && spans[next]!.start <= start) hidden.add(at);
    start += line.length + 1;
  }
  return { hidden, open: spans.find(({ open }) => open !== undefined)?.open };
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
