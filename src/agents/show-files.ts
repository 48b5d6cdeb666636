import type { Redact } from "../safety/redact.ts";
import { isProse } from "../tools/data/clean-text.ts";
import { shownPath } from "../tools/data/listing.ts";
import { showText } from "../tools/data/show-text.ts";

/** A text file as it stands in the clone or at the base. */
export interface CurrentFile {
  readonly path: string;
  readonly text: string;
}

export interface ShownFiles {
  /** One block for each file that fits. */
  readonly blocks: readonly string[];
  /** Those that stand there whole. */
  readonly whole: readonly string[];
  /** Those for which there was no room, ready to be read. */
  readonly left: readonly string[];
}

/** Files as `read_file` would show them, whole or not at all, in their order while there is room; sizes in characters. */
export function showFiles(
  files: readonly CurrentFile[],
  limits: { readonly each: number; readonly all: number },
  redact: Redact,
): ShownFiles {
  let remaining = limits.all;
  const blocks: string[] = [];
  const whole: string[] = [];
  const left: string[] = [];
  for (const { path, text } of files) {
    // Numbers and bars of lines come on top.
    const size = text.length + text.split("\n").length * 5;
    if (size > limits.each || size > remaining) {
      left.push(shownPath(path));
      continue;
    }
    remaining -= size;
    // Not cut: what counts as read has to be there.
    const maxCharacters = Number.POSITIVE_INFINITY;
    blocks.push(showText({ from: path, text, prose: isProse(path), maxCharacters, numbered: true }, redact));
    whole.push(path);
  }
  return { blocks, whole, left };
}
