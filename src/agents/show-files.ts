import { isTestPath } from "../analysis/classify-file.ts";
import { type ImportGraph, rankFiles } from "../analysis/map/import-graph.ts";
import { isTestName, languageOfCode, subjectOf } from "../analysis/tests/test-names.ts";
import { reasonByName } from "../analysis/written-claims.ts";
import { trimEndOf } from "../domain/trim-characters.ts";
import type { Redact } from "../safety/redact.ts";
import { isProse } from "../tools/data/clean-text.ts";
import { shownPath, showText } from "../tools/data/show-text.ts";
import { takeTurns } from "../workspace/files/turns.ts";

/** A text file as it stands in the clone or at the base. */
export interface CurrentFile {
  readonly path: string;
  readonly text: string;
}

export interface ShownFiles {
  /** One block for each file that fits. */
  readonly blocks: readonly string[];
  /** Those that stand there, whole or in part: they count as read. */
  readonly whole: readonly string[];
  /** Those for which there was no room, ready to be read. */
  readonly left: readonly string[];
}

export interface ShowLimits {
  readonly each: number;
  readonly all: number;
  /** Of a longer file the lines around what `about` speaks of are shown, up to so many characters; without it none. */
  readonly part?: number;
}

/**
 * Files as `read_file` would show them, in their order while there is room; sizes in characters. What is too long is shown where it has to do
 * with the work: around the lines and names that are spoken of.
 * @param about the words of the work: the task, the issue, what came back
 */
export async function showFiles(
  files: readonly CurrentFile[],
  { each, all, part = 0 }: ShowLimits,
  redact: Redact,
  about = "",
): Promise<ShownFiles> {
  const words = about.slice(0, MOST_WORDS);
  let remaining = all;
  const blocks: string[] = [];
  const whole: string[] = [];
  const left: string[] = [];
  for (const { path, text } of files) {
    const count = text.split("\n").length;
    // Numbers and bars of lines come on top.
    const size = text.length + count * 5;
    const shown = { path, text, prose: isProse(path), numbered: true };
    if (size <= each && size <= remaining) {
      remaining -= size;
      // Not cut: what counts as read has to be there.
      blocks.push(await showText({ ...shown, from: path, maxCharacters: Number.POSITIVE_INFINITY }, redact));
      whole.push(path);
      continue;
    }
    const only = part > 0 ? await linesAbout(path, text, words, Math.min(part, remaining)) : NO_LINES;
    if (only.size === 0) {
      left.push(shownPath(path));
      continue;
    }
    const from = `${path}, ${only.size} of its ${count} lines: read_file shows the others`;
    const block = await showText({ ...shown, from, only, maxCharacters: each }, redact);
    remaining -= block.length;
    blocks.push(block);
    whole.push(path);
  }
  return { blocks, whole, left };
}

const MOST_WORDS = 100_000;
const NO_LINES: ReadonlySet<number> = new Set();

/** Lines around one that is spoken of. */
const AROUND = 12;
/** A word on more lines than this says nothing about where. */
const MOST_LINES = 25;
/** No name is looked for behind this: what a longer line has to say would not fit. */
const LONGEST_LINE = 4_000;
/** Some 100 kB of lines, a few milliseconds. */
const READING_TURN = { most: 1_000, unitsOfStep: 100 };
const NAMES = /[A-Za-z_$][\w$]{3,80}/g;

/** Lines of a file around those that a text names by number, or by names that stand on few of them; the most telling while there is room. */
async function linesAbout(path: string, text: string, about: string, characters: number): Promise<ReadonlySet<number>> {
  const lines = text.split("\n");
  const scores = new Map<number, number>();
  const add = (line: number, score: number) => scores.set(line, (scores.get(line) ?? 0) + score);
  // A path is read to its end whether or not a line number follows.
  for (const [, place = "", from] of about.matchAll(/([\w@./-]+)(?::(\d{1,7})\b[\w@./-]*)?/g))
    if (place === path && Number(from) <= lines.length) add(Number(from), 100);
  const said = new Set(about.match(NAMES));
  const places = new Map<string, number[]>();
  const turn = takeTurns(READING_TURN);
  for (const [at, line] of lines.entries()) {
    await turn(line.length + 1);
    for (const name of new Set(line.slice(0, LONGEST_LINE).match(NAMES))) {
      if (!said.has(name)) continue;
      const known = places.get(name) ?? [];
      places.set(name, known);
      if (known.length <= MOST_LINES) known.push(at + 1);
    }
  }
  for (const [name, at] of places) {
    if (at.length > MOST_LINES) continue;
    const weight = isWrittenAsName(name) ? 3 : 1;
    for (const line of at) add(line, weight / at.length);
  }
  const chosen = new Set<number>();
  let room = characters;
  for (const [line] of [...scores].sort(([a, x], [b, y]) => y - x || a - b)) {
    const window: number[] = [];
    for (let at = Math.max(1, line - AROUND); at <= Math.min(lines.length, line + AROUND); at += 1)
      if (!chosen.has(at)) window.push(at);
    const size = window.reduce((sum, at) => sum + (lines[at - 1] ?? "").length + 6, 0);
    if (size > room) break;
    room -= size;
    for (const at of window) chosen.add(at);
  }
  return chosen;
}

/** Whether a word is a name of code, such as `parseRange` or `parse_range`, by how it is written. */
export function isWrittenAsName(word: string): boolean {
  return /[a-z$_][A-Z]|\w_\w/.test(word);
}

/** More than a dozen neighbours say more about the code base than about the task. */
const MOST_FILES = 12;
const MOST_TESTS = 4;

/**
 * Files of code that somebody who is to change some others would read next (LOOP-2): their tests, then what stands nearest by imports, and what
 * everybody imports last. None where nothing is known of the others.
 */
export function nearestFiles(graph: ImportGraph, focus: readonly string[]): string[] {
  const known = focus.filter((path) => graph.symbols.has(path));
  if (known.length === 0) return [];
  const tests = testsOf(graph, known);
  const nearest = [...rankFiles(graph, known)]
    .filter(([path, rank]) => rank > 0 && !focus.includes(path) && !tests.includes(path) && isReading(path))
    // Classes of errors, types and helpers of all are near to everything.
    .map(([path, rank]) => [path, rank / Math.sqrt(1 + (graph.importers.get(path)?.size ?? 0))] as const)
    .sort(([a, rankOfA], [b, rankOfB]) => rankOfB - rankOfA || (a < b ? -1 : 1))
    .slice(0, MOST_FILES)
    .map(([path]) => path);
  return [...tests, ...nearest];
}

/** Also `test.js` at the root, as small projects have it; what lies among fixtures and mocks tests nothing. */
const TESTS: readonly ((path: string) => boolean)[] = [
  isTestName,
  (path) => isTestPath(path) && !/(?:fixtures?|mocks?)(?:__)?\//.test(path),
  (path) => /(?:^|\/)tests?\.[cm]?[jt]sx?$/.test(path),
];

/** Tests that are named after one of the files or import it: the former first. */
function testsOf(graph: ImportGraph, files: readonly string[]): string[] {
  const subjects = new Set(files.map(subjectOf));
  const direct = new Set(files.flatMap((path) => [...(graph.importers.get(path) ?? [])]));
  const isTest = (path: string) => languageOfCode(path) !== undefined && TESTS.some((says) => says(path));
  const tests = graph.paths.filter((path) => !files.includes(path) && isTest(path));
  const named = tests.filter((path) => subjects.has(subjectOf(path)));
  return [...new Set([...named, ...tests.filter((path) => direct.has(path))])].slice(0, MOST_TESTS);
}

const PICTURES = /\.(?:svg|png|jpe?g|gif|ico|icns|webp|avif|bmp|pdf|woff2?|ttf|eot|otf|mp[34]|zip|gz|wasm|csv|tsv)$/i;

/** Whether a person would read the file to understand code: no picture, no font, nothing that a program wrote. */
export function isReading(path: string): boolean {
  return !PICTURES.test(path) && reasonByName(path) === undefined;
}

/**
 * Files that a text names by their path from the root, `src/shop.ts:12` too: what a task speaks of has to be seen, also where nothing that
 * the task changes imports it yet (LOOP-2). In the order of `paths`.
 */
export function namedFiles(text: string, paths: readonly string[]): string[] {
  const said = new Set(text.match(/[\w@.-]+(?:\/[\w@.-]+)*/g)?.map((word) => trimEndOf(word, ".")));
  return paths.filter((path) => said.has(path));
}
