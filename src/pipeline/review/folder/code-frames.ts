import { ruleFacts } from "../../../analysis/rule-facts.ts";
import { findNamedSecrets, textKindOf } from "../../../analysis/secrets/named-secrets.ts";
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

/**
 * The code of each finding in a file that was read as text. Lines of secrets are hidden, also of those that were there before the change: a
 * build's log keeps what is printed. Of what has the shape of a token the redactor of the output takes care.
 * @param all findings, also those that are not shown
 */
export function codeFrames(
  findings: readonly Finding[],
  files: ReadonlyMap<string, SourceFile>,
  all: readonly Finding[] = findings,
): CodeFrames {
  const secret = new Map<string, Set<number>>();
  for (const { file, line, endLine, secret: isSecret, rule } of all) {
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
    for (let at = from; at <= to; at += 1) lines.push(textOf(source, at));
    const named = namedIn(lines, source);
    frames[id] = {
      from,
      lines: lines.map((line, at) => (hidden?.has(from + at) || named.has(at) ? HIDDEN_LINE : line)),
    };
  }
  return frames;
}

/** Which of these lines have a value that its name makes a secret. */
function namedIn(lines: readonly string[], source: SourceFile): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { offset, length } of findNamedSecrets(lines.join("\n"), textKindOf(source))) {
    let start = 0;
    for (const [at, line] of lines.entries()) {
      const end = start + line.length;
      if (offset <= end && offset + length > start) found.add(at);
      start = end + 1;
    }
  }
  return found;
}

function textOf({ text, lineStarts }: SourceFile, line: number): string {
  const start = lineStarts[line - 1] ?? 0;
  const end = Math.min(lineStarts[line] ?? text.length + 1, start + MOST_CHARACTERS);
  return text.slice(start, end).replace(/\r?\n$/, "");
}
