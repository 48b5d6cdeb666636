import type { CheckReport } from "../../domain/effects.ts";
import { type Finding, isBlocking } from "../../domain/findings.ts";
import { ruleInWords } from "./rule-name.ts";
import { severityCounts } from "./severity-counts.ts";
import { count, foreignPlain, type Wording } from "./wording.ts";

type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

const NOUNS = {
  critical: (number: number) => count(number, "critical finding"),
  error: (number: number) => count(number, "blocking error"),
  warning: (number: number) => count(number, "blocking warning"),
  info: (number: number) => count(number, "blocking note"),
} as const;

/**
 * "1 blocking error: self compare in src/orders.ts", "2 blocking errors: self compare, const assign", "3 blocking findings: 1 critical,
 * 2 errors". Plain text; more than `maximum` characters are not used.
 */
export function blockingTitle(report: Reviewed, wording: Wording, maximum: number): string {
  const blocking = blockingOf(report);
  const number = blockingCount(report);
  const [first] = blocking;
  if (!first || isMixed(blocking)) return `${number}: ${severityCounts(blocking.map(({ severity }) => severity))}`;
  const shown =
    blocking.length === 1 ? single(first, wording) : [rules(blocking, wording, maximum - number.length - 2)];
  const fitting = shown.map((words) => `${number}: ${words}`).find((title) => title.length <= maximum);
  return fitting === undefined || fitting === `${number}: ` ? number : fitting;
}

/** "1 blocking error", "3 blocking findings". */
export function blockingCount(report: Reviewed): string {
  const blocking = blockingOf(report);
  const [first] = blocking;
  // What is beyond the limit of one run is counted and not listed.
  if (!first || isMixed(blocking) || blocking.length !== report.blocking)
    return count(report.blocking, "blocking finding");
  return NOUNS[first.severity](report.blocking);
}

function blockingOf({ findings }: Reviewed): Finding[] {
  return findings.map(({ finding }) => finding).filter(isBlocking);
}

function isMixed(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity !== findings[0]?.severity);
}

/** What to say of one finding, the best first: the name of a file has to do where its path is too long. */
function single({ rule, file }: Finding, wording: Wording): string[] {
  const what = plain(ruleInWords(rule) ?? "", wording);
  const where = [file, file.split("/").at(-1) ?? file].map((path) => `in ${plain(path, wording)}`);
  return [...where.map((place) => (what === "" ? place : `${what} ${place}`)), what];
}

/** As many different rules as there is room for. */
function rules(findings: readonly Finding[], wording: Wording, room: number): string {
  const all = [...new Set(findings.flatMap(({ rule }) => ruleInWords(rule) ?? []))].map((words) =>
    plain(words, wording),
  );
  const shown = all.filter((_, at) => all.slice(0, at + 1).join(", ").length + (at + 1 < all.length ? 3 : 0) <= room);
  return shown.join(", ") + (shown.length > 0 && shown.length < all.length ? ", …" : "");
}

function plain(text: string, wording: Wording): string {
  return foreignPlain(text, wording, 200);
}
