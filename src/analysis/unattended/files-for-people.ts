import { posix } from "node:path";
import type { ChangedFile } from "../../domain/hunks.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Content } from "../classify-file.ts";
import { readImportable } from "../imports/import-settings.ts";
import type { ImportGraph } from "../map/import-graph.ts";
import type { ReadGraph } from "../map/read-graph.ts";
import { spread } from "../map/spread.ts";
import { type Callers, readCallers } from "../programs/all-callers.ts";
import type { AskCalls } from "../programs/ask-calls.ts";
import { compareChangedTests } from "../tests/find-weakened-tests.ts";
import { isTestName, languageOfCode } from "../tests/test-names.ts";
import type { Tree } from "../tree.ts";
import { type UnattendedKind, unattendedKind } from "./unattended-kinds.ts";

/** To look through 256 KiB takes some 7 ms. */
const TURN = { most: 100, unitsOfStep: 4 * 1024 };

export interface ChangeForPeople {
  readonly files: readonly ChangedFile[];
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents: ReadonlyMap<string, Content>;
  /** Of the head. */
  readonly tree: Tree;
  readonly readGraph: ReadGraph;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
  /** Instead of the reading process. */
  readonly askCalls?: AskCalls;
}

/**
 * The files of a change that wait for a person before it may be approved or merged (SAFE-4), by path; none where each of them is of a kind that
 * cannot decide what runs with whose rights. What keeps a file from being looked at makes it one that waits.
 */
export async function filesForPeople(change: ChangeForPeople): Promise<string[]> {
  const { files, contents, oldContents, tree, signal } = change;
  const turn = takeTurns(TURN);
  const kinds = new Map<ChangedFile, UnattendedKind | undefined>();
  for (const file of files) {
    const content = contents.get(file.path);
    kinds.set(file, unattendedKind(file, content, oldContents.get(file.path)));
    await turn(Buffer.isBuffer(content) ? content.length : 0);
  }
  const left = pathsOf(files.filter((file) => kinds.get(file) === undefined));
  // To look further takes a process, and says nothing that a person would not see.
  if (left.length > 0) return left;
  const called = await readCallers(tree, pathsOf(files), signal, change.askCalls);
  // What could not be read may run any of them.
  if (called.unread.length > 0) return pathsOf(files);
  const ofKind = (wanted: UnattendedKind) => files.filter((file) => kinds.get(file) === wanted);
  const [sources, tests] = [ofKind("source"), ofKind("test")];
  const graph = sources.length === 0 ? undefined : await change.readGraph(signal);
  const runs = graph === undefined ? called.mentioned : programsOf(graph, called);
  const reached = graph === undefined ? () => true : reachedByTests(graph);
  const unreached = sources.filter(({ path }) => !reached(path));
  const weakened = tests.length === 0 ? [] : await weakenedOf(change, tests);
  const mentioned = files.filter(({ path, oldPath }) => runs.has(path) || (oldPath !== undefined && runs.has(oldPath)));
  return pathsOf([...mentioned.filter((file) => kinds.get(file) !== "test"), ...unreached, ...weakened]);
}

function pathsOf(files: readonly ChangedFile[]): string[] {
  return [...new Set(files.map(({ path }) => path))].sort();
}

/** What commands and settings name, and what those import that build, test, install or release the project. */
function programsOf(graph: ImportGraph, { mentioned, working }: Callers): ReadonlySet<string> {
  // The tests import what is tested: being run by CI makes no program of it.
  const from = [...working].filter((path) => !isTestName(path));
  return new Set([...mentioned, ...spread(from, (path) => graph.imports.get(path) ?? [])]);
}

/** Whether a test imports a file, directly or through others; tests of Go belong to all files of their folder. Made once for all files. */
function reachedByTests({ paths, imports }: ImportGraph): (path: string) => boolean {
  const tests = paths.filter(isTestName);
  const imported = spread(tests, (path) => imports.get(path) ?? []);
  const folders = new Set(tests.map((path) => posix.dirname(path)));
  return (path) => (languageOfCode(path) === "go" ? folders.has(posix.dirname(path)) : imported.has(path));
}

/** Tests that say less than before, and tests that could not be compared. */
async function weakenedOf(change: ChangeForPeople, tests: readonly ChangedFile[]): Promise<ChangedFile[]> {
  const head = await readImportable(change.tree.paths, change.tree.readMany, change.signal);
  const { weakened, compared } = await compareChangedTests(change, head, change);
  const worse = new Set(weakened.map(({ path }) => path));
  return tests.filter(({ path }) => worse.has(path) || !compared.has(path));
}
