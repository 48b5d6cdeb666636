// The number of suspect lines that each folder may still have. It only falls, so the repository gets plainer and never less plain.

/** Folder -> the most suspect lines that it may have. A folder that is not in it may have none. */
export type Ceilings = Readonly<Record<string, number>>;

/** A folder whose count is not its ceiling. */
export interface Difference {
  readonly folder: string;
  readonly ceiling: number;
  readonly count: number;
}

/** The folder that a file counts for: a room of `src` or `test`, otherwise the first part of the path. */
export function folderOf(path: string): string {
  if (path.startsWith("src/github/words/")) return "src/github/words";
  const [first = "", second = "", third] = path.split("/");
  return (first === "src" || first === "test") && third !== undefined ? `${first}/${second}` : first;
}

/** How many of these paths each folder has. */
export function countByFolder(paths: readonly string[]): Ceilings {
  const counts: Record<string, number> = {};
  for (const path of paths) counts[folderOf(path)] = (counts[folderOf(path)] ?? 0) + 1;
  return counts;
}

/** The folders with more suspect lines than their ceiling allows, and those with fewer. */
export function compareWithCeilings(
  counts: Ceilings,
  ceilings: Ceilings,
): { readonly above: Difference[]; readonly below: Difference[] } {
  const folders = [...new Set([...Object.keys(counts), ...Object.keys(ceilings)])].sort();
  const all = folders.map((folder) => ({ folder, ceiling: ceilings[folder] ?? 0, count: counts[folder] ?? 0 }));
  return {
    above: all.filter(({ ceiling, count }) => count > ceiling),
    below: all.filter(({ ceiling, count }) => count < ceiling),
  };
}

/** The ceilings after they fell to these counts. None of them rises, and a folder without suspect lines is removed. */
export function lowered(ceilings: Ceilings, counts: Ceilings): Ceilings {
  const lower = Object.entries(ceilings).map(([folder, ceiling]) => [folder, Math.min(ceiling, counts[folder] ?? 0)]);
  return Object.fromEntries(
    lower.filter(([, ceiling]) => ceiling !== 0).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  );
}

/** Reads `ceilings.json`. Throws if a ceiling is not a whole number from 1. */
export function readCeilings(json: string): Ceilings {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>);
  for (const [folder, ceiling] of entries) {
    if (!Number.isInteger(ceiling) || Number(ceiling) < 1) throw new Error(`The ceiling of ${folder} is not a number.`);
  }
  return Object.fromEntries(entries) as Record<string, number>;
}
