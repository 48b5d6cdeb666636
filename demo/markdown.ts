import { inlineWords, type Paint, paintLine, wrap } from "./inline.ts";
import { renderTable } from "./table.ts";

export interface Page {
  readonly paint: Paint;
  /** Characters. */
  readonly width: number;
  /** Shows what is folded on GitHub. */
  readonly unfolded?: boolean;
}

/** The lines that a suggestion would replace, so that it can be shown as a change. */
export type Replaced = readonly string[];

/** What of GitHub's Markdown Forge writes, as lines for a terminal: paragraphs, tables, suggestions, code, folds. */
export function renderMarkdown(markdown: string, page: Page, replaced: Replaced = []): string[] {
  const source = markdown
    .replace(/<!--[\s\S]*?-->/g, "")
    .trim()
    .split("\n");
  const lines: string[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const line = source[at]!;
    const folded = /^<details><summary>(.*)<\/summary>/.exec(line);
    const fenced = /^(`{3,})(\w*)$/.exec(line);
    if (folded && page.unfolded) {
      lines.push(page.paint("dim", `▾ ${plainWords(folded[1])}`));
    } else if (line === "</details>") {
      // The end of what was unfolded.
    } else if (folded) {
      // As on GitHub: what is folded is there for a reader who unfolds it.
      const end = source.findIndex((each, index) => index >= at && each.includes("</details>"));
      lines.push(page.paint("dim", `▸ ${plainWords(folded[1])}`));
      at = end === -1 ? source.length : end;
    } else if (fenced) {
      const end = source.indexOf(fenced[1]!, at + 1);
      const code = source.slice(at + 1, end === -1 ? undefined : end);
      lines.push(...(fenced[2] === "suggestion" ? change(replaced, code, page) : code.map((each) => `  ${each}`)));
      at = end === -1 ? source.length : end;
    } else if (line.startsWith("|")) {
      const rows = source.slice(at).findIndex((each) => !each.startsWith("|"));
      const end = rows === -1 ? source.length : at + rows;
      lines.push(...renderTable(source.slice(at, end), page));
      at = end - 1;
    } else {
      const words = inlineWords(line);
      lines.push(...(words.length === 0 ? [""] : wrap(words, page.width).map((each) => paintLine(each, page.paint))));
    }
  }
  return lines;
}

function plainWords(markdown = ""): string {
  return paintLine(inlineWords(markdown), (_format, text) => text);
}

function change(before: readonly string[], after: readonly string[], { paint }: Page): string[] {
  return [
    ...before.map((line) => paint("red", `- ${line}`)),
    ...after.map((line) => paint("green", `+ ${line}`)),
    ...(after.length === 0 ? [paint("dim", "  (suggested: without this line)")] : []),
  ];
}
