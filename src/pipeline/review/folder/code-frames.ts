import { ruleFacts } from "../../../analysis/rule-facts.ts";
import type { SourceFile } from "../../../analysis/source-file.ts";
import type { Finding } from "../../../domain/findings.ts";

/** The lines around a finding, as they are in its file. */
export interface CodeFrame {
  /** Number of the first line. */
  readonly from: number;
  readonly lines: readonly string[];
}

/** Frames by the ID of their finding. */
export type CodeFrames = Readonly<Record<string, CodeFrame>>;

const BEFORE = 1;
const MOST_LINES = 6;
const MOST_CHARACTERS = 500;

/** CWE-798: hard-coded credentials. */
const CREDENTIALS = 798;

/** Stands for a line that holds a secret. */
export const HIDDEN_LINE = "[hidden: this line contains a secret]";

/** The code of each finding in a file that was read as text. Lines of secrets are hidden: a build's log keeps what is printed. */
export function codeFrames(findings: readonly Finding[], files: ReadonlyMap<string, SourceFile>): CodeFrames {
  const secret = new Map<string, Set<number>>();
  for (const { file, line, endLine, secret: isSecret, rule } of findings) {
    if (!isSecret && ruleFacts(rule)?.cwe !== CREDENTIALS) continue;
    const lines = secret.get(file) ?? new Set();
    for (let at = line; at <= Math.min(endLine, line + 100); at += 1) lines.add(at);
    secret.set(file, lines);
  }
  const frames: Record<string, CodeFrame> = {};
  for (const { id, file, line, endLine, commit } of findings) {
    const source = commit === undefined ? files.get(file) : undefined;
    if (source === undefined || line > source.lineStarts.length) continue;
    const from = Math.max(1, line - BEFORE);
    const to = Math.min(source.lineStarts.length, endLine, from + MOST_LINES - 1);
    const hidden = secret.get(file);
    const lines: string[] = [];
    for (let at = from; at <= to; at += 1) lines.push(hidden?.has(at) ? HIDDEN_LINE : textOf(source, at));
    frames[id] = { from, lines };
  }
  return frames;
}

function textOf({ text, lineStarts }: SourceFile, line: number): string {
  const start = lineStarts[line - 1] ?? 0;
  const end = Math.min(lineStarts[line] ?? text.length + 1, start + MOST_CHARACTERS);
  return text.slice(start, end).replace(/\r?\n$/, "");
}
