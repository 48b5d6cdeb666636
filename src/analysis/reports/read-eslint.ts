import { z } from "zod";
import type { Severity } from "../../domain/findings.ts";
import { pathInCheckout } from "./reported-path.ts";
import { categoryOf } from "./rule-categories.ts";
import {
  type DropReason,
  gatherReport,
  parseReport,
  type ReportedResult,
  type ReportGathering,
  type ReportOptions,
  type ToolReport,
} from "./tool-report.ts";

const number = z.number().optional().catch(undefined);

const Message = z.object({
  ruleId: z.string().nullish().catch(undefined),
  severity: number,
  fatal: z.boolean().optional().catch(undefined),
  message: z.string(),
  line: number,
  column: number,
  endLine: number,
  endColumn: number,
});
type Message = z.infer<typeof Message>;

const FileReport = z.object({
  filePath: z.string(),
  messages: z.array(z.unknown()),
  suppressedMessages: z.array(z.unknown()).optional().catch(undefined),
});

const Report = z.union([z.array(z.unknown()), z.object({ results: z.array(z.unknown()) })]);

/** Reads `eslint --format json`, with and without metadata, and what prints the same (oxlint, stylelint's bridge). */
export function readEslint(text: string, options: ReportOptions): ToolReport {
  const gathering = gatherReport(options);
  const parsed = parseReport(text);
  if ("problem" in parsed) return gathering.finish(parsed.problem);
  const report = Report.safeParse(parsed.json);
  if (!report.success) return gathering.finish("its report is not ESLint's JSON");
  for (const given of Array.isArray(report.data) ? report.data : report.data.results) {
    const file = FileReport.safeParse(given);
    if (!file.success) {
      gathering.drop("not readable");
      continue;
    }
    const { filePath, messages, suppressedMessages = [] } = file.data;
    gathering.drop("suppressed", suppressedMessages.length);
    readMessages(pathInCheckout(filePath, options.root), messages, gathering);
  }
  return gathering.finish();
}

function readMessages(file: string | undefined, messages: readonly unknown[], gathering: ReportGathering): void {
  for (const given of messages) {
    const message = Message.safeParse(given);
    if (file === undefined) gathering.drop("outside the checkout");
    else gathering.take(message.success ? readMessage(file, message.data) : "not readable");
  }
}

function readMessage(file: string, given: Message): ReportedResult | DropReason {
  if (isAboutEslint(given)) return "not a finding";
  const { fatal, line, column, endLine, endColumn, message } = given;
  // Without a rule it is the parser, or ESLint about a comment that switches it off.
  const rule = given.ruleId ?? (fatal ? "parse-error" : "directive");
  return {
    tool: "eslint",
    rule,
    severity: severityOf(given),
    category: categoryOf("eslint", rule),
    confidence: fatal ? 0.95 : 0.8,
    file,
    region: { line, column, endLine, endColumn },
    message,
  };
}

/** "File ignored because ..." stands at no place and comes from no rule. */
function isAboutEslint({ ruleId, fatal, line }: Message): boolean {
  return (ruleId ?? undefined) === undefined && !fatal && line === undefined;
}

function severityOf({ severity, fatal }: Message): Severity {
  if (fatal || severity === 2) return "error";
  return severity === 1 ? "warning" : "info";
}
