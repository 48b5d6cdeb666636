import { posix } from "node:path";

const MOST_PATHS = 60_000;
/** Where there are more files, these alone are looked for. */
const LINKABLE = /\.(?:[cm]?[jt]sx?|json|vue|svelte|astro)$/;

/** Files among which imports are looked up; `isCut` where there are more that an import may mean. */
export interface NearPaths {
  readonly listed: readonly string[];
  readonly isCut: boolean;
}

/** Of more files than can be laid out those with code: first the importers, then their folders, then all below the same top folder. */
export function nearPaths(paths: readonly string[], importers: readonly { readonly path: string }[]): NearPaths {
  if (paths.length <= MOST_PATHS) return { listed: paths, isCut: false };
  const linkable = paths.filter((path) => LINKABLE.test(path));
  if (linkable.length <= MOST_PATHS) return { listed: linkable, isCut: false };
  const own = new Set(importers.map(({ path }) => path));
  const folders = new Set([...own].map((path) => posix.dirname(path)));
  const tops = new Set([...own].map(topOf));
  const rings: string[][] = [[], [], [], []];
  for (const path of linkable) {
    const ring = own.has(path) ? 0 : folders.has(posix.dirname(path)) ? 1 : tops.has(topOf(path)) ? 2 : 3;
    rings[ring]!.push(path);
  }
  return { listed: rings.flat().slice(0, MOST_PATHS), isCut: true };
}

/** Of a file at the root, the root. */
function topOf(path: string): string {
  const [top = "", ...rest] = path.split("/", 2);
  return rest.length === 0 ? "" : top;
}
