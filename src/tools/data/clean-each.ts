import { type CleanOptions, cleanText } from "./clean-text.ts";

export interface CleanTexts {
  /** As many as before, each on one line. */
  readonly lines: readonly string[];
  /** Of how many of them something was left out, in a sentence for the model; undefined when of none. */
  readonly leftOut: string | undefined;
}

/** Foreign texts as a model may read them, each by itself: what one of them hides, as by a comment without an end, hides no other. */
export function cleanEach(
  texts: readonly { readonly text: string; readonly prose: boolean }[],
  options: Pick<CleanOptions, "redact">,
): CleanTexts {
  const clean = texts.map(({ text, prose }) => cleanText(text, { ...options, prose }));
  const count = clean.filter(({ leftOut }) => leftOut !== undefined).length;
  return {
    lines: clean.map(({ lines }) => lines.join(" ")),
    leftOut:
      count === 0
        ? undefined
        : `Left out of ${count} ${count === 1 ? "line" : "lines"}, as nobody sees it: hidden characters or text.`,
  };
}
