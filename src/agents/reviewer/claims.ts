import { z } from "zod";
import { type Category, Severity } from "../../domain/findings.ts";

/**
 * The kinds of faults that the reviewer may name. A closed list: the kind is the rule of the finding (`ai/<kind>`), so that the same
 * fault keeps its identity however it is worded (GH-3a), and people can dismiss one kind.
 */
export const CLAIM_KINDS = {
  logic: "correctness",
  "edge-case": "correctness",
  "error-handling": "correctness",
  concurrency: "correctness",
  "resource-leak": "correctness",
  "api-misuse": "correctness",
  "data-loss": "correctness",
  "input-validation": "security",
  "access-control": "security",
  injection: "security",
  "information-leak": "security",
  performance: "performance",
  architecture: "maintainability",
  "missing-test": "best_practice",
  "repository-rule": "best_practice",
} as const satisfies Record<string, Category>;

export type ClaimKind = keyof typeof CLAIM_KINDS;
const KINDS = Object.keys(CLAIM_KINDS) as [ClaimKind, ...ClaimKind[]];

const line = z.number().int().positive();
const short = (most: number) => z.string().trim().min(1).max(most);

const Edit = z.object({
  start_line: line.describe("First line to replace, of the new file."),
  end_line: line.describe("Last line to replace."),
  replacement: z.string().max(4_000).describe("The new lines with their indentation; empty to remove them."),
});

/** Lines of the new side that would replace others, in the file of the claim; what else belongs to it, in any file. */
export const ClaimFix = Edit.extend({
  also: z
    .array(Edit.extend({ file: short(500) }))
    .max(12)
    .optional()
    .describe("What has to change with it."),
  mends: z.array(line).max(29).optional().describe("Other findings that it mends: their places in the list, from 1."),
});

/** One fault that the reviewer claims to see. */
export const Claim = z.object({
  file: short(500).describe("Path as the diff names it."),
  line: line.describe("First line of the faulty code in the new file."),
  end_line: line.optional().describe("Last line; the same as `line` when left out."),
  quote: short(1_000).describe(
    "The faulty code as it stands there, without line numbers: whole lines, or a telling part of one. A claim whose quote is not found is dropped.",
  ),
  kind: z.enum(KINDS),
  severity: Severity.describe(
    "critical: data loss or a security hole in normal use; error: wrong result, crash, hang or lost resource with input or documented options that will occur; warning: wrong in a case that may occur; info: worth knowing.",
  ),
  claim: short(600).describe("What is wrong, in one or two sentences, about the code and never about a person."),
  scenario: short(800).describe("A concrete input or sequence, what happens then, and what should happen."),
  confidence: z.number().min(0).max(1).describe("How sure you are that it is real after you looked."),
  fix: ClaimFix.optional().describe("Only when you are sure of it."),
  rule: z
    .object({ file: short(500), quote: short(400) })
    .optional()
    .describe("For kind repository-rule: the sentence of the repository's instructions that the finding rests on."),
  memories: z
    .array(short(20))
    .max(5)
    .optional()
    .describe("Ids (`M-...`) of memories that led you to it; only those without which you would not have found it."),
});
export type Claim = z.infer<typeof Claim>;

/** The reviewer's result. */
export const ReviewerOutput = z.object({
  summary: short(800).describe("What the change does, in at most three sentences."),
  findings: z
    .array(Claim)
    .max(30)
    .describe("Every fault you are convinced of, most important first. An empty list is a good answer."),
});
export type ReviewerOutput = z.infer<typeof ReviewerOutput>;

/** How a claim can be shown by running something: a test that fails because of the fault. */
export const Demonstration = z.object({
  path: short(300).describe("Path of a new test file, beside the tests that the repository has."),
  content: z
    .string()
    .min(1)
    .max(10_000)
    .describe("The whole test file. It must fail because of the fault and pass once it is mended."),
});
export type Demonstration = z.infer<typeof Demonstration>;

/** The verifier's word on one claim. */
export const Judgement = z.object({
  claim: z.number().int().positive().describe("Number of the claim."),
  verdict: z.enum(["stands", "refuted", "unsure"]),
  reason: short(800).describe("What in the code shows it: quote the lines that decide it."),
  severity: Severity.optional().describe("Only where the claimed severity is wrong."),
  fix_ok: z.boolean().optional().describe("Where lines were proposed: whether you would commit exactly these."),
  demonstration: Demonstration.optional(),
  fix: ClaimFix.omit({ mends: true })
    .optional()
    .describe(
      "Only with a demonstration, where no edits were proposed or you would not commit them: those that mend it.",
    ),
});
export type Judgement = z.infer<typeof Judgement>;

export const VerifierOutput = z.object({ judgements: z.array(Judgement).max(60) });
export type VerifierOutput = z.infer<typeof VerifierOutput>;
