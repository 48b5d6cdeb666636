import { COMMAND_NAMES, type CommandName } from "../../domain/commands.ts";

/** What people can ask for by a line in a comment. Words offer a command only while it is in this list. */
export const AVAILABLE_COMMANDS: readonly CommandName[] = COMMAND_NAMES;
