import { codeSpan } from "../../safety/code-text.ts";
import { neutraliseText } from "../../safety/neutralise.ts";
import type { Redact } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";

/** What all words depend on, whatever they say. */
export interface Wording {
  /** Hosts that text by others may link to (GH-15). */
  readonly allowedHosts: readonly string[];
  readonly redact: Redact;
}

/** Text by a model, an analyser or the repository, as Markdown that can do nothing (GH-15, SEC-6). */
export function foreign(text: string, wording: Wording, maximum = 1000): string {
  return neutraliseText(cut(wording.redact(text.trim()), maximum), wording);
}

/** The same on one line; for a cell with `table`. */
export function foreignLine(text: string, wording: Wording, { table = false, maximum = 300 } = {}): string {
  const line = cut(wording.redact(text.trim()), maximum);
  return neutraliseText(line, { allowedHosts: wording.allowedHosts, inline: true, table });
}

/** A name by others (path, rule, login) as code. */
export function foreignCode(text: string, wording: Wording, { table = false } = {}): string {
  return codeSpan(cut(wording.redact(text), 300), { table });
}

/** For where GitHub shows plain text: titles and annotations. */
export function foreignPlain(text: string, wording: Wording, maximum: number): string {
  return cut(visibleText(wording.redact(text.trim())), maximum);
}

/** At most `maximum` UTF-16 units, ending in an ellipsis when something is missing; never half a character. */
export function cut(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  return `${text.slice(0, maximum - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** "1 finding", "3 findings", "1,214 lines". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A sentence's end, once. */
export function withFullStop(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
