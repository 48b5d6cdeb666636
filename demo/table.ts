import { type Format, inlineWords, lineWidth, type Paint, paintLine, type Word, wordWidth, wrap } from "./inline.ts";

const GAP = "  ";

/** A severity has its color, in the column that names the finding. */
const COLOURS: Readonly<Record<string, Format>> = { critical: "red", error: "red", warning: "yellow" };

type Cell = readonly Word[];

/** Columns are as wide as they need to be; when that is too wide together, the widest give way and their cells wrap. */
export function renderTable(source: readonly string[], { paint, width }: { paint: Paint; width: number }): string[] {
  const rows = source.filter((line) => !/^\|[-:| ]+\|$/.test(line)).map(cellsOf);
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? []));
  const widths = narrow(
    columns.map((cells) => Math.max(...cells.map(lineWidth))),
    // No narrower than the longest word, so that names and places stay whole.
    columns.map((cells) => Math.max(...cells.flat().map(wordWidth), 0)),
    width - GAP.length * (columns.length - 1),
  );
  return rows.flatMap((row, number) => {
    const paintCell = (words: Cell, column: number) => {
      if (number === 0) return paintHeading(words, paint);
      return column === 0 ? paintFirst(words, paint) : paintLine(words, paint);
    };
    const wrapped = widths.map((columnWidth, column) => wrap(row[column] ?? [], columnWidth));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) => {
      const parts = widths.map((columnWidth, column) => {
        const words = wrapped[column]?.[at] ?? [];
        const isLast = column === widths.length - 1;
        return paintCell(words, column) + (isLast ? "" : " ".repeat(columnWidth - lineWidth(words)));
      });
      return parts.join(GAP).trimEnd();
    });
  });
}

/** A pipe that belongs to a cell is escaped, in code as well. */
function cellsOf(line: string): Cell[] {
  const cells = line.slice(1, -1).split(/(?<!\\)\|/);
  return cells.map((cell) => inlineWords(cell.replaceAll("\\|", "|")));
}

function paintHeading(words: Cell, paint: Paint): string {
  return paint("dim", plain(words));
}

function paintFirst(words: Cell, paint: Paint): string {
  return words.map((word) => paintSeverity(plain([word]), paint) ?? paintLine([word], paint)).join(" ");
}

function paintSeverity(word: string, paint: Paint): string | undefined {
  const colour = COLOURS[word.replace(/,$/, "")];
  return colour && paint(colour, word);
}

function plain(words: Cell): string {
  return paintLine(words, (_format, text) => text);
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
