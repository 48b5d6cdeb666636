import { defined } from "../../domain/defined.ts";
import type { AnalyserContext } from "../analyser.ts";
import type { ChildFile, FileComparison, LockResult } from "../child/protocol.ts";
import { runInChild } from "../reader/run-in-child.ts";
import type { LockText } from "./compare-manifest.ts";
import { manifestOf } from "./drift/manifest-drift.ts";
import { dependencyName, lockFileOf } from "./lock-files.ts";
import { readLocks } from "./read-locks.ts";
import { manifestReader } from "./read-manifests.ts";

/** A changed lock file or manifest. */
export interface DependencyFile {
  readonly path: string;
  readonly text: string;
  readonly oldText?: string;
}

/** Whether Forge reads a file of this name for the packages that it names. */
export function isDependencyFile(path: string): boolean {
  return lockFileOf(path) !== undefined || manifestReader(dependencyName(path)) !== undefined;
}

/**
 * Has a child process compare each of these files with its old text, by path: lock files may have 4 MB, and reading them here would hold up
 * every other review.
 */
export async function compareFiles(
  files: readonly DependencyFile[],
  context: Pick<AnalyserContext, "tree" | "signal" | "round">,
): Promise<Map<string, FileComparison>> {
  if (files.length === 0) return new Map();
  const byPath = new Map(files.map((file) => [file.path, file]));
  const locksOf = await readLocks(files, context);
  const asked = files.map((file, id) => requestOf(file, id, byPath, locksOf));
  const { results, unread } = await runInChild<LockResult>("locks", asked, context);
  return new Map([
    ...[...results].map(([id, result]): [string, FileComparison] => [files[id]!.path, result]),
    ...unread.map(({ id, reason }): [string, FileComparison] => [files[id]!.path, { unread: reason }]),
  ]);
}

function requestOf(
  { path, text, oldText }: DependencyFile,
  id: number,
  files: ReadonlyMap<string, DependencyFile>,
  locksOf: (path: string) => readonly LockText[],
): ChildFile {
  const locks = manifestReader(dependencyName(path)) && locksOf(path);
  // Both sides have to be in the change: what stands elsewhere is not at hand.
  const wanted = manifestOf(dependencyName(path));
  const [manifest] = wanted === undefined ? [] : beside(path, [wanted], files);
  const lock = { name: dependencyName(path), ...defined({ manifest: lockFileOf(path) && manifest?.text, locks }) };
  return { id, text, lock, ...defined({ oldText }) };
}

/** Files of these names in the folder of another. */
export function beside<File>(path: string, names: readonly string[], files: ReadonlyMap<string, File>): File[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return names.flatMap((name) => files.get(`${folder}${name}`) ?? []);
}
