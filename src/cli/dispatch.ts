import { ForgeError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { plainly, splitWords } from "../domain/typed-words.ts";
import { calledAs } from "../workspace/called-as.ts";
import { ownVersion } from "../workspace/own-version.ts";
import type { CommandText } from "./command-text.ts";
import { commandHelp, overview, usageLines } from "./help.ts";

/** Exit codes that scripts may rely on: 64 is wrong usage and 70 an error of Forge itself, a hang (EX_USAGE and EX_SOFTWARE of sysexits.h). */
export const EXIT = { ok: 0, failed: 1, usage: 64, hung: 70 } as const;

export interface Command extends CommandText {
  /** Resolves to the exit code; throws `UsageError` when the arguments are wrong. */
  run(args: readonly string[]): Promise<number>;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

const HELP = ["help", "--help", "-h"];
const VERSION = ["version", "--version", "-v", "-V"];

/** Runs the named command, or prints its help or the version. Without a command it lists all of them. */
export async function dispatch(commands: readonly Command[], argv: readonly string[]): Promise<number> {
  const [first, ...args] = argv;
  if (first === undefined) return printed(overview(commands, calledAs()), EXIT.usage);
  if (VERSION.includes(first)) return printed(`forge ${ownVersion()}\n`);
  const isHelp = HELP.includes(first);
  const name = isHelp ? args.find((arg) => !HELP.includes(arg)) : first;
  if (name === undefined) return printed(overview(commands, calledAs()));
  const command = commands.find((it) => it.name === name);
  if (!command) return refuse(unknownCommand(commands, name), [`List of commands: ${calledAs()} --help`]);
  if (isHelp || asksForHelp(args)) return printed(commandHelp(command, calledAs()));
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError)
      return refuse(error.message, [...usageLines(command, calledAs()), `Help:  ${calledAs()} help ${name}`]);
    // A known failure is a sentence for the user. Any other error is a bug, and its stack is shown.
    if (!(error instanceof ForgeError)) throw error;
    process.stderr.write(`forge: ${error.message}\n`);
    return EXIT.failed;
  }
}

function printed(text: string, code: number = EXIT.ok): number {
  process.stdout.write(text);
  return code;
}

function refuse(message: string, lines: readonly string[]): number {
  process.stderr.write(`forge: ${message}\n${lines.join("\n")}\n`);
  return EXIT.usage;
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

function unknownCommand(commands: readonly Command[], name: string): string {
  const typed = plainly(splitWords(name)[0] ?? "").toLowerCase();
  const isOption = typed.startsWith("-");
  const known = isOption ? ["--help", "--version"] : ["help", "version", ...commands.map((it) => it.name)];
  const near = nearest(typed, known, Math.min(2, Math.floor(typed.length / 2)));
  const hint = near === undefined ? "" : ` Did you mean ${calledAs()} ${near}?`;
  return `unknown ${isOption ? "option" : "command"} ${JSON.stringify(name)}.${hint}`;
}
