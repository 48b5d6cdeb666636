import { folderAround, inFolder, type PythonFiles } from "./python-files.ts";
import { isStandardModule } from "./python-standard.ts";

/** What an import of Python means. */
export interface PythonMeaning {
  /** The likeliest first. */
  readonly files: readonly string[];
  /** The files may be others: nothing but their names says that these are meant. */
  readonly isGuess: boolean;
  /** It can only mean something of the repository, and there is no such file. */
  readonly isLost: boolean;
}

const FOREIGN: PythonMeaning = { files: [], isGuess: false, isLost: false };
const LOST: PythonMeaning = { ...FOREIGN, isLost: true };

/** Modules of one name in more folders than these are those of tests and examples. */
const MOST_GUESSES = 20;
/** Parts of a name in which a package is looked for, which may lie in folders that are none. */
const DEEPEST_PACKAGE = 5;
/** What a build writes into a package: the version that it builds. */
const WRITTEN_BY_BUILDS = /(?:^|\/)(?:_version|__version__|_version_info|version)$/;

/**
 * What an import of Python means, by the names of the files alone. A name without dots is looked up where the importer's outermost package lies
 * (the first folder above it without `__init__.py`, which is what pytest and `python -m` put on the path), then in each folder above that and
 * the `src` of each, last in the folder of the importer, as for a script that is run in its own folder; and where it is in none of these, in
 * any folder that has it, as settings and `sys.path` may say.
 * @param asked `app.db` for a module, `app:db` for a name of one that may be a module itself
 */
export function resolvePython(asked: string, importer: string, files: PythonFiles): PythonMeaning {
  const [module = "", name] = asked.split(":", 2);
  const [, dots = "", rest = ""] = /^(\.*)([^.].*)?$/.exec(module) ?? [];
  const path = rest.replaceAll(".", "/");
  const own = folderAround(importer);
  if (dots === "") return absolute(path, name, { importer, own, files });
  const parts = own === "" ? [] : own.split("/");
  // Nothing above the repository is part of it.
  if (dots.length - 1 > parts.length) return FOREIGN;
  const base = inFolder(parts.slice(0, parts.length - dots.length + 1).join("/"), path);
  return relative(base, name, importer, files);
}

function relative(base: string, name: string | undefined, importer: string, files: PythonFiles): PythonMeaning {
  const found = others(files.filesOf(name === undefined ? base : inFolder(base, name)), importer);
  if (found.length > 0) return { ...FOREIGN, files: found };
  const isThere = base === folderAround(importer) || files.isFolder(base);
  if (name === undefined)
    return isThere || files.filesOf(base).length > 0 || WRITTEN_BY_BUILDS.test(base) ? FOREIGN : LOST;
  // A name of a folder without a file of its own can only be a module in it.
  return isThere && files.filesOf(base).length === 0 && !WRITTEN_BY_BUILDS.test(name) ? LOST : FOREIGN;
}

interface Importing {
  readonly importer: string;
  readonly own: string;
  readonly files: PythonFiles;
}

function absolute(module: string, name: string | undefined, { importer, own, files }: Importing): PythonMeaning {
  const path = name === undefined ? module : `${module}/${name}`;
  const [first = ""] = module.split("/", 1);
  const holders = files.holdersOf(first);
  const roots = files.rootsOf(own);
  for (const root of roots) {
    const found = holders.has(root) ? others(files.filesOf(inFolder(root, path)), importer) : [];
    if (found.length > 0) return { ...FOREIGN, files: found };
  }
  if (isStandardModule(first)) return FOREIGN;
  const elsewhere = [...holders].slice(0, MOST_GUESSES).filter((root) => !roots.includes(root));
  const guesses = elsewhere.flatMap((root) => {
    const found = others(files.filesOf(inFolder(root, path)), importer);
    return found.length === 0 ? [] : [{ root, found }];
  });
  if (guesses.length > 0) {
    // A module within a package is seldom called without it: the name is more likely that of a package from elsewhere.
    const isGuess = guesses.length > 1 || files.isPackage(guesses[0]!.root);
    return { files: guesses.flatMap(({ found }) => found), isGuess, isLost: false };
  }
  if (WRITTEN_BY_BUILDS.test(path)) return FOREIGN;
  const likely = [...roots, ...(elsewhere.length === 1 && holders.size === 1 ? elsewhere : [])];
  return likely.some((root) => holders.has(root) && lacks(inFolder(root, module), name, root, files)) ? LOST : FOREIGN;
}

/** Whether a folder has the package of a module, and the package has no such module. A folder without `__init__.py` may go on elsewhere. */
function lacks(base: string, name: string | undefined, root: string, files: PythonFiles): boolean {
  const isFolder = files.isFolder(base);
  if (files.filesOf(base).length > 0 || isFolder === (name === undefined) || files.isPackage(root)) return false;
  let folder = root;
  for (const part of base.slice(root === "" ? 0 : root.length + 1).split("/", DEEPEST_PACKAGE)) {
    folder = inFolder(folder, part);
    if (files.isPackage(folder)) return true;
  }
  return false;
}

function others(found: readonly string[], importer: string): string[] {
  return found.filter((path) => path !== importer);
}
