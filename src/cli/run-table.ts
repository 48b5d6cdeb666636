import { subjectName } from "../domain/subjects.ts";
import { phaseName, standingWords, timeWords } from "../github/words/view-words.ts";
import { durationOf, usd } from "../github/words/wording.ts";
import { plainLine } from "../safety/plain-line.ts";
import type { ListedRun } from "../store/runs/overview.ts";
import { columnsOf, cutColumns } from "./columns.ts";

/** When a list is printed, and how wide it may be: undefined in a pipe, where nothing is cut. */
export interface TableLook {
  readonly now: Date;
  readonly columns?: number | undefined;
}

/** Runs, one a line: what each is, of what, how it stands, since when, its time, its cost and its title. */
export function runTable(runs: readonly ListedRun[], look: TableLook): string {
  if (runs.length === 0) return "  (no runs)";
  return table(
    runs.map((run) => {
      const { runId, kind, subject, phase, status, startedAt, endedAt, title } = run;
      const at = status === "running" && phase !== null ? ` (${phaseName(phase)})` : "";
      return [
        ...[runId, kind, plainLine(subjectName(subject)), `${standingWords(run)}${at}`],
        ...[
          timeWords(startedAt, look.now),
          durationOf(startedAt, endedAt, look.now),
          usd(run.usd),
          title === null ? "" : plainLine(title),
        ],
      ];
    }),
    look,
  );
}

/** Rows of cells in columns, each line behind two blanks and cut to the terminal. */
export function table(rows: readonly (readonly string[])[], { columns }: Pick<TableLook, "columns">): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => columnsOf(row[at] ?? ""))));
  return rows
    .map((row) => {
      const cells = row.map((cell, at) => `${cell}${" ".repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(cell)))}`);
      const line = `  ${cells.join("  ")}`.trimEnd();
      return columns === undefined ? line : cutColumns(line, columns);
    })
    .join("\n");
}
