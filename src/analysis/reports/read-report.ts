import { readBiome } from "./read-biome.ts";
import { readCheckstyle } from "./read-checkstyle.ts";
import { readEslint } from "./read-eslint.ts";
import { readSarif } from "./read-sarif.ts";
import { readTsc } from "./read-tsc.ts";
import type { ReportOptions, ToolReport } from "./tool-report.ts";

/** Formats in which a configured analyser may report (REV-5). */
export const REPORT_FORMATS = ["sarif", "eslint", "biome", "tsc", "checkstyle"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

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
