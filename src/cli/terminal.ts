import { writeFile } from "node:fs/promises";
import { ForgeError } from "../domain/errors.ts";
import { plainLine } from "../safety/plain-line.ts";
import type { Redact } from "../safety/redact.ts";
import { visibleText } from "../safety/visible-text.ts";
import { columnsOf, cutColumns, USUAL_COLUMNS } from "./columns.ts";

/** The same with its lines, each behind `indent`. */
export function plainBlock(text: string, indent: string, most = 4_000): string {
  const visible = visibleText(text).trim();
  const cut = visible.length > most ? `${visible.slice(0, most - 1)}…` : visible;
  return cut
    .split("\n")
    .map((line) => `${indent}${line.trimEnd()}`)
    .join("\n");
}

/** "$0.18"; a cost is never rounded to nothing. */
export function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? "under $0.01" : `$${amount.toFixed(2)}`;
}

/** "1 commit", "3 commits". */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

/** "under 1 s", "42 s", "3 min 5 s". */
export function lasting(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Of a terminal: its width. */
  readonly columns?: number;
}

/** Where a command prints its result, its progress and its errors. */
export interface Output {
  readonly out: Stream;
  readonly err: Stream;
  /** NO_COLOR of the environment; any value switches colours off. */
  readonly noColor: boolean;
  /** The last door: a log of a build keeps what is printed, and a report is uploaded, with any secret that it quotes. */
  readonly redact: Redact;
}

export interface Progress {
  /**
   * @param end stays whole at the end of the line, where the step has to be cut
   * @param start stands before the step, and is cut before the step is
   */
  show(step: string, end?: string, start?: string): void;
  /** Leaves nothing behind. */
  end(): void;
}

/** Columns that are left of the start of a line. */
const LEAST_START = 12;

/** One line on a terminal that is written over; nothing at all in a pipe. */
export function createProgress(stream: Stream): Progress {
  if (!stream.isTTY) return { show: () => {}, end: () => {} };
  const clear = "\r\x1b[2K";
  return {
    // A line that wraps could not be written over.
    show: (step, end = "", start = "") => {
      const columns = (stream.columns ?? USUAL_COLUMNS) - 1;
      const room = Math.max(1, columns - columnsOf(end));
      const first = plainLine(start, 1_000);
      const second = first === "" || step === "" ? plainLine(step, 1_000) : ` · ${plainLine(step, 1_000)}`;
      const cut = cutColumns(first, Math.max(LEAST_START, room - columnsOf(second)));
      stream.write(`${clear}${cutColumns(`${cutColumns(`${cut}${second}`, room)}${end}`, columns)}`);
    },
    end: () => stream.write(clear),
  };
}

/** What `--report` asks for, as JSON. @throws ForgeError `report_not_written` */
export async function writeReport(path: string, report: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`).catch((cause: Error) => {
    const options = { source: "resource", recoverability: "manual", cause } as const;
    throw new ForgeError("report_not_written", `The report could not be written to ${path}: ${cause.message}`, options);
  });
}
