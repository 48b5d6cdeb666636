import type { ChangedFile } from "../../domain/hunks.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Content } from "../classify-file.ts";
import type { Tree } from "../linked-files.ts";
import { dependents, type ImportGraph, spread } from "../map/import-graph.ts";
import type { ReadGraph } from "../map/read-graph.ts";
import { readCallers } from "../programs/read-callers.ts";
import { compareChangedTests } from "../tests/find-weakened-tests.ts";
import { isTestName, languageOfCode } from "../tests/test-names.ts";
import { type UnattendedKind, unattendedKind } from "./unattended-kinds.ts";

export interface ChangeForPeople {
  readonly files: readonly ChangedFile[];
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents: ReadonlyMap<string, Content>;
  /** Of the head. */
  readonly tree: Tree;
  readonly readGraph: ReadGraph;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

/**
 * The files of a change that wait for a person before it may be approved or merged (SAFE-4), by path; none where each of them is of a kind that
 * cannot decide what runs with whose rights. What keeps a file from being looked at makes it one that waits.
 */
export async function filesForPeople(change: ChangeForPeople): Promise<string[]> {
  const { files, contents, oldContents, tree, signal } = change;
  const turn = takeTurns();
  const kinds = new Map<ChangedFile, UnattendedKind | undefined>();
  for (const file of files) {
    const content = contents.get(file.path);
    kinds.set(file, unattendedKind(file, content, oldContents.get(file.path)));
    await turn(Buffer.isBuffer(content) ? content.length : 0);
  }
  const left = pathsOf(files.filter((file) => kinds.get(file) === undefined));
  // To look further takes a process, and says nothing that a person would not see.
  if (left.length > 0) return left;
  const called = await readCallers(tree, signal);
  const ofKind = (wanted: UnattendedKind) => files.filter((file) => kinds.get(file) === wanted);
  const [sources, tests] = [ofKind("source"), ofKind("test")];
  const graph = sources.length === 0 ? undefined : await change.readGraph(signal);
  const runs = graph === undefined ? called.mentioned : programsOf(graph, called);
  const unreached = graph === undefined ? [] : sources.filter(({ path }) => !isReached(graph, path));
  const weakened = tests.length === 0 ? [] : await weakenedOf(change, tests);
  const mentioned = files.filter(({ path, oldPath }) => runs.has(path) || (oldPath !== undefined && runs.has(oldPath)));
  return pathsOf([...mentioned.filter((file) => kinds.get(file) !== "test"), ...unreached, ...weakened]);
}

function pathsOf(files: readonly ChangedFile[]): string[] {
  return [...new Set(files.map(({ path }) => path))].sort();
}

/** What commands and settings name, and what those import that build, test, install or release the project. */
function programsOf(
  graph: ImportGraph,
  { mentioned, working }: Awaited<ReturnType<typeof readCallers>>,
): ReadonlySet<string> {
  // The tests import what is tested: being run by CI makes no program of it.
  const from = [...working].filter((path) => !isTestName(path));
  return new Set([...mentioned, ...spread(from, (path) => graph.imports.get(path) ?? [])]);
}

/** Whether a test imports it, directly or through others; tests of Go belong to all files of their folder. */
function isReached(graph: ImportGraph, path: string): boolean {
  if (languageOfCode(path) !== "go") return [...dependents(graph, [path])].some(isTestName);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return graph.paths.some(
    (each) => isTestName(each) && each.startsWith(folder) && !each.slice(folder.length).includes("/"),
  );
}

/** Tests that say less than before, and tests that could not be compared. */
async function weakenedOf(change: ChangeForPeople, tests: readonly ChangedFile[]): Promise<ChangedFile[]> {
  const { weakened, compared } = await compareChangedTests(change, change.tree.paths, change);
  const worse = new Set(weakened.map(({ path }) => path));
  return tests.filter(({ path }) => worse.has(path) || !compared.has(path));
}
