import type { ParsedCommand } from "../../domain/refusals.ts";
import { commandLines } from "./command-lines.ts";
import { parseCommand } from "./parse-command.ts";

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
