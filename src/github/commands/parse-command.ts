import { type Misuse, readWords, type Words } from "../../domain/command-arguments.ts";
import { COMMAND_NAMES, COMMANDS, type Command, CommandName } from "../../domain/commands.ts";
import { nearest } from "../../domain/nearest.ts";
import type { ParsedCommand } from "../../domain/refusals.ts";

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
