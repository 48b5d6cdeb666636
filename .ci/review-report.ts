// What the report of `forge review --format json` means for CI. The exit code alone does not say it: 2 asks for a person, with and without
// blocking findings, and 3 is also the code of a review that broke down.
import { z } from "zod";

const Review = z.object({
  verdict: z.string(),
  counts: z.object({ critical: z.number(), error: z.number(), warning: z.number(), blocking: z.number() }),
  looked_at: z.object({ files: z.number(), of_files: z.number() }),
  not_looked_at: z.array(
    z.object({
      layer: z.string().optional(),
      path: z.string().optional(),
      reason: z.string(),
      incomplete: z.boolean(),
    }),
  ),
  findings: z.array(
    z.object({ file: z.string(), line: z.number(), severity: z.string(), rule: z.string(), message: z.string() }),
  ),
});

/** The parts of a report that CI reads. */
export type Review = z.infer<typeof Review>;

/** Exit codes of `forge review` that come with a report. */
const REVIEWED: readonly (number | null)[] = [0, 1, 2, 3];

/** Nothing where the program ended without a whole report. */
export function parseReview(status: number | null, stdout: string): Review | undefined {
  if (!REVIEWED.includes(status)) return undefined;
  try {
    return Review.parse(JSON.parse(stdout));
  } catch {
    return undefined;
  }
}

/** Nothing for a change that CI lets through, else the reason in a sentence. */
export function reasonToStop(review: Review | undefined): string | undefined {
  if (review === undefined) return "Forge's own review gave no report, so nothing was reviewed.";
  const { blocking } = review.counts;
  if (blocking > 0)
    return `Forge's own review has ${blocking === 1 ? "1 blocking finding" : `${blocking} blocking findings`}.`;
  const missing = missingParts(review).filter(({ mayBeMissing }) => !mayBeMissing);
  if (missing.length === 0) return undefined;
  return `Forge's own review is not complete: ${missing.map(({ text }) => text).join("; ")}.`;
}

/** Packages that could not be looked up. On a machine without a network, CI still checks everything else. */
const UNASKED = /^dependencies: \d+ packages? added or changed not checked: the advisory service did not answer/;

function missingParts({ not_looked_at: parts }: Review) {
  return parts
    .filter(({ incomplete }) => incomplete)
    .flatMap(({ layer, path, reason }) => {
      if (layer === undefined) return [{ text: `${path}: ${reason}`, mayBeMissing: false }];
      return reason
        .split("; ")
        .map((text) => ({ text: `${layer}: ${text}`, mayBeMissing: layer === "ai" || UNASKED.test(text) }));
    });
}

/** The report for people: each finding that is more than a note, what was not reviewed, and the verdict. */
export function reviewLines(review: Review): string[] {
  const { findings, counts, looked_at, verdict } = review;
  const shown = findings.filter(({ severity }) => severity !== "info");
  return [
    ...shown.map(({ file, line, severity, message, rule }) => `${file}:${line}: ${severity}: ${message} (${rule})`),
    ...missingParts(review).map(({ text }) => `Not reviewed: ${text}`),
    `Verdict: ${verdict.replaceAll("_", " ")}. Blocking: ${counts.blocking}; critical: ${counts.critical}, error: ${counts.error}, warning: ${counts.warning}. Reviewed ${looked_at.files} of ${looked_at.of_files} files.`,
  ];
}
