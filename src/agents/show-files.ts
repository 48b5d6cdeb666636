import { type ImportGraph, rankFiles } from "../analysis/map/import-graph.ts";
import type { Redact } from "../safety/redact.ts";
import { isProse } from "../tools/data/clean-text.ts";
import { shownPath, showText } from "../tools/data/show-text.ts";

/** A text file as it stands in the clone or at the base. */
export interface CurrentFile {
  readonly path: string;
  readonly text: string;
}

export interface ShownFiles {
  /** One block for each file that fits. */
  readonly blocks: readonly string[];
  /** Those that stand there whole. */
  readonly whole: readonly string[];
  /** Those for which there was no room, ready to be read. */
  readonly left: readonly string[];
}

/** Files as `read_file` would show them, whole or not at all, in their order while there is room; sizes in characters. */
export function showFiles(
  files: readonly CurrentFile[],
  limits: { readonly each: number; readonly all: number },
  redact: Redact,
): ShownFiles {
  let remaining = limits.all;
  const blocks: string[] = [];
  const whole: string[] = [];
  const left: string[] = [];
  for (const { path, text } of files) {
    // Numbers and bars of lines come on top.
    const size = text.length + text.split("\n").length * 5;
    if (size > limits.each || size > remaining) {
      left.push(shownPath(path));
      continue;
    }
    remaining -= size;
    // Not cut: what counts as read has to be there.
    const maxCharacters = Number.POSITIVE_INFINITY;
    blocks.push(showText({ from: path, text, prose: isProse(path), maxCharacters, numbered: true }, redact));
    whole.push(path);
  }
  return { blocks, whole, left };
}

/** More than a dozen neighbours say more about the code base than about the task. */
const MOST_FILES = 12;

/**
 * Files of code that stand nearest to some others by their imports, nearest first: what an agent that is to change these would read next
 * (LOOP-2). None where nothing is known of the others.
 */
export function nearestFiles(graph: ImportGraph, focus: readonly string[]): string[] {
  const known = focus.filter((path) => graph.symbols.has(path));
  if (known.length === 0) return [];
  return [...rankFiles(graph, known)]
    .filter(([path, rank]) => rank > 0 && !focus.includes(path))
    .sort(([a, rankOfA], [b, rankOfB]) => rankOfB - rankOfA || (a < b ? -1 : 1))
    .slice(0, MOST_FILES)
    .map(([path]) => path);
}

/**
 * Files that a text names by their path from the root, `src/shop.ts:12` too: what a task speaks of has to be seen, also where nothing that
 * the task changes imports it yet (LOOP-2). In the order of `paths`.
 */
export function namedFiles(text: string, paths: readonly string[]): string[] {
  const said = new Set(text.match(/[\w@.-]+(?:\/[\w@.-]+)*/g)?.map((word) => word.replace(/(?<!\.)\.+$/, "")));
  return paths.filter((path) => said.has(path));
}
