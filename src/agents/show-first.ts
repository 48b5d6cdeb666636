import type { PresentedFile } from "../analysis/present-change.ts";

/** More is asked for by tools. Characters. */
const CHANGE_CHARACTERS = 30_000;

/** The changed files of which the first message of an agent has the text, and the names of the others. */
export function showFirst(change: readonly PresentedFile[]): {
  readonly shown: readonly PresentedFile[];
  readonly others: readonly string[];
} {
  let size = 0;
  const shown = change.filter(({ text }) => {
    if (size + text.length > CHANGE_CHARACTERS) return false;
    size += text.length;
    return true;
  });
  return { shown, others: change.filter((file) => !shown.includes(file)).map(({ path }) => path) };
}
