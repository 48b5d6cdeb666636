import { readFile } from "node:fs/promises";
import type { ReportFormat } from "../../domain/repo-config.ts";
import type { ChildFile } from "../child/protocol.ts";
import { readBiome } from "./read-biome.ts";
import { readCheckstyle } from "./read-checkstyle.ts";
import { readEslint } from "./read-eslint.ts";
import { readSarif } from "./read-sarif.ts";
import { readTsc } from "./read-tsc.ts";
import type { ReportOptions, ToolReport } from "./tool-report.ts";

const READERS: Readonly<Record<ReportFormat, (text: string, options: ReportOptions) => ToolReport>> = {
  sarif: readSarif,
  eslint: readEslint,
  biome: readBiome,
  tsc: readTsc,
  checkstyle: readCheckstyle,
};

/** Reads what a tool printed. Never throws, whatever it is given. */
export function readReport(format: ReportFormat, text: string, options: ReportOptions): ToolReport {
  return READERS[format](text, options);
}

/** Reads the report that a file of ours holds. */
export async function readReportFile({ report }: ChildFile): Promise<ToolReport> {
  if (report === undefined) throw new Error("a report is asked for by its file");
  const { file, format, root, paths } = report;
  return readReport(format, await readFile(file, "utf8"), { root, only: new Set(paths) });
}
