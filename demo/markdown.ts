import { inlineWords, lineWidth, type Paint, paintLine, wordWidth, wrap } from "./inline.ts";

export interface Page {
  readonly paint: Paint;
  /** Characters. */
  readonly width: number;
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
    const fenced = /^(`{3,})(\w*)$/.exec(line);
    if (fenced) {
      const end = source.indexOf(fenced[1]!, at + 1);
      const code = source.slice(at + 1, end === -1 ? undefined : end);
      lines.push(...(fenced[2] === "suggestion" ? change(replaced, code, page) : code.map((each) => `  ${each}`)));
      at = end === -1 ? source.length : end;
    } else if (line.startsWith("|")) {
      const rows = source.slice(at).findIndex((each) => !each.startsWith("|"));
      const end = rows === -1 ? source.length : at + rows;
      lines.push(...table(source.slice(at, end), page));
      at = end - 1;
    } else {
      const words = inlineWords(line.replace(/<\/?(?:details|summary)>/g, ""));
      lines.push(...(words.length === 0 ? [""] : wrap(words, page.width).map((each) => paintLine(each, page.paint))));
    }
  }
  return lines;
}

function change(before: readonly string[], after: readonly string[], { paint }: Page): string[] {
  return [
    ...before.map((line) => paint("red", `- ${line}`)),
    ...after.map((line) => paint("green", `+ ${line}`)),
    ...(after.length === 0 ? [paint("dim", "  (suggested: without this line)")] : []),
  ];
}

const GAP = 2;

/** Columns are as wide as they need to be; when that is too wide together, the widest give way and their cells wrap. */
function table(source: readonly string[], { paint, width }: Page): string[] {
  const rows = source
    .filter((line) => !/^\|[-:| ]+\|$/.test(line))
    .map((line) => line.slice(1, -1).split("|").map(inlineWords));
  const columns = rows[0]?.length ?? 0;
  const numbers = Array.from({ length: columns }, (_, index) => index);
  const cells = (column: number) => rows.map((row) => row[column] ?? []);
  const wanted = numbers.map((column) => Math.max(...cells(column).map(lineWidth)));
  // No narrower than the longest word, so that names and places stay whole.
  const least = numbers.map((column) => Math.max(...cells(column).flat().map(wordWidth), 0));
  const widths = narrow(wanted, least, width - GAP * (columns - 1));
  return rows.flatMap((row, number) => {
    const wrapped = widths.map((columnWidth, column) => wrap(row[column] ?? [], columnWidth));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) => {
      const parts = widths.map((columnWidth, column) => {
        const words = wrapped[column]?.[at] ?? [];
        const text =
          number === 0
            ? paint(
                "dim",
                paintLine(words, (_format, plain) => plain),
              )
            : paintLine(words, paint);
        return text + " ".repeat(column === columns - 1 ? 0 : columnWidth - lineWidth(words));
      });
      return parts.join(" ".repeat(GAP)).trimEnd();
    });
  });
}

function narrow(wanted: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...wanted];
  const sum = () => widths.reduce((total, each) => total + each, 0);
  while (sum() > room) {
    const shrinkable = widths.map((each, column) => (each > least[column]! ? each : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    widths[shrinkable.indexOf(widest)]! -= 1;
  }
  return widths;
}
