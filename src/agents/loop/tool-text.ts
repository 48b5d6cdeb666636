import type { Redact } from "../../safety/redact.ts";

const RESULT_CHARACTERS = 40_000;
const INPUT_CHARACTERS = 2_000;

/** A result that is too long keeps its beginning, and says what is missing and how to get it. */
export function cutResult(text: string, most = RESULT_CHARACTERS): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  return `${kept}\n[Cut here: ${text.length - most} more characters. Ask for a smaller part.]`;
}

/** Arguments for events and the report: JSON, cut, without secrets. */
export function describeInput(input: unknown, redact: Redact): string {
  const text = redact((JSON.stringify(input) ?? "null").slice(0, INPUT_CHARACTERS * 2));
  return text.length > INPUT_CHARACTERS ? `${text.slice(0, INPUT_CHARACTERS)}…` : text;
}
