import type { Danger } from "./row.ts";
import { ALL_CLEAN, bitsOf } from "./value.ts";
import { NO_BACKSLASH, NO_SECOND_SLASH, ROOTED } from "./weak-guards.ts";

/** @returns bits of the dangers that a text cannot be which the regular expression matches, and what else it shows of it */
export function bitsOfMatch({ pattern, flags }: { readonly pattern: string; readonly flags: string }): number {
  const rooted = beginningOfSite(pattern);
  if (rooted !== 0 && !/\$$/.test(pattern)) return rooted;
  if (/^\^https?:\\\/\\\/[\w\\.-]+\\\//.test(pattern)) return bitsOf(["url", "redirect", "browser"]);
  const { alternatives, sets } = partsOf(pattern);
  if (flags.includes("m") || !alternatives.every((each) => each.startsWith("^") && each.endsWith("$"))) return 0;
  return /(?<!\\)\.[*+]|\[\^|\\S|\\D|\\W/.test(pattern) ? 0 : ALL_CLEAN & ~admittedBy(sets);
}

/** The ways to match that `|` parts outside of groups (`^a|b$` are two, neither of which is whole), and the sets of characters. */
function partsOf(pattern: string): { readonly alternatives: readonly string[]; readonly sets: readonly string[] } {
  let alternative = "";
  let set: string | undefined;
  let depth = 0;
  const alternatives: string[] = [];
  const sets: string[] = [];
  for (const [sign] of pattern.matchAll(/\\.|[^\\]/gs)) {
    alternative += sign;
    if (set !== undefined) {
      if (sign === "]") sets.push(set);
      set = sign === "]" ? undefined : set + sign.replace("\\", "");
    } else if (sign === "[") set = "";
    else if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if (sign === "|" && depth === 0) {
      alternatives.push(alternative.slice(0, -1));
      alternative = "";
    }
  }
  return { alternatives: [...alternatives, alternative], sets };
}

/** Signs that do harm in any number and order, and where. */
const HARMFUL: readonly (readonly [RegExp, readonly Danger[]])[] = [
  [/['"`]/, ["sql", "shell", "code", "html"]],
  [/[<>]/, ["html", "xml", "shell"]],
  [/[;|&$`]/, ["shell", "code"]],
  [/[({]/, ["code", "template"]],
];

/** Bits of the dangers that sets of characters let pass: `[\w./-]+` matches `../../etc`. */
function admittedBy(sets: readonly string[]): number {
  return sets.reduce((bits, set) => {
    const path = set.includes(".") && set.includes("/") ? bitsOf(["path", "url", "redirect"]) : 0;
    return HARMFUL.reduce((all, [signs, dangers]) => (signs.test(set) ? all | bitsOf(dangers) : all), bits | path);
  }, 0);
}

/** What a pattern says of a path of this site: `^\/(?![/\\])`. */
function beginningOfSite(pattern: string): number {
  const after = /^\^\(?(?:\\\/|\/|\[\/\])(.{0,20})/.exec(pattern)?.[1];
  if (after === undefined) return 0;
  if (/^(?:\\w|\[(?!\^)[^\]/\\.]*\])/.test(after)) return ROOTED | NO_SECOND_SLASH | NO_BACKSLASH;
  const refused = /^(?:\(\?!|\[\^)([^)]{1,12}?)(?:\)|\](?![)\]])|$)/.exec(after)?.[1] ?? "";
  const backslash = refused.includes("\\\\") ? NO_BACKSLASH : 0;
  return ROOTED | backslash | (refused.replaceAll("\\\\", "").includes("/") ? NO_SECOND_SLASH : 0);
}

/** What is known of a text that `/^[/\\]{2}/` or `/^\/\//` did not match. */
export function bitsOfMismatch(pattern: string): number {
  if (!/^\^(?:\\\/|\/|\[)/.test(pattern)) return 0;
  const both =
    /^\^(?:\\?\/)?\[/.test(pattern) && pattern.slice(0, pattern.indexOf("]")).includes("\\\\") && pattern.includes("/");
  if (both) return NO_SECOND_SLASH | NO_BACKSLASH;
  return /^\^(?:\\?\/){2}/.test(pattern) ? NO_SECOND_SLASH : 0;
}
