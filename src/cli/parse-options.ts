import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./dispatch.ts";
import { nearOption, plainOptions } from "./typed-options.ts";

/**
 * The options and other words of a command, with any kind of dashes.
 * @param meant what other programs call an option, and how it is typed here
 * @throws UsageError that names the nearest option
 */
export function parseOptions<Config extends ParseArgsConfig>(
  args: readonly string[],
  config: Config,
  meant: ReadonlyMap<string, string> = new Map(),
): ReturnType<typeof parseArgs<Config>> {
  const options = config.options ?? {};
  const known = Object.keys(options);
  const plain = plainOptions(args, known);
  const { tokens } = parseArgs({ options, args: plain, strict: false, tokens: true, allowPositionals: true });
  for (const token of tokens) {
    if (token.kind === "positional" && config.allowPositionals !== true)
      throw new UsageError(`unexpected argument ${JSON.stringify(token.value)}`);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
    if (type === undefined) {
      const other = meant.get(name);
      const hint = other === undefined ? nearOption([rawName], [...known, "help"]) : ` Did you mean ${other}?`;
      throw new UsageError(`unknown option ${rawName}.${hint}`);
    }
    if (type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value`);
    if (type === "boolean") continue;
    if (value === undefined) throw new UsageError(`${rawName} needs a value`);
    // `--base --all` is more often a forgotten value than a strange one.
    if (!inlineValue && value.length > 1 && value.startsWith("-"))
      throw new UsageError(`${rawName} needs a value; if ${value} is the value, write ${rawName}=${value}`);
  }
  return parseArgs<Config>({ ...config, args: plain });
}

/** For commands with `--format`: `--json` is what many other programs, and commands of Forge without other formats, take. */
export function formatOptions(formats: readonly string[]): ReadonlyMap<string, string> {
  return new Map(formats.map((format) => [format, `--format ${format}`]));
}

/** The value of an option that takes one of a few words. @throws UsageError */
export function oneOf<Word extends string>(option: string, words: readonly Word[], given: string): Word {
  const known = words.find((word) => word === given);
  if (known === undefined)
    throw new UsageError(`${option} is one of ${words.join(", ")}, not ${JSON.stringify(given)}`);
  return known;
}
