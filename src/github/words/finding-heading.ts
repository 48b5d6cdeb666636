import { confidenceInWords, type Finding } from "../../domain/findings.ts";

/** From here on nobody gains by being told how sure it is. */
const CERTAIN = 0.9;

/** "`F-9M4D` · error · security · high confidence": which, how bad, of what kind, and how sure where that is in question. Markdown. */
export function findingHeading(finding: Finding): string {
  return [`\`${finding.id}\``, ...traits(finding)].join(" · ");
}

/** The same without the id, for where plain text is shown. */
export function traits({ severity, category, confidence }: Finding): string[] {
  const sure = confidence < CERTAIN ? [`${howSure(confidence)} confidence`] : [];
  return [severity, category.replaceAll("_", " "), ...sure];
}

/** "high", "medium", "low" (FIND-2, without the adverb: five steps are for machines). */
export function howSure(confidence: number): string {
  return confidenceInWords(confidence).replace("very ", "");
}

/** "line 31", "lines 31 to 40". */
export function linesOf({ line, endLine }: Finding): string {
  return line === endLine ? `line ${line}` : `lines ${line} to ${endLine}`;
}
