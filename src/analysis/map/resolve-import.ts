import { posix } from "node:path";

/** Endings that an import may leave out, and what stands in the source for what will be built from it. */
const ENDINGS = ["", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json"];
const INDEXES = ["/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs"];
const BUILT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, [".ts", ".tsx"]],
  [/\.jsx$/, [".tsx"]],
  [/\.mjs$/, [".mts"]],
  [/\.cjs$/, [".cts"]],
];

/**
 * The file of this repository that an import means, by names alone; undefined for packages and for aliases that only a configuration
 * explains. `@/` and `~/` are tried below `src` and the root, as most projects mean them.
 */
export function resolveImport(specifier: string, importer: string, known: ReadonlySet<string>): string | undefined {
  if (importer.endsWith(".py") || importer.endsWith(".pyi")) return resolvePython(specifier, importer, known);
  const alias = /^[@~]\/(.+)$/.exec(specifier)?.[1];
  const bases =
    alias !== undefined
      ? [`src/${alias}`, alias]
      : specifier.startsWith(".")
        ? [posix.join(posix.dirname(importer), specifier)]
        : [];
  for (const base of bases) {
    const built = BUILT.flatMap(([ending, sources]) =>
      ending.test(base) ? sources.map((source) => base.replace(ending, source)) : [],
    );
    const candidates = [...ENDINGS.map((ending) => base + ending), ...built, ...INDEXES.map((index) => base + index)];
    const found = candidates.find((candidate) => known.has(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

function resolvePython(specifier: string, importer: string, known: ReadonlySet<string>): string | undefined {
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(specifier) ?? [];
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
