import { readFile } from "node:fs/promises";
import { readReport } from "../reports/read-report.ts";
import type { ToolReport } from "../reports/tool-report.ts";
import type { ChildFile } from "./protocol.ts";

/** Reads the report that a file of ours holds. */
export async function readReportFile({ report }: ChildFile): Promise<ToolReport> {
  if (report === undefined) throw new Error("a report is asked for by its file");
  const { file, format, root, paths } = report;
  return readReport(format, await readFile(file, "utf8"), { root, only: new Set(paths) });
}
