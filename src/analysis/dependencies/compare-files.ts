import { defined } from "../../domain/defined.ts";
import type { AnalyserContext } from "../analyser.ts";
import type { ChildFile, FileComparison, LockResult } from "../child/protocol.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { judgedManifests } from "./drift/judged-manifests.ts";
import type { LockSteps } from "./drift/manifest-drift.ts";
import { dependencyName, lockFileOf } from "./lock-files.ts";
import { LIST, type RepositoryLocks, readLocks } from "./read-locks.ts";
import { manifestReader } from "./read-manifests.ts";
import { followLists, type ListLinks } from "./requirement-links.ts";

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
 * Has a child process compare each of these files with its old text, and lock files that are as they were with the manifests among these, by path: lock files may have 4 MB, and reading them here would hold up
 * every other review.
 */
export async function compareFiles(
  files: readonly DependencyFile[],
  context: Pick<AnalyserContext, "tree" | "signal" | "round">,
  lists?: ListLinks,
): Promise<Map<string, FileComparison>> {
  if (files.length === 0) return new Map();
  const changed = new Map(files.map(({ path, text }) => [path, text]));
  const links = lists ?? (await followLists(files, context));
  const [locks, steps] = [await readLocks(files, context, links), await judgedManifests(changed, context)];
  const others = [...steps.keys()].flatMap((path) => {
    const text = changed.has(path) ? undefined : locks.textOf(path);
    return text === undefined ? [] : [{ path, text, isUnchanged: true } as const];
  });
  const all: readonly (DependencyFile & { readonly isUnchanged?: true })[] = [...files, ...others];
  const asked = all.map((file, id) => {
    const name = links.named.has(file.path) ? LIST : dependencyName(file.path);
    return requestOf({ ...file, id, name }, locks, steps.get(file.path));
  });
  const { results, unread } = await runInChild<LockResult>("locks", asked, context);
  return new Map([
    ...[...results].map(([id, result]): [string, FileComparison] => [all[id]!.path, result]),
    ...unread.map(({ id, reason }): [string, FileComparison] => [all[id]!.path, { unread: reason }]),
  ]);
}

function requestOf(
  { id, name, path, text, oldText, isUnchanged }: DependencyFile & { id: number; name: string; isUnchanged?: true },
  { of }: RepositoryLocks,
  steps: LockSteps | undefined,
): ChildFile {
  const locks = manifestReader(name) && of(path);
  return { id, text, lock: { name, ...defined({ steps, locks, isUnchanged }) }, ...defined({ oldText }) };
}

/** Files of these names in the folder of another. */
export function beside<File>(path: string, names: readonly string[], files: ReadonlyMap<string, File>): File[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return names.flatMap((name) => files.get(`${folder}${name}`) ?? []);
}
