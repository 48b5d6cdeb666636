import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReportFormat } from "../domain/repo-config.ts";
import type { AnalyserContext } from "./analyser.ts";
import type { ToolReport } from "./reports/tool-report.ts";
import { runInChild } from "./run-in-child.ts";

export interface PrintedReport {
  readonly format: ReportFormat;
  readonly bytes: Buffer;
  /** Absolute path of the checkout as the tool saw it. */
  readonly root: string;
  /** What is said about other files is of no interest. */
  readonly paths: readonly string[];
}

/**
 * Reads what a tool printed in a process of its own: the tool is the repository's, its report may have 64 MB, and reading that here would
 * hold up every other review. What cannot be read at all is the report's `problem`.
 */
export async function readReportInChild(
  { format, bytes, root, paths }: PrintedReport,
  context: AnalyserContext,
): Promise<ToolReport> {
  const folder = join(context.scratch, "report");
  const file = "printed";
  await mkdir(folder);
  await writeFile(join(folder, file), bytes);
  const asked = { id: 0, text: "", report: { file, format, root, paths } };
  const { results, unread } = await runInChild<ToolReport>("report", [asked], context, folder);
  const problem = `its report could not be read: ${unread[0]?.reason ?? "there was no answer"}`;
  return results.get(0) ?? { observations: [], dropped: [], problem };
}
