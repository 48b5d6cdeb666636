import { z } from "zod";
import { Severity } from "./findings.ts";

/** Dismissals with a reason, each of another finding, that teach a class, and people who have to have given them. */
export const LEAST_DISMISSALS = 3;
export const LEAST_PEOPLE = 2;
/** Probes that were wrong and switch a class off. */
export const MOST_WRONG = 3;

/** One dismissal that taught a class; `by` is a login. */
const Taught = z.object({
  findingId: z.string(),
  pull: z.number().int().positive(),
  by: z.string(),
  reason: z.string(),
  /** Of the finding: what later ones are compared with. */
  message: z.string(),
});

/** Findings that learning hides (MEM-6): of one rule, in one folder, with a message like those of the dismissed ones. */
export const FindingClass = z.object({
  /** `H-7K2Q`: unique in the repository. */
  id: z.string(),
  /** `<tool>/<rule>` */
  rule: z.string(),
  /** The folder that holds all dismissed ones, with those in it; empty for the whole repository. */
  folder: z.string(),
  /** Endings of their files: ".ts"; empty for a file without one. */
  endings: z.array(z.string()),
  /** Of the gravest dismissed one: what is graver is not in the class. */
  severity: Severity,
  /** Maintainers dismissed blocking ones, and nothing else taught it: only then is what blocks in the class. */
  blocking: z.boolean(),
  taught: z.array(Taught),
});
export type FindingClass = z.infer<typeof FindingClass>;

/** What became of a finding of the past. `open`: nothing yet. */
const PastOutcome = z.enum(["dismissed", "fixed", "ignored", "open"]);
export type PastOutcome = z.infer<typeof PastOutcome>;

/** What a class would have hidden, of the findings that are on record. */
export const HidingReplay = z.object({
  /** All findings that were looked at. */
  findings: z.number().int().nonnegative(),
  counts: z.record(PastOutcome, z.number().int().nonnegative()),
  /** The latest of them, cut. */
  listed: z.array(
    z.object({
      findingId: z.string(),
      pull: z.number().int().positive(),
      file: z.string(),
      line: z.number().int().positive(),
      message: z.string(),
      became: PastOutcome,
    }),
  ),
});
export type HidingReplay = z.infer<typeof HidingReplay>;

/** `off`: Forge switched it off, since too much of what it hid was wanted. */
export const HIDING_STATES = ["proposed", "on", "withdrawn", "off"] as const;
export const HidingState = z.enum(HIDING_STATES);
export type HidingState = z.infer<typeof HidingState>;

/** A class as it stands in a repository. */
export const Hiding = z.object({
  class: FindingClass,
  state: HidingState,
  /** Login of who approved or withdrew it; `forge` where it was proposed or switched off. */
  by: z.string(),
  at: z.string(),
  /** Probes since it was approved: what people dismissed, and what they fixed or voted for. */
  right: z.number().int().nonnegative(),
  wrong: z.number().int().nonnegative(),
  /** How often it was changed by a person or switched off: who decides on an older one decides anew. */
  changes: z.number().int().nonnegative(),
});
export type Hiding = z.infer<typeof Hiding>;

/** Findings that a class hid on one head. */
export const HiddenCount = z.object({ hidingId: z.string(), findings: z.number().int().positive() });
export type HiddenCount = z.infer<typeof HiddenCount>;
