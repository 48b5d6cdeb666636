import { z } from "zod";
import { DismissalScope } from "./command-arguments.ts";
import { Layer } from "./phases.ts";
import { SEVERITIES } from "./severities.ts";
import { Actor } from "./subjects.ts";

export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const CATEGORIES = [
  "style",
  "performance",
  "security",
  "maintainability",
  "correctness",
  "best_practice",
] as const;
export const Category = z.enum(CATEGORIES);
export type Category = z.infer<typeof Category>;

/** A replacement of whole lines, `startLine` to `endLine` (1-based, inclusive) of the new side of `file`. */
export const SuggestedEdit = z.object({
  file: z.string(),
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
  before: z.string(),
  after: z.string(),
  /** A test or snapshot that the change added, and that expects the fault. */
  pins: z.boolean().optional(),
});
export type SuggestedEdit = z.infer<typeof SuggestedEdit>;

/** What mends a finding, applied whole or not at all: an edit, and others that belong to it, in this file and in others. */
export const SuggestedFix = SuggestedEdit.extend({ also: z.array(SuggestedEdit).optional() });
export type SuggestedFix = z.infer<typeof SuggestedFix>;

export function editsOf({ also = [], ...first }: SuggestedFix): readonly SuggestedEdit[] {
  return [first, ...also];
}

/** Whether two edits replace a line in common, so that only one of them can be applied. */
export function touchSameLines(one: SuggestedEdit, other: SuggestedEdit): boolean {
  return one.file === other.file && one.startLine <= other.endLine && other.startLine <= one.endLine;
}

/** A step of a data flow: a piece of code that carries the value on. */
export const FlowStep = z.object({
  /** Left out where it is the file of the finding. */
  path: z.string().optional(),
  line: z.number().int().positive(),
  /** The code, cut. */
  text: z.string(),
});
export type FlowStep = z.infer<typeof FlowStep>;

/**
 * What an analyser reports about one place (FIND-1), before it has an identity on a pull request. Lines and columns are 1-based and
 * belong to the new side of the diff. `message` says what is so, `why` why it matters; both are text, not Markdown.
 */
export const Observation = z.object({
  source: Layer,
  /** `<tool>/<rule>`, for instance `biome/suspicious/noDoubleEquals` or `secrets/aws-access-key`. */
  rule: z.string().min(1),
  severity: Severity,
  category: Category,
  file: z.string().min(1),
  line: z.number().int().positive(),
  column: z.number().int().positive().optional(),
  endLine: z.number().int().positive(),
  endColumn: z.number().int().positive().optional(),
  message: z.string().min(1),
  why: z.string().optional(),
  /** The smallest change that fixes it, in a sentence, where it is another than that of its rule. */
  remedy: z.string().optional(),
  /** The steps by which input reaches this place, from its source on. */
  flow: z.array(FlowStep).optional(),
  /** 0 to 1; people see words (FIND-2). */
  confidence: z.number().min(0).max(1),
  fix: SuggestedFix.optional(),
  /** Never holds a secret: what the analyser saw, cut and masked. */
  evidence: z.string().optional(),
  /** A secret blocks whatever its confidence (REV-3a). */
  secret: z.boolean().optional(),
  /** SHA of the commit that brought it, of what the head does not hold any more: no line of the head is its line. */
  commit: z.string().optional(),
  /** Shown by an executed test that fails on the head, and passes with the fix applied or before the change (REV-4). */
  verified: z.enum(["fix", "base"]).optional(),
  /** Why nothing has shown it, of what a model says: "mocha did not start: …". It follows "unproven: ", and holds a repository's words. */
  unproven: z.string().optional(),
  /** That test: what it showed is closed only when it passes. */
  demonstration: z.object({ path: z.string(), content: z.string() }).optional(),
  /** Ids of memories that led to it, of those that its reader was shown: what becomes of it changes how far they are believed (MEM-3). */
  memories: z.array(z.string()).optional(),
});
export type Observation = z.infer<typeof Observation>;

/** An observation with a stable identity: the same finding keeps `fingerprint` and `id` through line shifts (GH-3a). */
export const Finding = Observation.extend({
  /** `F-7K2Q`: unique in the repository. */
  id: z.string(),
  /** Hex SHA-256 of rule, path, normalised code and the occurrence among equals. */
  fingerprint: z.string(),
  /** It is shown although this class hides what is like it (MEM-6). */
  probe: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;

/** `outdated`: its file is no part of the change any more, so nothing of it was mended. `regressed`: it was fixed or outdated, and is back. */
export const FINDING_STATES = ["open", "fixed", "dismissed", "outdated", "regressed"] as const;
export const FindingState = z.enum(FINDING_STATES);
export type FindingState = z.infer<typeof FindingState>;

/** Where people can see a finding; `none` until an effect has posted it. */
export const PLACEMENTS = ["none", "comment", "file_comment", "annotation", "summary"] as const;
export const Placement = z.enum(PLACEMENTS);
export type Placement = z.infer<typeof Placement>;

/**
 * What became of a finding by the time its change was merged. `ignored`: its lines stand there as they were. `outdated`: its file does not.
 * `unknown`: what was reviewed or what was merged cannot be read any more.
 */
export const FINDING_OUTCOMES = ["fixed", "dismissed", "ignored", "outdated", "unknown"] as const;
export const FindingOutcome = z.enum(FINDING_OUTCOMES);
export type FindingOutcome = z.infer<typeof FindingOutcome>;

/** One line of a pull request's ledger of findings (GH-3a). */
export interface LedgerEntry {
  readonly finding: Finding;
  readonly state: FindingState;
  readonly placement: Placement;
  /** Head on which it was last seen or last checked. */
  readonly headSha: string;
  /** GitHub's number of the comment that shows it, the first of its thread. */
  readonly commentId?: number;
  /** By whom, when and why, while it is dismissed (FIND-1). */
  readonly dismissal?: Dismissal;
}

/** Whether a finding counts: it was never gone, or it is back. */
export function isOpen({ state }: Pick<LedgerEntry, "state">): boolean {
  return state === "open" || state === "regressed";
}

/** Why a finding is guarded: it may be dismissed one by one only, with push permission and a reason. */
export type Guard = "secret" | "critical";

/** Whether a finding is one that learning and wide dismissals must never hide. */
export function guardOf({ secret, severity, category }: Finding): Guard | undefined {
  if (secret) return "secret";
  return severity === "critical" && category === "security" ? "critical" : undefined;
}

/** What a model says would happen and nothing has shown: it keeps its severity and does not block (REV-4). */
export function isUnproven({
  source,
  severity,
  verified,
}: Pick<Observation, "severity"> & Partial<Observation>): boolean {
  return source === "ai" && verified === undefined && (severity === "error" || severity === "critical");
}

/** What a person has to look at before anybody says "approved": a critical finding that a model stands by and nothing has shown. */
export function needsLook(finding: Pick<Observation, "severity"> & Partial<Observation>): boolean {
  return finding.severity === "critical" && isUnproven(finding);
}

/** What is known to be a hole, and raises the risk (REV-3a). A secret has rules of its own. */
export function isCriticalSecurity(
  finding: Pick<Observation, "severity" | "category"> & Partial<Observation>,
): boolean {
  return finding.severity === "critical" && finding.category === "security" && !isUnproven(finding);
}

/** REV-3a: severity error or critical with confidence of at least 0.7, which nothing unproven has (REV-4), or a secret. */
export function isBlocking(finding: Pick<Observation, "severity" | "confidence" | "secret">): boolean {
  if (finding.secret) return true;
  return (finding.severity === "error" || finding.severity === "critical") && finding.confidence >= 0.7;
}

/** Most important first: what is proven before what is not, severity × confidence (REV-3), then by place: the same order every time. */
export function byImportance(a: Observation, b: Observation): number {
  const weight = (finding: Observation) => 4 ** SEVERITIES.indexOf(finding.severity) * (0.25 + finding.confidence);
  // An unproven critical has its place behind every error that blocks, and before all that is milder.
  const blocks = (finding: Observation) => Number(isBlocking(finding));
  return (
    blocks(b) - blocks(a) ||
    weight(b) - weight(a) ||
    (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
    a.line - b.line ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)
  );
}

/** FIND-2. */
export function confidenceInWords(confidence: number): string {
  if (confidence < 0.3) return "very low";
  if (confidence < 0.5) return "low";
  if (confidence < 0.7) return "medium";
  if (confidence < 0.9) return "high";
  return "very high";
}

/** That a person dismissed a finding: who, when, why and how far (FIND-1, HUM-1). */
export const Dismissal = z.object({
  /** The finding that it was given for; a wider one covers others too. */
  findingId: z.string(),
  by: Actor,
  at: z.string(),
  /** May be empty. */
  reason: z.string(),
  scope: DismissalScope,
});
export type Dismissal = z.infer<typeof Dismissal>;

/** A dismissal that stands in a repository, with what it compares findings by. */
export const StandingDismissal = Dismissal.extend({ fingerprint: z.string(), rule: z.string() });
export type StandingDismissal = z.infer<typeof StandingDismissal>;
