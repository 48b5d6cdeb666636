import { type Ceilings, compareWithCeilings, countByFolder, type Difference, folderOf } from "./ceilings.ts";
import type { AddedLines } from "./repository.ts";
import { type Suspect, suspectLine } from "./suspects.ts";

/** What the check prints, and whether it passed. */
export interface CheckReport {
  readonly passed: boolean;
  readonly lines: readonly string[];
}

/** A folder can have hundreds of old lines: these are enough to see what is meant. */
const MOST_LINES = 20;

const lines = (count: number): string => `${count} suspect ${count === 1 ? "line" : "lines"}`;

/** Suspect lines among those that were added. */
export function suspectsAmong(suspects: readonly Suspect[], added: AddedLines): Suspect[] {
  return suspects.filter(({ path, line }) => {
    const numbers = added.get(path);
    return numbers === "all" || numbers?.has(line) === true;
  });
}

/**
 * Fails if a folder has more suspect lines than its ceiling. A folder with fewer is only a hint: two branches that lower the same
 * ceiling can be merged in any order.
 */
export function checkCeilings(
  suspects: readonly Suspect[],
  ceilings: Ceilings,
  addedOnBranch: () => AddedLines,
): CheckReport {
  const counts = countByFolder(suspects.map(({ path }) => path));
  const { above, below } = compareWithCeilings(counts, ceilings);
  const added = above.length > 0 ? addedOnBranch() : undefined;
  const report = above.flatMap((difference) => explainAbove(difference, suspects, added));
  if (above.length > 0) report.push("", "Rewrite these lines. docs/plain-english.md shows how.");
  for (const { folder, ceiling, count } of below) {
    report.push(`${folder} is down to ${lines(count)}, and its ceiling is ${ceiling}.`);
  }
  if (below.length > 0) report.push("To save the lower ceilings, run `node scripts/plain-english.ts --lower`.");
  return { passed: above.length === 0, lines: report };
}

function explainAbove(
  { folder, ceiling, count }: Difference,
  suspects: readonly Suspect[],
  added: AddedLines = new Map(),
): string[] {
  const all = suspects.filter(({ path }) => folderOf(path) === folder);
  const recent = suspectsAmong(all, added);
  const named = recent.length > 0 ? recent : all;
  const heading = `${folder} has ${lines(count)}, and its ceiling is ${ceiling}.`;
  const which = recent.length > 0 ? " New on this branch:" : " Its lines:";
  const rest = named.length - MOST_LINES;
  return [
    `${heading}${which}`,
    ...named.slice(0, MOST_LINES).map((suspect) => `  ${suspectLine(suspect)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
