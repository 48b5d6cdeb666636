import { takeTurns } from "../../workspace/files/turns.ts";

/** What is loaded as a module: first what Python reads, then what it is built from or only described by. */
const MODULE_ENDINGS = ["/__init__.py", ".py", ".pyw", "/__init__.pyi", ".pyi", ".pyx", ".c", ".cpp"];
const IS_MODULE = /\.(?:pyw?|pyi|pyx|c|cpp)$/;

/** Folders above an importer, and the `src` of each. */
const MOST_ROOTS = 60;

/** One path takes some microseconds. */
const TURN = { most: 1_000 };

/** The files of a repository under the names by which Python loads them. */
export class PythonFiles {
  readonly #known: ReadonlySet<string>;
  /** By the name of a module or a package, the folders in which one of that name lies. */
  readonly #holders = new Map<string, Set<string>>();
  /** A file asks for many modules in a row. */
  #last: { readonly own: string; readonly roots: readonly string[] } | undefined;

  private constructor(paths: readonly string[]) {
    this.#known = new Set(paths);
  }

  static async read(paths: readonly string[]): Promise<PythonFiles> {
    const files = new PythonFiles(paths);
    const turn = takeTurns(TURN);
    for (const path of paths) {
      if (IS_MODULE.test(path)) files.#add(path.slice(0, path.lastIndexOf(".")));
      await turn();
    }
    return files;
  }

  /** Adds a module and the folders around it. */
  #add(module: string): void {
    for (let at = module; at !== ""; ) {
      const end = at.lastIndexOf("/");
      const [folder, name] = [at.slice(0, Math.max(end, 0)), at.slice(end + 1)];
      const holders = this.#holders.get(name);
      // The folders around it were added with another file.
      if (holders?.has(folder)) return;
      if (holders === undefined) this.#holders.set(name, new Set([folder]));
      else holders.add(folder);
      at = folder;
    }
  }

  /** Folders, from the root, in which a module or a package of this name lies. */
  holdersOf(name: string): ReadonlySet<string> {
    return this.#holders.get(name) ?? NONE;
  }

  /** The files of a module, by its path without an ending, the one that Python takes first. */
  filesOf(module: string): string[] {
    return MODULE_ENDINGS.flatMap((ending) => {
      const path = module === "" ? ending.replace(/^\//, "") : module + ending;
      return this.#known.has(path) ? [path] : [];
    });
  }

  isPackage(folder: string): boolean {
    return this.#known.has(inFolder(folder, "__init__.py"));
  }

  /** Where an importer's modules are looked for: from where its outermost package lies upwards, with the `src` of each, its own folder last. */
  rootsOf(own: string): readonly string[] {
    if (this.#last?.own === own) return this.#last.roots;
    let folder = own;
    while (folder !== "" && this.isPackage(folder)) folder = folderAround(folder);
    const roots: string[] = [];
    while (folder !== "" && roots.length < MOST_ROOTS) {
      roots.push(folder, inFolder(folder, "src"));
      folder = folderAround(folder);
    }
    roots.push("", "src", own);
    this.#last = { own, roots };
    return roots;
  }

  /** Whether there is code in a folder or below it. */
  isFolder(path: string): boolean {
    const end = path.lastIndexOf("/");
    return this.holdersOf(path.slice(end + 1)).has(path.slice(0, Math.max(end, 0))) && this.filesOf(path).length === 0;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** @param folder from the root, empty for the root */
export function inFolder(folder: string, path: string): string {
  return folder === "" ? path : path === "" ? folder : `${folder}/${path}`;
}

export function folderAround(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}
