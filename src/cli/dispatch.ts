import { type ParseArgsConfig, parseArgs } from "node:util";
import { ForgeError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { plainly, splitWords } from "../domain/typed-words.ts";
import { nearOption, plainOptions } from "./typed-options.ts";

/** Exit codes that scripts may rely on: 64 is wrong usage and 70 an error of Forge itself, a hang (EX_USAGE and EX_SOFTWARE of sysexits.h). */
export const EXIT = { ok: 0, failed: 1, usage: 64, hung: 70 } as const;

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly does: string;
  /** Further lines of its `--help`; a command that has a help of its own answers by itself. */
  readonly more?: readonly string[] | "itself";
  /** Resolves to the exit code; throws `UsageError` when the arguments are wrong. */
  run(args: readonly string[]): Promise<number>;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Runs the named command; without one, or with one that does not exist, says which there are. */
export async function dispatch(commands: readonly Command[], argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(overview(commands));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = commands.find((it) => it.name === name);
  if (!command) {
    const typed = plainly(splitWords(name)[0] ?? "").toLowerCase();
    const near = nearest(
      typed,
      commands.map((it) => it.name),
      Math.min(2, Math.floor(typed.length / 2)),
    );
    const hint = near === undefined ? "" : `. Did you mean forge ${near}?`;
    process.stderr.write(`forge: there is no command ${JSON.stringify(name)}${hint}\n\n${overview(commands)}`);
    return EXIT.usage;
  }
  if (command.more !== "itself" && args.some((arg) => arg === "--help" || arg === "-h")) {
    const lines = [`usage: forge ${command.usage}`, "", sentence(command.does), ...(command.more ?? [])];
    process.stdout.write(`${lines.join("\n")}\n`);
    return EXIT.ok;
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`forge: ${error.message}\nusage: forge ${command.usage}\n`);
      return EXIT.usage;
    }
    // A known failure is a sentence for people; anything else is a bug and shows its stack.
    if (!(error instanceof ForgeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT.failed;
  }
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, does }) => `  forge ${usage.padEnd(width)}  ${does}`);
  return `${lines.join("\n")}\n`;
}

/** Of `forge run`, whose own help begins with it. It stands here because the file of that command is loaded for it alone. */
export const RUN_USAGE = 'run "<task>" [--repo <folder>] [--yes] [--report <file>] [--record <file>] | run --help';

/** The options and other words of a command, with any kind of dashes. @throws UsageError that names the nearest option */
export function parseOptions<Config extends ParseArgsConfig>(
  args: readonly string[],
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const known = Object.keys(config.options ?? {});
  try {
    return parseArgs<Config>({ ...config, args: plainOptions(args, known) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw new UsageError(message);
    // What Node says behind its first sentence is how to hand over a file that is called like an option.
    const [sentence] = message.split(". ");
    throw new UsageError(`${sentence}.${nearOption(args, known)}`);
  }
}

/** The value of an option that takes one of a few words. @throws UsageError */
export function oneOf<Word extends string>(option: string, words: readonly Word[], given: string): Word {
  const known = words.find((word) => word === given);
  if (known === undefined)
    throw new UsageError(`${option} is one of ${words.join(", ")}, not ${JSON.stringify(given)}`);
  return known;
}
