import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./dispatch.ts";

/** The options and other words of a command. @throws UsageError */
export function parseOptions<Config extends ParseArgsConfig>(
  args: readonly string[],
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs<Config>({ ...config, args: [...args] });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The value of an option that takes one of a few words. @throws UsageError */
export function oneOf<Word extends string>(option: string, words: readonly Word[], given: string): Word {
  const known = words.find((word) => word === given);
  if (known === undefined)
    throw new UsageError(`${option} is one of ${words.join(", ")}, not ${JSON.stringify(given)}`);
  return known;
}
