import { defined } from "../../domain/defined.ts";
import type { Category, Observation, Severity } from "../../domain/findings.ts";
import { SEVERITIES } from "../../domain/severities.ts";

export const DROP_REASONS = [
  "outside the checkout",
  "suppressed",
  "not a finding",
  "no file",
  "not readable",
  "above the limit",
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** What a foreign analyser reported (REV-5). Readers never throw: what they could not use is counted or named here. */
export interface ToolReport {
  readonly observations: Observation[];
  readonly dropped: { readonly reason: DropReason; readonly count: number }[];
  /** Why the report cannot be relied upon as a whole, in words that follow the tool's name: "its report is not JSON". */
  readonly problem?: string;
}

export interface ReportOptions {
  /** Absolute path of the checkout as the tool saw it. Only names are compared: nothing is looked up on the disk. */
  readonly root: string;
  /** Results about other files are left out without a word. */
  readonly only?: ReadonlySet<string>;
  /** The most severe ones are kept; 2,000 when not given. */
  readonly mostObservations?: number;
}

/** One result in the words of a tool, its file already resolved. */
export interface ReportedResult {
  readonly tool: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly confidence: number;
  readonly file: string;
  /** 1-based; missing and impossible numbers stand for the whole file. The end column is the one after the last. */
  readonly region: Readonly<Partial<Record<"line" | "column" | "endLine" | "endColumn", number | undefined>>>;
  readonly message: string;
  readonly why?: string | undefined;
  readonly secret?: boolean;
}

export interface ReportGathering {
  /** One outcome of reading: a result, or why there is none. */
  readonly take: (outcome: ReportedResult | DropReason) => void;
  readonly drop: (reason: DropReason, count?: number) => void;
  readonly finish: (problem?: string) => ToolReport;
}

/** A review keeps a thousand; each has up to 6 KB until it is known whether its line was changed. */
const MOST_OBSERVATIONS = 2_000;

const LONGEST_MESSAGE = 1_000;
const LONGEST_NAME = 120;

export function gatherReport(options: ReportOptions): ReportGathering {
  const observations: Observation[] = [];
  const dropped = new Map<DropReason, number>();
  const drop = (reason: DropReason, count = 1) => {
    if (count > 0) dropped.set(reason, (dropped.get(reason) ?? 0) + count);
  };
  return {
    take: (outcome) => {
      if (typeof outcome === "string") drop(outcome);
      else if (options.only?.has(outcome.file) ?? true) observations.push(observe(outcome));
    },
    drop,
    finish: (problem) => {
      const kept = mostSevere(observations, options.mostObservations ?? MOST_OBSERVATIONS);
      drop("above the limit", observations.length - kept.length);
      const counts = [...dropped].map(([reason, count]) => ({ reason, count }));
      return { observations: kept, dropped: counts, ...defined({ problem }) };
    },
  };
}

function observe(result: ReportedResult): Observation {
  const { severity, category, confidence, file, why, secret } = result;
  const tool = toolName(result.tool);
  const rule = cleanText(result.rule, LONGEST_NAME) || "unnamed";
  const reason = why === undefined ? "" : cleanText(why, LONGEST_MESSAGE);
  const message = cleanText(result.message, LONGEST_MESSAGE) || `${rule} without a message`;
  return {
    source: category === "security" ? "security" : "static",
    rule: `${tool}/${rule.replace(/\s+/g, "-")}`,
    severity,
    category,
    file,
    ...place(result.region),
    message,
    ...(reason === "" || reason === message ? {} : { why: reason }),
    confidence: Math.min(1, Math.max(0, confidence)),
    ...defined({ secret: secret || undefined }),
  };
}

function place(region: ReportedResult["region"]): Pick<Observation, "line" | "column" | "endLine" | "endColumn"> {
  const line = position(region.line);
  if (line === undefined) return { line: 1, endLine: 1 };
  const column = position(region.column);
  const endLine = Math.max(line, position(region.endLine) ?? line);
  const endColumn = position(region.endColumn);
  const ordered = endColumn !== undefined && column !== undefined && (endLine > line || endColumn >= column);
  return { line, ...defined({ column }), endLine, ...(ordered ? { endColumn } : {}) };
}

/** Above this no file has lines: GitHub takes none larger than 100 MB. */
const LAST_POSITION = 100_000_000;

function position(given: number | undefined): number | undefined {
  return given !== undefined && Number.isInteger(given) && given >= 1 && given <= LAST_POSITION ? given : undefined;
}

/** A tool's name as the first part of a rule: `Microsoft.CodeAnalysis (C#)` becomes `microsoft.codeanalysis-c`. */
export function toolName(given: string): string {
  const name = given
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-");
  return name.replace(/^-+|-+$/g, "") || "tool";
}

function mostSevere(observations: Observation[], most: number): Observation[] {
  if (observations.length <= most) return observations;
  const bySeverity = SEVERITIES.toReversed().flatMap((severity) => observations.filter((o) => o.severity === severity));
  const kept = new Set(bySeverity.slice(0, most));
  return observations.filter((observation) => kept.has(observation));
}

/** A report above this is not read: it needs ten times its size in memory. */
export const LARGEST_REPORT = 64 * 1024 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of a tool for people: line feeds only, no other control characters, cut with a mark at `most` characters. */
export function cleanText(text: string, most: number): string {
  // Cut first: a message may have megabytes. What is removed afterwards makes it shorter, never longer.
  const start = text
    .slice(0, most + 1)
    .replace(/\r\n?/g, "\n")
    .replace(CONTROL, "")
    .trim();
  if (text.length <= most) return start.toWellFormed();
  return `${start.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`.toWellFormed();
}

/** JSON of a report, or why there is none. */
export function parseReport(text: string): { readonly json: unknown } | { readonly problem: string } {
  if (text.length > LARGEST_REPORT) return { problem: "its report is larger than 64 MB" };
  if (text.trim() === "") return { problem: "its report is empty" };
  try {
    return { json: JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text) };
  } catch {
    return { problem: "its report is not JSON" };
  }
}
