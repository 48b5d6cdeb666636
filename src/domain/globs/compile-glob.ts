import { GlobAutomaton } from "./glob-automaton.ts";
import { parseGlob } from "./parse-glob.ts";

/** A glob that can be asked about paths, or why it cannot be used: what follows its name in a sentence. */
export type CompiledGlob =
  | {
      /** Whether it matches the path, or with `below` a folder that the path stands in. */
      readonly matches: (path: string, options?: { readonly below: boolean }) => boolean;
    }
  | { readonly fault: string };

/**
 * A glob as in `.gitignore`: without a slash it matches at any depth, `*` also matches hidden files. In time proportional to the path, whatever the
 * glob is: patterns are chosen by whoever writes a repository, and asked about on the main thread.
 */
export function compileGlob(glob: string): CompiledGlob {
  const trimmed = glob.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "");
  const isAnchored = trimmed.includes("/") || glob.startsWith("/");
  const parsed = parseGlob(trimmed);
  if ("fault" in parsed) return parsed;
  const anyFolders = [{ is: "star" }, { is: "star" }, { is: "slash" }] as const;
  const ways = parsed.ways.filter((way) => way.length > 0);
  const automaton = new GlobAutomaton(isAnchored ? ways : ways.map((way) => [...anyFolders, ...way]));
  // Whoever writes no name means nothing by it.
  if (/^\.?$/.test(trimmed)) return { matches: () => false };
  return { matches: (path, { below } = { below: false }) => automaton.matches(path, below) };
}
