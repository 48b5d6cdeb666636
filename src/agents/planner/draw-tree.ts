import { reasonByName } from "../../analysis/written-claims.ts";
import { cutLines } from "../../tools/data/cut.ts";
import { shownPath } from "../../tools/data/show-text.ts";

/** Less and less is shown until it fits: names in a folder, then folders in depth. */
const STEPS = [
  { names: 80, depth: 20 },
  { names: 25, depth: 20 },
  { names: 10, depth: 20 },
  { names: 4, depth: 20 },
  { names: 2, depth: 20 },
  { names: 0, depth: 6 },
  { names: 0, depth: 4 },
  { names: 0, depth: 3 },
  { names: 0, depth: 2 },
  { names: 0, depth: 1 },
] as const;

/** Characters of a line for a folder, at least. */
const SHORTEST_LINE = 10;

/**
 * The files of a repository, a line for each folder, in at most so many characters: of a large one only how many there are in which
 * folder. What programs wrote (vendored, generated) is counted, never named.
 */
export function drawTree(paths: readonly string[], maxCharacters: number): string {
  const folders = foldersOf(paths);
  let lines: readonly string[] = [];
  for (const step of STEPS) {
    const merged = merge(folders, step.depth);
    // Most of a large repository need not be written out to see that it is too much.
    if (merged.size * SHORTEST_LINE > maxCharacters && step !== STEPS.at(-1)) continue;
    lines = draw(merged, step.names);
    if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= maxCharacters) return lines.join("\n");
  }
  const cut = cutLines(lines, maxCharacters);
  return [...cut.lines, `[cut here: ${cut.left} more folders]`].join("\n");
}

interface Folder {
  readonly parts: readonly string[];
  readonly names: string[];
  /** Files that a program wrote: their names do not matter. */
  written: number;
  /** Files in folders below that have no line of their own. */
  deeper: number;
}

function foldersOf(paths: readonly string[]): Folder[] {
  const folders = new Map<string, Folder>();
  for (const path of paths.toSorted()) {
    const end = path.lastIndexOf("/");
    const above = path.slice(0, Math.max(0, end));
    let folder = folders.get(above);
    if (!folder) {
      folder = { parts: above === "" ? [] : above.split("/"), names: [], written: 0, deeper: 0 };
      folders.set(above, folder);
    }
    const made = reasonByName(path);
    if (made === undefined || made === "a lock file") folder.names.push(path.slice(end + 1));
    else folder.written += 1;
  }
  return [...folders.values()];
}

/** Folders by their paths, those below a depth as a part of the one above. */
function merge(folders: readonly Folder[], depth: number): ReadonlyMap<string, Folder> {
  const merged = new Map<string, Folder>();
  for (const folder of folders) {
    const top = folder.names.length === 0 ? Math.min(depth, 1) : depth;
    const parts = folder.parts.slice(0, top);
    const path = parts.join("/");
    let there = merged.get(path);
    if (!there) {
      there = { parts, names: [], written: 0, deeper: 0 };
      merged.set(path, there);
    }
    if (parts.length === folder.parts.length) {
      for (const name of folder.names) there.names.push(name);
      there.written += folder.written;
    } else there.deeper += folder.names.length + folder.written;
  }
  return merged;
}

function draw(folders: ReadonlyMap<string, Folder>, names: number): string[] {
  return [...folders].map(([path, folder]) => `${path === "" ? "." : shownPath(path)}/: ${describe(folder, names)}`);
}

function describe({ names, written, deeper }: Folder, most: number): string {
  const shown = names.slice(0, most).map(shownPath);
  const rest = names.length - shown.length;
  const counts = [
    ...(rest === 0 ? [] : [shown.length === 0 ? counted(rest) : `and ${rest} more`]),
    ...(written === 0 ? [] : [`${counted(written)} that programs wrote`]),
    ...(deeper === 0 ? [] : [`${counted(deeper)} further down`]),
  ];
  return [...shown, ...counts].join(", ");
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}
