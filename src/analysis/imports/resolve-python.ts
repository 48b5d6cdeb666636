import { posix } from "node:path";

/** The file that an import of Python means, by names alone. */
export function resolvePython(module: string, importer: string, known: ReadonlySet<string>): string | undefined {
  const [, dots = "", rest = ""] = /^(\.*)([^.].*)?$/.exec(module) ?? [];
  let folder = posix.dirname(importer);
  for (let up = 1; up < dots.length; up += 1) folder = posix.dirname(folder);
  const path = rest.replaceAll(".", "/");
  const roots = dots === "" ? ["", "src", folder] : [folder];
  for (const root of roots) {
    const base = posix.join(root, path);
    const found = [`${base}.py`, `${base}/__init__.py`].find((candidate) => known.has(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}
