import { z } from "zod";
import type { Severity } from "../../domain/findings.ts";
import { pathInCheckout } from "./reported-path.ts";
import { categoryOf } from "./rule-categories.ts";
import {
  type DropReason,
  gatherReport,
  parseReport,
  type ReportedResult,
  type ReportOptions,
  type ToolReport,
} from "./tool-report.ts";

const number = z.number().optional().catch(undefined);
const Position = z.object({ line: number, column: number }).optional().catch(undefined);

const Diagnostic = z.object({
  severity: z.string().optional().catch(undefined),
  category: z.string().nullish().catch(undefined),
  message: z.string().optional().catch(undefined),
  /** Where older versions have the message as plain text. */
  description: z.string().optional().catch(undefined),
  location: z
    .object({
      path: z
        .union([z.string(), z.object({ file: z.string() }).transform(({ file }) => file)])
        .nullish()
        .catch(undefined),
      start: Position,
      end: Position,
      /** Before 2.4 places are bytes of the text that stands beside them. */
      span: z
        .tuple([z.int().min(0), z.int().min(0)])
        .nullish()
        .catch(undefined),
      sourceCode: z.string().nullish().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
type Diagnostic = z.infer<typeof Diagnostic>;

const Report = z.object({
  diagnostics: z.array(z.unknown()),
  summary: z.object({ diagnosticsNotPrinted: number }).optional().catch(undefined),
});

/** Reads `biome --reporter=json` of version 2. */
export function readBiome(text: string, options: ReportOptions): ToolReport {
  const gathering = gatherReport(options);
  const parsed = parseReport(text);
  if ("problem" in parsed) return gathering.finish(parsed.problem);
  const report = Report.safeParse(parsed.json);
  if (!report.success) return gathering.finish("its report is not Biome's JSON");
  for (const given of report.data.diagnostics) {
    const diagnostic = Diagnostic.safeParse(given);
    gathering.take(diagnostic.success ? readDiagnostic(diagnostic.data, options.root) : "not readable");
  }
  const unprinted = report.data.summary?.diagnosticsNotPrinted ?? 0;
  return gathering.finish(
    unprinted > 0 ? `it left out ${unprinted} of its diagnostics (see its option --max-diagnostics)` : undefined,
  );
}

function readDiagnostic(diagnostic: Diagnostic, root: string): ReportedResult | DropReason {
  const { location, message, description } = diagnostic;
  const path = location?.path ?? undefined;
  if (path === undefined) return "no file";
  const file = pathInCheckout(path, root);
  if (file === undefined) return "outside the checkout";
  const rule = diagnostic.category ?? "diagnostic";
  return {
    tool: "biome",
    rule: rule.replace(/^lint\//, ""),
    severity: BY_SEVERITY.get(diagnostic.severity ?? "") ?? "warning",
    category: categoryOf("biome", rule),
    confidence: 0.8,
    file,
    region: regionOf(location),
    message: message ?? description ?? "",
  };
}

function regionOf({
  start,
  end,
  span,
  sourceCode,
}: NonNullable<Diagnostic["location"]> = {}): ReportedResult["region"] {
  const bytes = span && sourceCode && !start ? Buffer.from(sourceCode) : undefined;
  const [from, to] = bytes && span ? span.map((offset) => positionOf(bytes, offset)) : [start, end];
  return { line: from?.line, column: from?.column, endLine: to?.line, endColumn: to?.column };
}

/** 1-based; columns in characters, as newer versions say them. */
function positionOf(text: Buffer, offset: number): { line: number; column: number } {
  const before = text.subarray(0, offset).toString("utf8").split("\n");
  return { line: before.length, column: [...(before.at(-1) ?? "")].length + 1 };
}

const BY_SEVERITY: ReadonlyMap<string, Severity> = new Map([
  ["fatal", "error"],
  ["error", "error"],
  ["warning", "warning"],
  ["information", "info"],
  ["hint", "info"],
]);
