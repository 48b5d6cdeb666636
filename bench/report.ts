import { writeFileSync } from "node:fs";

/** One figure of a bench. `ratio` is value over baseline; `met` says whether the goal holds. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same measured for what we compare with, in the same run. */
  readonly baseline?: number;
  /** In words: "ratio at least 0.7", "under 100 ms". */
  readonly goal?: string;
  readonly met?: boolean;
}

/** Prints the results as a table and, with `--json <file>` among the arguments, writes them there as an array. Not met: exit code 1. */
export function report(
  title: string,
  results: readonly Result[],
  args: readonly string[] = process.argv.slice(2),
): void {
  const rows = results.map((result) => [
    result.name,
    `${readable(result.value)} ${result.unit}`,
    result.baseline === undefined ? "" : readable(result.baseline),
    result.baseline === undefined ? "" : ratioOf(result).toFixed(2),
    result.goal ?? "",
    result.met === undefined ? "" : result.met ? "met" : "NOT MET",
  ]);
  const head = ["", "measured", "baseline", "ratio", "goal", ""];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  console.log(`\n${title}\n\n${[head, ...rows].map(line).join("\n")}\n`);

  const at = args.indexOf("--json");
  const file = at === -1 ? undefined : args[at + 1];
  if (file !== undefined) writeResults(file, results);
  if (results.some((result) => result.met === false)) process.exitCode = 1;
}

export function writeResults(file: string, results: readonly Result[]): void {
  writeFileSync(file, `${JSON.stringify(results.map(asJson), null, 2)}\n`);
}

/** The middle of the values (of an even number, the upper of the two): one slow round does not count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function ratioOf(result: Result): number {
  return result.value / (result.baseline ?? Number.NaN);
}

function asJson(result: Result): Readonly<Record<string, unknown>> {
  const { name, value, unit, baseline = null, goal = null, met = null } = result;
  return { name, value, unit, baseline, ratio: baseline === null ? null : ratioOf(result), goal, met };
}

function readable(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(Number.isInteger(value) ? 0 : 1);
}
