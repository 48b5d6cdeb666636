import { defined } from "./defined.ts";
import { ENVIRONMENTS, type Environment } from "./deployments.ts";
import { nearest } from "./nearest.ts";
import { CHECK_NAMES, type CheckName } from "./phases.ts";
import { looksLikeId, nearestName, plainly, quotedWords, unquoted } from "./typed-words.ts";

/** What follows the name of a command. */
export interface Words {
  /** Word by word, as typed, without the options. */
  readonly plain: readonly string[];
  /** `--name` or `--name=value`; one with a value takes the next word, or the next words in quotes, where it has none. */
  readonly options: ReadonlyMap<string, string>;
  /** The rest of the line as it was typed, cut to length. A command of text has only this. */
  readonly text: string;
}

/** The arguments of a command were not understood; `Refusal` has all of these. `N`: the command. */
export interface Misuse<N extends string> {
  readonly refusal: Fault<N>;
}
type Fault<N extends string> =
  | { readonly reason: "unknown_option"; readonly name: N; readonly written: string; readonly nearest?: string }
  | { readonly reason: "missing_value"; readonly name: N; readonly option: string }
  | { readonly reason: "unexpected"; readonly name: N; readonly written: string }
  | { readonly reason: "one_finding"; readonly name: N }
  | { readonly reason: "reason_missing"; readonly name: N; readonly why: "override" }
  | { readonly reason: "two_scopes" | "question_missing" | "answer_missing" | "nothing_to_remember" | "which_memory" }
  | { readonly reason: "bad_glob"; readonly written: string; readonly fault: string }
  | { readonly reason: "unknown_check"; readonly written?: string; readonly nearest?: CheckName }
  | { readonly reason: "unknown_environment"; readonly written: string; readonly nearest: Environment }
  | { readonly reason: "unknown_limit"; readonly written?: string }
  | { readonly reason: "unknown_class"; readonly written: string }
  | { readonly reason: "unknown_phase" | "unknown_level"; readonly written: string };

/**
 * Tells the options of a command from its other words. A word with two dashes is always an option, and is refused when `usage` does not name
 * it. Phones turn two dashes into one long dash, so a word behind a single dash can be an option too: it is read as one when it names one, and
 * refused when it nearly names one or comes where an argument is expected. Otherwise it is part of a sentence.
 */
export function readWords<N extends string>(
  name: N,
  usage: string,
  words: readonly string[],
): Omit<Words, "text"> | Misuse<N> {
  const known = optionsOf(usage);
  const plain: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const option = optionIn(word);
    const near = option && nearest(option.key, [...known.keys()], Math.min(2, Math.floor(option.key.length / 2)));
    const takesValue = option && known.get(option.key);
    const meant = option?.sure || near !== undefined || plain.every(isArgument);
    if (!option || !meant) {
      plain.push(word);
      continue;
    }
    const bareFlag = takesValue === false && option.value === undefined;
    if (!option.written || (takesValue !== true && !bareFlag)) {
      const offered = near && { nearest: `--${near}` };
      return { refusal: { reason: "unknown_option", name, written: word, ...defined(offered ?? {}) } };
    }
    const { value, used } = takesValue ? takeValue(words, at, option.value) : { value: "", used: 0 };
    // Phones make one long dash of two hyphens. Within a sentence the same dash only divides its parts.
    if (!option.sure && !plain.every(isArgument) && at + used < words.length - 1)
      return { refusal: { reason: "unknown_option", name, written: word, ...defined({ nearest: `--${option.key}` }) } };
    if (takesValue && value === "") return { refusal: { reason: "missing_value", name, option: `--${option.key}` } };
    at += used;
    options.set(option.key, value);
  }
  return { plain, options };
}

/** The value of the option at `at`, and how many of the words behind that it takes. */
function takeValue(words: readonly string[], at: number, own: string | undefined): { value: string; used: number } {
  const next =
    own === undefined ? words.slice(at + 1, at + 1 + MOST_QUOTED) : [own, ...words.slice(at + 1, at + MOST_QUOTED)];
  if (next.length === 0 || (own === undefined && optionIn(next[0]!)?.sure)) return { value: "", used: 0 };
  const length = quotedWords(next);
  return { value: unquoted(next.slice(0, length).join(" ")), used: own === undefined ? length : length - 1 };
}

/** Words that a value in quotes may have. */
const MOST_QUOTED = 20;

export interface TypedOption {
  readonly key: string;
  readonly value?: string;
  /** Typed with two dashes, so it cannot mean anything else. */
  readonly sure: boolean;
  /** Typed with two dashes or one long dash. A single hyphen is how other programs write options. */
  readonly written: boolean;
}

/** Reads `--name` and `--name=value`, with any kind of dash. Undefined when the word is not an option. */
export function optionIn(word: string): TypedOption | undefined {
  const [head = ""] = word.split("=", 1);
  const [, dashes = "", key] = /^(-{1,2})([a-z][a-z-]*)$/i.exec(plainly(head)) ?? [];
  if (key === undefined) return undefined;
  const value = head.length < word.length ? word.slice(head.length + 1) : undefined;
  const sure = dashes.length === 2;
  return { key: key.toLowerCase(), sure, written: sure || !HYPHENS.has(head[0]!), ...defined({ value }) };
}

/** Dashes as short as the one on a keyboard. */
const HYPHENS = new Set("-\u2010\u2011\ufe63\uff0d");

/** Whether a word can come before a reason. Any other word begins the reason. */
function isArgument(word: string): boolean {
  return looksLikeId(word) || nearestName(word, [...ENVIRONMENTS, ...CHECK_NAMES]) !== undefined;
}

/** `[--here | --path <glob>]`: what is followed by a value in pointed brackets takes one. */
function optionsOf(usage: string): ReadonlyMap<string, boolean> {
  return new Map([...usage.matchAll(/--([a-z-]+)( <)?/g)].map(([, key = "", value]) => [key, value !== undefined]));
}
