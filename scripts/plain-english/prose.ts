// Which parts of a file are prose: comments and sentences in strings for code, everything outside of fences for other text.
import { extname } from "node:path";

/** A line of a file with the prose in it. A line of code can have several pieces: strings and a comment. */
export interface ProseLine {
  /** Counted from 1. */
  readonly line: number;
  readonly pieces: readonly string[];
}

const CODE = new Set([".ts", ".mts", ".js", ".mjs"]);
const TEXT = new Set([".md", ".yml", ".yaml", ".example", ""]);

/** Generated files, recorded data, text by other authors, and prompts: a prompt changes only with its version. */
const LEFT_OUT =
  /(^|\/)(node_modules|dist|\.git|fixtures|drizzle|schema-data|generated|corpus|lessons|LICENSE|agents\/prompts)(\/|$)/;

const BLOCK_COMMENT = /^\s*(?:\/\*\*?|\*)(?!\/)(.*)$/;
const LINE_COMMENT = /(?:^|\s)\/\/(?!\/)(.*)$/;
const STRING = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
const SEVERAL_WORDS = /[A-Za-z]{2,} [A-Za-z]/;
const FENCE = /^\s*(```|~~~)/;

/** Whether the check reads the file at this path, relative to the repository. */
export function hasProse(path: string): boolean {
  return !LEFT_OUT.test(path) && (CODE.has(extname(path)) || TEXT.has(extname(path)));
}

/** The prose of a file, without inline code. Lines without prose are left out. */
export function proseOf(path: string, content: string): ProseLine[] {
  const lines = content.split("\n").map((text, index) => ({ line: index + 1, text }));
  if (CODE.has(extname(path))) {
    return lines
      .map(({ line, text }) => ({ line, pieces: piecesOfCode(text) }))
      .filter(({ pieces }) => pieces.length > 0);
  }
  const prose = extname(path) === ".md" ? lines.filter(outsideOfFences()) : lines;
  return prose.map(({ line, text }) => ({ line, pieces: [withoutInlineCode(text).trim()] }));
}

function piecesOfCode(line: string): string[] {
  const comment = BLOCK_COMMENT.exec(line) ?? LINE_COMMENT.exec(line);
  const code = comment === null ? line : line.slice(0, comment.index);
  const strings = [...code.matchAll(STRING)].map((match) => match[2] ?? "").filter((text) => SEVERAL_WORDS.test(text));
  const pieces = comment === null ? strings : [(comment[1] ?? "").replace(/\*\/\s*$/, ""), ...strings];
  return pieces.map((piece) => withoutPaths(withoutInlineCode(piece)).trim());
}

function outsideOfFences(): (line: { readonly text: string }) => boolean {
  let fenced = false;
  return ({ text }) => {
    const isFence = FENCE.test(text);
    if (isFence) fenced = !fenced;
    return !isFence && !fenced;
  };
}

/** Leaves one backtick as a placeholder, so the words around the code do not become neighbors. */
function withoutInlineCode(text: string): string {
  return text.replace(/`[^`]*`/g, "`");
}

/** Names of files and folders are not prose. */
function withoutPaths(text: string): string {
  return text.replace(/[\w-]+\/[\w/-]+/g, "");
}
