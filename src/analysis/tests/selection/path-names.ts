import { posix } from "node:path";
import { isOneToken } from "./tokenize.ts";

/** What paths of a repository can be called by in its texts. */
export interface PathNames {
  /** Files as they are, also those that the change removed. */
  readonly files: ReadonlySet<string>;
  /** The same without their endings. */
  readonly bare: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Last parts of those: `rates.json`, `rates`, `data`; in lower case, and those without endings with nothing but letters and digits. */
  readonly names: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  readonly folderNames: ReadonlySet<string>;
  /** Folders in which programs and runners are started: the root, which is empty, and those with manifests. */
  readonly roots: ReadonlySet<string>;
  /** Last two parts of files and folders, with and without endings. */
  readonly pairs: ReadonlySet<string>;
}

/** Files that say where a package begins. */
export const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:cfg|py)|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** What compilers make, which is asked for by the name of its source as well. */
export const BUILT = /\.(?:[cm]?js|jsx|css|html?)$/;

/** Folders that nearly every project has: a bare word that is one of them says nothing. */
export const COMMON = new Set(
  "src lib app apps packages test tests spec integration e2e unit main java kotlin python internal pkg cmd index".split(
    " ",
  ),
);

export function namePaths(paths: Iterable<string>): PathNames {
  const [files, bare, folders] = [new Set(paths), new Set<string>(), new Set<string>()];
  const roots = new Set([""]);
  const [names, stems, folderNames, pairs] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  for (const path of files) {
    bare.add(withoutEnding(path));
    if (MANIFEST.test(path)) roots.add(path.slice(0, path.lastIndexOf("/") + 1));
    names.add(nameOf(path));
    stems.add(stemOf(path));
    for (const each of [path, withoutEnding(path)]) pairs.add(pairOf(each));
    for (const folder of foldersAbove(path)) {
      if (folders.has(folder)) break;
      folders.add(folder);
      folderNames.add(nameOf(folder));
      pairs.add(pairOf(folder));
    }
  }
  return { files, bare, folders, roots, names, stems, folderNames, pairs };
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

/** `order-list.hbs` and `orderList` are both `orderlist`. */
export function stemOf(path: string): string {
  return plain(withoutEnding(nameOf(path)));
}

/** Letters and digits in lower case. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.]/g, "");
}

/** Without the last ending, and the one of declarations and compressed files before it stays. */
export function withoutEnding(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1 ? path.slice(0, dot) : path;
}

/** The last two parts in lower case, or the one that there is. */
export function pairOf(path: string): string {
  return path.toLowerCase().split("/").slice(-2).join("/");
}

/** From the nearest to the one below the root. */
export function* foldersAbove(path: string): Generator<string> {
  for (let folder = posix.dirname(path); folder !== "." && folder !== "/"; folder = posix.dirname(folder)) yield folder;
}

/** Whether texts can be searched for a path: its own name has to be one token. */
export function canBeFound(path: string): boolean {
  return isOneToken(path.slice(path.lastIndexOf("/") + 1));
}
