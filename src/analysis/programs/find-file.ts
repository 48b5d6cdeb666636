import { posix } from "node:path";
import { ForgeError } from "../../domain/errors.ts";

/** Finds the file of a repository that a word of a command means. */
export type FindFile = (word: string, from: string) => readonly string[];

/** More files than these that one word may mean say that it means none of them in particular. */
const MOST_MEANT = 20;
/** What a language puts behind the name of a module. */
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".sh", ".py", "/index.js", "/index.ts", "/package.json"];
/** Comparisons of a pattern with a path that one finder makes: some tenths of a second. */
const MOST_COMPARED = 4_000_000;
const PATH_LIKE = /^[\w@.+~$()[\]/*?-]{1,300}$/;

/**
 * A finder over all files of a repository. A word is looked for from the folder of the file that holds it, from the root, and, as commands change
 * folders and variables hold them, by the end of its path; `*` and `?` stand for what they do in a shell. The finder throws ForgeError
 * `change_unreadable` where patterns ask for more comparisons than `mostCompared`: what it would not look for could be what runs.
 */
export function createFileFinder(paths: readonly string[], mostCompared = MOST_COMPARED): FindFile {
  const known = new Set(paths);
  const byName = Map.groupBy(paths, (path) => posix.basename(path));
  const matching = createMatcher(paths, mostCompared);
  return (word, from) => {
    const written = word.replace(/^file:/, "");
    if (!PATH_LIKE.test(written) || !/[\w*?]/.test(written)) return [];
    // `$DIR/x`, `${{ github.workspace }}/x` and `~/x` begin somewhere that the text does not tell.
    const cut = Math.max(written.lastIndexOf("$"), written.lastIndexOf("~"));
    const open = cut === -1 ? written : written.slice(cut).replace(/^[^/]*\/?/, "");
    if (/[*?]/.test(open)) return matching(open);
    const places = cut === -1 ? [posix.join(posix.dirname(from), open), posix.normalize(open)] : [];
    for (const place of places) {
      const there = ENDINGS.map((ending) => place.replace(/^\.?\//, "") + ending).find((path) => known.has(path));
      if (there !== undefined) return [there];
    }
    const end = posix.normalize(open).replace(/^(?:\.{0,2}\/)+/, "");
    const named = byName.get(posix.basename(end)) ?? [];
    const meant = named.filter((path) => path === end || path.endsWith(`/${end}`));
    return meant.length <= MOST_MEANT ? meant : [];
  };
}

/** The files that a pattern of a shell may stand for: each `*` for anything within a folder. Each pattern is compared once. */
function createMatcher(paths: readonly string[], mostCompared: number): (pattern: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  let byDepth: ReadonlyMap<number, readonly (readonly string[])[]> | undefined;
  let left = mostCompared;
  return (pattern) => {
    const parts = pattern.replace(/^(?:\.{0,2}\/)+/, "").split("/");
    if (parts.length > 10 || parts.every((part) => /^[*?.]*$/.test(part))) return [];
    const before = known.get(pattern);
    if (before) return before;
    byDepth ??= Map.groupBy(
      paths.map((path) => path.split("/")),
      ({ length }) => length,
    );
    const alike = byDepth.get(parts.length) ?? [];
    left -= alike.length;
    if (left < 0) throw tooManyPatterns();
    const found = alike.filter((names) => parts.every((part, at) => standsFor(part, names[at] ?? "")));
    const meant = found.slice(0, MOST_MEANT).map((names) => names.join("/"));
    known.set(pattern, meant);
    return meant;
  };
}

function tooManyPatterns(): ForgeError {
  const words = "The files of the repository name so many patterns of programs that they cannot all be looked for.";
  return new ForgeError("change_unreadable", words, { source: "resource", recoverability: "none" });
}

/** One pass from left to right, back at most to the last `*`. */
function standsFor(pattern: string, name: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < name.length) {
    if (at < pattern.length && (pattern[at] === "?" || (pattern[at] !== "*" && pattern[at] === name[from]))) {
      at += 1;
      from += 1;
    } else if (pattern[at] === "*") {
      star = at;
      mark = from;
      at += 1;
    } else if (star !== -1) {
      at = star + 1;
      mark += 1;
      from = mark;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
