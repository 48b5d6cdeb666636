import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readReportInChild } from "../../../src/analysis/configured-analyser.ts";
import type { ReportFormat } from "../../../src/domain/repo-config.ts";

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "forge-report-"));
});
afterEach(() => rmSync(scratch, { recursive: true }));

/** Reads it as a configured analyser does. */
export const read = (format: ReportFormat, text: string, paths: readonly string[]) =>
  readReportInChild(
    { format, bytes: Buffer.from(text), root: "/box", paths },
    { scratch, signal: new AbortController().signal },
  );

/** Of each a name, how it is read, and what stands in it, as tests. */
export function tryReports(reports: readonly (readonly [string, ReportFormat, string])[]): void {
  it.each(reports)("%s end in a reason or a result", async (_what, format, text) => {
    const result = await read(format, text, ["b.ts"]);
    expect(result.observations).toEqual([]);
    if (format !== "tsc") expect(result.problem).toMatch(/^(?:its report|a run in its report) /);
  });
}
