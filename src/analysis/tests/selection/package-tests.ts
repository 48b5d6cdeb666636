import { posix } from "node:path";
import { isTestMaterial } from "./file-kinds.ts";
import { packageName } from "./manifests.ts";
import type { SelectionGraph } from "./packed-repository.ts";
import { foldersAbove, MANIFEST } from "./path-names.ts";

/** Each is compared with each. */
const MOST_MANIFESTS = 500;

/** The packages of a repository, by their folders: `.` is the root. */
export interface Packages {
  readonly packageOf: (path: string) => string;
  /** Tests that a file of this package may matter to: its own, those of packages that use it, and those of folders above. */
  readonly testsFor: (folder: string) => readonly string[];
}

/** @param texts of manifests, by path */
export function readPackages(
  { paths, imports }: Pick<SelectionGraph, "paths" | "imports">,
  texts: ReadonlyMap<string, string>,
  tests: readonly string[],
): Packages {
  // A manifest among the material of tests makes no package of it.
  const manifests = paths.filter((path) => MANIFEST.test(path) && !isTestMaterial(path));
  const folders = new Set(manifests.map((path) => posix.dirname(path)));
  const packageOf = (path: string): string => {
    for (const folder of foldersAbove(path)) if (folders.has(folder)) return folder;
    return ".";
  };
  let users: Map<string, Set<string>> | undefined;

  const testsFor = (folder: string): readonly string[] => {
    if (folder === "." || manifests.length > MOST_MANIFESTS) return tests;
    users ??= findUsers(manifests, texts, imports, packageOf);
    // Without its name, nobody knows who uses a package.
    if (users.get(folder)?.has(".")) return tests;
    const using = new Set([folder]);
    for (const each of using) for (const user of users.get(each) ?? []) using.add(user);
    const own = tests.filter((path) => {
      const at = packageOf(path);
      return at === "." || using.has(at) || folder.startsWith(`${at}/`);
    });
    return own.length === 0 ? tests : own;
  };
  return { packageOf, testsFor };
}

/** The packages that use each package; `.` is among them where nobody knows. */
function findUsers(
  manifests: readonly string[],
  texts: ReadonlyMap<string, string>,
  imports: SelectionGraph["imports"],
  packageOf: (path: string) => string,
): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  const add = (folder: string, user: string) => users.set(folder, (users.get(folder) ?? new Set()).add(user));
  for (const manifest of manifests) {
    const folder = posix.dirname(manifest);
    const text = texts.get(manifest);
    const name = text === undefined ? undefined : packageName(manifest, text);
    if (name === undefined) add(folder, ".");
    else {
      for (const other of manifests) {
        if (other !== manifest && (texts.get(other) ?? name).includes(name)) add(folder, posix.dirname(other));
      }
    }
  }
  for (const [path, targets] of imports) {
    const own = packageOf(path);
    for (const target of targets) {
      const used = packageOf(target);
      if (used !== own && used !== ".") add(used, own);
    }
  }
  return users;
}
