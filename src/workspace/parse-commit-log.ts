import { isUtf8 } from "node:buffer";
import { pathFromBytes } from "./path-text.ts";

/** The lines that a commit adds to one file. */
export interface AddedText {
  /** Written as `pathFromBytes` does. */
  readonly path: string;
  /** The added lines, joined by line feeds. */
  readonly text: string;
  /** For each of them its number in the file as the commit leaves it. */
  readonly lines: readonly number[];
}

export interface CommitPatch {
  readonly sha: string;
  readonly files: readonly AddedText[];
}

/**
 * Reads `git log --patch --cc -U0` with a format of `mark` and the commit's id.
 * @param cut whether the end is missing: the last file is then dropped, as its end is unknown
 */
export function parseCommitLog(output: Buffer, mark: string, cut: boolean): CommitPatch[] {
  // One character for each byte: content need not be UTF-8.
  const [, ...records] = output.toString("latin1").split(mark);
  return records.map((record, at) => {
    const [sha = "", ...rest] = record.split(/\n(?=diff --)/);
    const sections = cut && at === records.length - 1 ? rest.slice(0, -1) : rest;
    return { sha: sha.trim(), files: sections.flatMap(readSection) };
  });
}

/** Lines of content begin with a space, a sign or a backslash, so neither `diff --` nor `@@` can be imitated. */
function readSection(section: string): AddedText[] {
  const lines = section.split("\n");
  const firstHunk = lines.findIndex((line) => line.startsWith("@@"));
  const name = lines.slice(0, Math.max(0, firstHunk)).find((line) => line.startsWith("+++ "));
  if (name === undefined || name === "+++ /dev/null") return [];
  const texts: string[] = [];
  const numbers: number[] = [];
  let parents = 1;
  let number = 0;
  for (const line of lines.slice(firstHunk)) {
    if (line.startsWith("@@")) {
      parents = (/^@+/.exec(line)?.[0].length ?? 2) - 1;
      number = Number(/ \+(\d+)/.exec(line)?.[1] ?? 0);
      continue;
    }
    const signs = line.slice(0, parents);
    if (line === "" || line.startsWith("\\") || signs.includes("-")) continue;
    if (signs === "+".repeat(parents)) {
      texts.push(line.slice(parents));
      numbers.push(number);
    }
    number += 1;
  }
  return texts.length === 0 ? [] : [{ path: readPatchPath(name), text: decode(texts.join("\n")), lines: numbers }];
}

function decode(latin1: string): string {
  const bytes = Buffer.from(latin1, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : latin1;
}

const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/**
 * The path in a line of a patch's head, `+++ b/name` or `rename to name`, with a tab behind a name with spaces; strange names stand in
 * quotes, as in a C string.
 */
export function readPatchPath(line: string): string {
  const [head = ""] = /^(?:\+\+\+|---|rename (?:from|to)) /.exec(line) ?? [];
  const written = line.slice(head.length).replace(/\t$/, "");
  const name = written.startsWith('"')
    ? written.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
        return /^\d/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code);
      })
    : written;
  return pathFromBytes(Buffer.from(head.startsWith("rename") ? name : name.slice("b/".length), "latin1"));
}
