import { visibleText } from "./visible-text.ts";

/** Text by a model or a repository on one line of a terminal: nothing in it moves the cursor, hides or reorders. */
export function plainLine(text: string, most = 300): string {
  const line = visibleText(text).replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
