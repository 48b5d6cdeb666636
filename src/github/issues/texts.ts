import { commandLines } from "../../pipeline/commands/parse-comment.ts";
import type { Redact } from "../../safety/redact.ts";

export interface Kept {
  readonly text: string;
  /** Characters that were cut off. */
  readonly cut: number;
}

/** A text without secrets and of at most so many characters. Redacted first: of a secret that was cut in two, half would stay. */
export function keep(text: string | null | undefined, characters: number, redact: Redact): Kept {
  const whole = redact((text ?? "").toWellFormed());
  if (whole.length <= characters) return { text: whole, cut: 0 };
  // Half of a pair is no character.
  const kept = whole.slice(0, characters).replace(/[\uD800-\uDBFF]$/, "");
  return { text: kept, cut: whole.length - kept.length };
}

/** Whether there is anything in it beside commands to Forge. */
export function saysSomething(text: string | null | undefined): boolean {
  if (!text?.trim()) return false;
  const { lines, alone } = commandLines(text);
  return lines.length === 0 || !alone;
}
