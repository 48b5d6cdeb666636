import { posix } from "node:path";
import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";

const MOST_SETTINGS = 800;
/** In bytes. What says more is not made by hand, and what it says is not read. */
const LARGEST = 200_000;
/** In bytes, of all of them: a megabyte takes up to a second to read, and as much again to lay out. */
const MOST_BYTES = 4_000_000;
/** Read at a time, so that no more than 20 MB are held that may be too much. */
const STEP = 100;

/** Settings of bundlers, runners and compilers that give other names to files. */
const PROGRAMS =
  /^(?:(?:vite|vitest|jest|webpack|babel|rollup|rspack|metro|next|astro|svelte)\.config|\.babelrc)(?:\.|$)/;

/** The files that say what an import of the repository means, the nearest to the root first. */
export function importSettings(paths: readonly string[]): string[] {
  const depths = new Map<string, number>();
  for (const path of paths) if (isSetting(path)) depths.set(path, path.split("/").length);
  return [...depths.keys()].sort((a, b) => depths.get(a)! - depths.get(b)!);
}

function isSetting(path: string): boolean {
  if (path.includes("node_modules/")) return false;
  const name = posix.basename(path);
  if (name === "package.json" || PROGRAMS.test(name)) return true;
  // A package of settings for others names it itself, or its files.
  return name.endsWith(".json") && /(?:ts|js|typescript-)config/.test(path) && !name.startsWith("package");
}

/** Where imports are looked up. */
export interface Importable {
  /** Every file. */
  readonly paths: readonly string[];
  /** Texts of `importSettings`, by path. */
  readonly settings: ReadonlyMap<string, Buffer>;
  /** Those that were too large, or too many, to be read. */
  readonly unreadSettings?: readonly string[];
}

export async function readImportable(
  paths: readonly string[],
  readMany: RepositoryFiles["readMany"],
  signal: AbortSignal,
): Promise<Importable> {
  const all = importSettings(paths);
  const [wanted, unread] = [all.slice(0, MOST_SETTINGS), all.slice(MOST_SETTINGS)];
  const settings = new Map<string, Buffer>();
  let left = MOST_BYTES;
  for (let from = 0; from < wanted.length; from += STEP) {
    const part = wanted.slice(from, from + STEP);
    const read = await readMany(part, signal, LARGEST);
    for (const path of part) {
      const text = read.get(path);
      // A smaller one may still fit.
      if (text === undefined || text.length > Math.min(left, LARGEST)) unread.push(path);
      else {
        settings.set(path, text);
        left -= text.length;
      }
    }
  }
  return { paths, settings, unreadSettings: unread };
}
