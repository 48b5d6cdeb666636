import { optionIn } from "../domain/command-options.ts";
import { nearest } from "../domain/nearest.ts";
import { splitWords } from "../domain/typed-words.ts";

/** Arguments with the two dashes of a keyboard. An option copied from a page or a phone may begin with one long dash (`—base`). */
export function plainOptions(args: readonly string[], known: readonly string[]): string[] {
  const end = args.indexOf("--");
  return args.map((arg, at) => {
    const option = end === -1 || at < end ? optionIn(arg) : undefined;
    if (!option?.written || arg.startsWith("--") || nearestOption(option.key, known) === undefined) return arg;
    return `--${option.key}${option.value === undefined ? "" : `=${option.value}`}`;
  });
}

/** A sentence that names the known option nearest to the one that is not known. Empty when none is near. */
export function nearOption(args: readonly string[], known: readonly string[]): string {
  const options = args.flatMap((arg) => optionIn(splitWords(arg)[0] ?? "") ?? []);
  const unknown = options.find(({ key }) => !known.includes(key)) ?? options.find(({ written }) => !written);
  const near = nearestOption((unknown ?? options[0])?.key ?? "", known);
  return near === undefined ? "" : ` Did you mean --${near}?`;
}

function nearestOption(key: string, known: readonly string[]): string | undefined {
  return nearest(key, known, Math.min(2, Math.floor(key.length / 2)));
}
