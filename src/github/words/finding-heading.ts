import { confidenceInWords, type Finding } from "../../domain/findings.ts";

/** "error · security · high confidence": how bad, of what kind, how sure. */
export function findingHeading({ severity, category, confidence }: Finding): string {
  return `${severity} · ${category.replaceAll("_", " ")} · ${confidenceInWords(confidence)} confidence`;
}

/** "line 31", "lines 31 to 40". */
export function linesOf({ line, endLine }: Finding): string {
  return line === endLine ? `line ${line}` : `lines ${line} to ${endLine}`;
}
