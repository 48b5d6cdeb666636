/** Alternatives that braces may unfold into. */
const MOST_ALTERNATIVES = 100;

/**
 * A test of paths against a glob with `*`, `**`, `?` and `{a,b}`. In time proportional to path times pattern whatever the pattern is, which
 * a translation to regular expressions is not. Hidden files are files like all others.
 * @returns undefined when the pattern cannot be used
 */
export function compileGlob(pattern: string): ((path: string) => boolean) | undefined {
  const trimmed = pattern.replace(/^(?:\.?\/)+/, "");
  const alternatives = unfold(trimmed.includes("/") ? trimmed : `**/${trimmed}`);
  if (alternatives === undefined) return undefined;
  const globs = alternatives.map((each) => each.split("/").map((part) => (part === "" ? "**" : part)));
  return (path) => {
    const names = path.split("/");
    return globs.some((parts) => matchAll(parts, names, "**", matchName));
  };
}

function matchName(pattern: string, name: string): boolean {
  return matchAll([...pattern], [...name], "*", (part, character) => part === "?" || part === character);
}

/** Wildcard matching with one point of return: the last wildcard takes one item more each time. */
function matchAll(
  pattern: readonly string[],
  items: readonly string[],
  wildcard: string,
  matchOne: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let lastWildcard = -1;
  let resumeAt = 0;
  while (item < items.length) {
    const part = pattern[at];
    if (part === wildcard) {
      lastWildcard = at;
      resumeAt = item;
      at += 1;
    } else if (part !== undefined && matchOne(part, items[item] ?? "")) {
      at += 1;
      item += 1;
    } else if (lastWildcard !== -1) {
      resumeAt += 1;
      item = resumeAt;
      at = lastWildcard + 1;
    } else return false;
  }
  return pattern.slice(at).every((part) => part === wildcard);
}

function unfold(pattern: string): string[] | undefined {
  const open = pattern.lastIndexOf("{");
  if (open === -1) return [pattern];
  const close = pattern.indexOf("}", open);
  if (close === -1) return undefined;
  const unfolded: string[] = [];
  for (const option of pattern.slice(open + 1, close).split(",")) {
    const rest = unfold(`${pattern.slice(0, open)}${option}${pattern.slice(close + 1)}`);
    if (rest === undefined) return undefined;
    unfolded.push(...rest);
    if (unfolded.length > MOST_ALTERNATIVES) return undefined;
  }
  return unfolded;
}
