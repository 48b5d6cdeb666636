import type { ReviewCoverage } from "../../domain/review-report.ts";
import { count } from "./wording.ts";

/**
 * What stands where "Clean" would claim too much, because no file was read: "Nothing was read: 2 files left out (generated)", "Nothing to
 * read: 1 file deleted". Undefined when something was. The text is not neutral yet.
 */
export function nothingRead({ files, filesCovered, uncovered }: ReviewCoverage): string | undefined {
  if (filesCovered > 0) return undefined;
  if (files === 0) return "Nothing to read: no file is changed";
  if (uncovered.length > 0 && uncovered.every(({ reason }) => reason === "deleted"))
    return `Nothing to read: ${count(files, "file")} deleted`;
  const reasons = [...new Set(uncovered.map(({ reason }) => reason))];
  const why = reasons.length === 1 ? ` (${reasons[0]})` : "";
  return `Nothing was read: ${count(files, "file")} left out${why}`;
}
