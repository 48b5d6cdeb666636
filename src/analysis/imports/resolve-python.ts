import { posix } from "node:path";

/**
 * The file that an import of Python means, by names alone. A name without dots is looked up where the importer's outermost package lies (the
 * first folder above it without `__init__.py`, which is what pytest and `python -m` put on the path), then in each folder above that and the
 * `src` of each, and last in the folder of the importer, as for a script that is run in its own folder.
 */
export function resolvePython(module: string, importer: string, known: ReadonlySet<string>): string | undefined {
  const [, dots = "", rest = ""] = /^(\.*)([^.].*)?$/.exec(module) ?? [];
  const own = posix.dirname(importer);
  const path = rest.replaceAll(".", "/");
  for (const root of dots === "" ? rootsOf(own, known) : [posix.join(own, "../".repeat(dots.length - 1))]) {
    const base = posix.join(root, path);
    const found = [`${base}.py`, `${base}/__init__.py`].find((each) => each !== importer && known.has(each));
    if (found !== undefined) return found;
  }
  return undefined;
}

function rootsOf(own: string, known: ReadonlySet<string>): string[] {
  let folder = own;
  while (folder !== "." && known.has(`${folder}/__init__.py`)) folder = posix.dirname(folder);
  const roots: string[] = [];
  for (; ; folder = posix.dirname(folder)) {
    roots.push(folder, posix.join(folder, "src"));
    if (folder === ".") return [...roots, own];
  }
}
