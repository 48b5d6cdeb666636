import type { Observation } from "../domain/findings.ts";
import type { SourceFile } from "./source-file.ts";

/** A rule that holds for what a program writes holds hundreds of times; a few say it. */
const MOST_OF_A_RULE = 3;

/** Matters of taste, which nobody settles in the output of a program. */
const ABOUT_STYLE: ReadonlySet<Observation["category"]> = new Set([
  "style",
  "maintainability",
  "performance",
  "best_practice",
]);

/**
 * What is said about files that call themselves generated, minified or vendored: faults and dangers, as anybody may have written them, a
 * few of each rule; nothing about style. Of copies and templates of files, which nobody compiles, only dangers.
 */
export function aboutClaims(
  observations: readonly Observation[],
  files: ReadonlyMap<string, SourceFile>,
): Observation[] {
  const counts = new Map<string, number>();
  return observations.filter((observation) => {
    const { file, rule, category, source, secret } = observation;
    const { claims, aside } = files.get(file) ?? {};
    if ((claims === undefined && !aside) || secret) return true;
    if (aside ? source === "static" && category !== "security" : source === "static" && ABOUT_STYLE.has(category))
      return false;
    const key = `${file}\0${rule}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return (counts.get(key) ?? 0) <= MOST_OF_A_RULE;
  });
}
