import { posix } from "node:path";
import type { RiskFile } from "./risk-facts.ts";

/** Size and spread of a change, as DESIGN section 6 counts them. */
export interface ChangeMeasure {
  /** Lines that somebody wrote or removed: without generated, lock, vendored and merely moved files. */
  readonly added: number;
  readonly deleted: number;
  /** All changed files, also those whose lines do not count: a change is spread over them all the same. */
  readonly files: number;
  readonly directories: number;
  /** Shannon entropy of the counted lines over their files: 0 when all are in one. */
  readonly entropyBits: number;
  /** Whether all counted lines belong to documentation or tests. */
  readonly docsOrTestsOnly: boolean;
  readonly testChanged: boolean;
  /** 0 to 1, and 1 from 1,000 added lines on. */
  readonly size: number;
}

const UNCOUNTED_KINDS: ReadonlySet<RiskFile["kind"]> = new Set(["generated", "lock", "vendored"]);

export function measureChange(files: readonly RiskFile[]): ChangeMeasure {
  const counted = files.filter((file) => !UNCOUNTED_KINDS.has(file.kind) && !file.pureRename && linesOf(file) > 0);
  const added = sum(counted.map((file) => file.addedLines));
  const deleted = sum(counted.map((file) => file.deletedLines));
  return {
    added,
    deleted,
    files: files.length,
    directories: new Set(files.map((file) => posix.dirname(file.path))).size,
    entropyBits: entropyBits(counted.map(linesOf)),
    docsOrTestsOnly: counted.length > 0 && counted.every(({ kind }) => kind === "docs" || kind === "test"),
    testChanged: counted.some(({ kind }) => kind === "test"),
    size: logShare(added + 0.25 * deleted, 1_000),
  };
}

/** `ln(1 + value) / ln(1 + full)`, at most 1: the first of anything weighs more than the hundredth. */
export function logShare(value: number, full: number): number {
  return Math.min(1, Math.log1p(value) / Math.log1p(full));
}

function linesOf(file: RiskFile): number {
  return file.addedLines + file.deletedLines;
}

function entropyBits(lines: readonly number[]): number {
  const total = sum(lines);
  // The subtraction from zero keeps a single file at 0 and not at -0.
  return 0 - sum(lines.map((count) => (count / total) * Math.log2(count / total)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
