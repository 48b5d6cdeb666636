import type { CommandName, Refusal } from "../../domain/commands.ts";

/** What follows the name of a command, word by word. */
export interface Words {
  readonly plain: readonly string[];
  /** `--name` or `--name=value`; `--path` takes the next word where it has no value. */
  readonly options: ReadonlyMap<string, string>;
}

/** Options of the commands that have any; `true` for those with a value. */
const OPTIONS: Readonly<Partial<Record<CommandName, Readonly<Record<string, boolean>>>>> = {
  review: { full: false },
  dismiss: { here: false, path: true, rule: false },
  pause: { repository: false },
  unpause: { repository: false },
};

/** Tells the options of a command from its other words; an option that it does not know is refused. */
export function readWords(name: CommandName, words: readonly string[]): Words | Refusal {
  const known = OPTIONS[name] ?? {};
  const plain: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const option = /^--([a-z][a-z-]*)(?:=(.*))?$/i.exec(words[at]!);
    if (!option) {
      plain.push(words[at]!);
      continue;
    }
    const key = option[1]!.toLowerCase();
    const takesValue = Object.hasOwn(known, key) ? known[key] : undefined;
    if (takesValue === undefined || (!takesValue && option[2] !== undefined)) {
      return { reason: "unknown_option", name, written: words[at]! };
    }
    if (takesValue && option[2] === undefined) at += 1;
    const value = takesValue ? unquoted(option[2] ?? words[at] ?? "") : "";
    if (takesValue && value === "") return { reason: "missing_value", name, option: `--${key}` };
    options.set(key, value);
  }
  return { plain, options };
}

/**
 * A word without the marks that people put around it. Counts from the end by hand: a pattern would begin anew at each of a thousand marks.
 */
export function unquoted(word: string): string {
  let end = word.length;
  while (end > 0 && CLOSING_MARKS.has(word[end - 1]!)) end -= 1;
  return word.slice(0, end).replace(/^[`"'(<]+/, "");
}

const CLOSING_MARKS = new Set("`\"')>.,;:");
