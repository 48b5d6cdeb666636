import { z } from "zod";
import type { Severity } from "../../domain/findings.ts";
import { pathInCheckout } from "./reported-path.ts";
import { categoryOf } from "./rule-categories.ts";
import { declaresEntities, decodeEntities, parseXml } from "./safe-xml.ts";
import {
  gatherReport,
  LARGEST_REPORT,
  type ReportedResult,
  type ReportGathering,
  type ReportOptions,
  type ToolReport,
} from "./tool-report.ts";

const attribute = z.string().optional();

const Fault = z.object({
  "@line": attribute,
  "@column": attribute,
  "@severity": attribute,
  "@message": attribute,
  "@source": attribute,
});
type Fault = z.infer<typeof Fault>;

const FileReport = z.object({ "@name": z.string(), error: z.array(z.unknown()).optional() });
const Report = z.object({
  checkstyle: z.union([
    z.object({ file: z.array(z.unknown()).optional() }),
    z.literal("").transform(() => ({ file: [] })),
  ]),
});

const LISTS = new Set(["file", "error"]);

/** Declaration and comments before the first element. */
const LONGEST_PROLOGUE = 10_000;

/** Reads checkstyle's XML, which many tools print: PHP_CodeSniffer, ktlint, ShellCheck, stylelint, golangci-lint. */
export function readCheckstyle(text: string, options: ReportOptions): ToolReport {
  const gathering = gatherReport(options);
  if (text.length > LARGEST_REPORT) return gathering.finish("its report is larger than 64 MB");
  if (declaresEntities(text)) return gathering.finish("its report has a document type declaration");
  // Looked at before the parser is, which takes seconds for megabytes of anything else.
  const report = text.slice(0, LONGEST_PROLOGUE).includes("<checkstyle")
    ? Report.safeParse(parseXml(text, LISTS))
    : undefined;
  if (!report?.success) return gathering.finish("its report is not checkstyle's XML");
  for (const given of report.data.checkstyle.file ?? []) {
    const file = FileReport.safeParse(given);
    if (file.success) readFile(file.data, options.root, gathering);
    else gathering.drop("not readable");
  }
  return gathering.finish(
    /<\/checkstyle\s*>\s*$|<checkstyle[^<>]*\/>\s*$/.test(text.slice(-1_000)) ? undefined : CUT_OFF,
  );
}

/** The parser takes an end that is missing for one that is there. */
const CUT_OFF = "its report is cut off";

function readFile(file: z.infer<typeof FileReport>, root: string, gathering: ReportGathering): void {
  const faults = file.error ?? [];
  const path = pathInCheckout(decodeEntities(file["@name"]), root);
  for (const given of faults) {
    const fault = Fault.safeParse(given);
    if (path === undefined) gathering.drop("outside the checkout");
    else gathering.take(fault.success ? readFault(path, fault.data) : "not readable");
  }
}

function readFault(file: string, fault: Fault): ReportedResult {
  const { tool, rule } = ruleOf(decodeEntities(fault["@source"] ?? ""));
  return {
    tool,
    rule,
    severity: BY_SEVERITY.get(fault["@severity"] ?? "") ?? "warning",
    category: categoryOf(tool, rule),
    confidence: 0.8,
    file,
    region: { line: numberOf(fault["@line"]), column: numberOf(fault["@column"]) },
    message: decodeEntities(fault["@message"] ?? ""),
  };
}

/** The source names the tool where the format is borrowed: `eslint.rules.no-eval`, `ShellCheck.SC2086`, `detekt.LongMethod`. */
function ruleOf(source: string): { tool: string; rule: string } {
  const own = /^com\.puppycrawl\.tools\.checkstyle\.(?:checks\.)?(.+)$/.exec(source)?.[1];
  if (own !== undefined) return { tool: "checkstyle", rule: own.replace(/Check$/, "") };
  const eslint = /^eslint\.rules\.(.+)$/.exec(source)?.[1];
  if (eslint !== undefined) return { tool: "eslint", rule: eslint };
  const [, tool, rule] = /^(ShellCheck|detekt)\.(.+)$/.exec(source) ?? [];
  if (tool !== undefined && rule !== undefined) return { tool: tool.toLowerCase(), rule };
  return { tool: "checkstyle", rule: source };
}

const BY_SEVERITY: ReadonlyMap<string, Severity> = new Map([
  ["error", "error"],
  ["warning", "warning"],
  ["info", "info"],
  ["ignore", "info"],
]);

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
