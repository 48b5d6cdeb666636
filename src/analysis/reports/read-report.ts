import type { ReportFormat } from "../../domain/repo-config.ts";
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
