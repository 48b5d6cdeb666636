import { z } from "zod";

/** One call of a stack, innermost first where a list has several. */
const StackFrame = z.object({
  function: z.string().optional(),
  /** As the program knows it: absolute, relative or an address. */
  file: z.string().optional(),
  line: z.number().int().positive().optional(),
  /** Of the service itself, not of a library. */
  inApp: z.boolean(),
});
export type StackFrame = z.infer<typeof StackFrame>;

const common = {
  /** Of this message: one that comes again has the same, and changes nothing twice. */
  id: z.string(),
  /** Of what it tells about: one issue for each. */
  fingerprint: z.string(),
  url: z.string().optional(),
};

/** Which change may have caused it: by both conditions it did, by one it is a suspicion (PROD-1). */
export const Suspicion = z.object({
  /** `caused`: seen first after the deployment, on a line that it changed. */
  is: z.enum(["caused", "suspected"]),
  why: z.enum(["after_and_on_line", "after", "on_line"]),
  /** The version that was deployed then. */
  sha: z.string(),
  /** Of the run that deployed it. */
  runId: z.string().optional(),
  /** The commit that changed the line, and the line. */
  commit: z.string().optional(),
  file: z.string().optional(),
  line: z.number().int().positive().optional(),
  /** The pull request that brought it, where exactly one may have. */
  pull: z.number().int().positive().optional(),
});
export type Suspicion = z.infer<typeof Suspicion>;

/** What production says of itself, whoever told it (PROD-1). All texts are hostile; they are cut, and hold no secret, e-mail or address of a machine. */
export const ProductionFeedback = z.discriminatedUnion("is", [
  z.object({
    is: z.literal("error"),
    ...common,
    type: z.string(),
    message: z.string(),
    /** Innermost first. */
    frames: z.array(StackFrame).max(50),
    /** The version it happened in: a commit, or whatever a release is called. */
    release: z.string().optional(),
    /** How often, and to how many people, as far as the sender counts. */
    count: z.number().int().nonnegative().optional(),
    users: z.number().int().nonnegative().optional(),
    /** ISO 8601. */
    firstSeen: z.string().optional(),
    /** The sender says that it is over. */
    resolved: z.boolean(),
  }),
  z.object({
    is: z.literal("alert"),
    ...common,
    name: z.string(),
    resolved: z.boolean(),
    labels: z.record(z.string(), z.string()),
    summary: z.string(),
    metric: z.string().optional(),
    baseline: z.number().optional(),
    current: z.number().optional(),
    /** ISO 8601. */
    startsAt: z.string().optional(),
  }),
]);
export type ProductionFeedback = z.infer<typeof ProductionFeedback>;

/** A version that fixes a fault, and how long it was quiet after that. */
export const ReleasedFix = z.object({
  pull: z.number().int().positive(),
  sha: z.string(),
  /** ISO 8601: since when all traffic has it. */
  at: z.string(),
  quietMinutes: z.number().nonnegative(),
});
export type ReleasedFix = z.infer<typeof ReleasedFix>;

/** All that is known of one thing that production told of, as its issue shows it. */
export const FeedbackStanding = z.object({
  environment: z.enum(["staging", "production"]),
  feedback: ProductionFeedback,
  /** How often Forge was told. */
  times: z.number().int().positive(),
  firstAt: z.string(),
  lastAt: z.string(),
  resolved: z.boolean(),
  suspicion: Suspicion.optional(),
  /** It is over because no message about it came after this. */
  fixed: ReleasedFix.optional(),
  /** It is there again although this had fixed it. */
  backAfter: ReleasedFix.optional(),
  /** The issue stands for so many different things: there were too many for one each. */
  more: z.number().int().positive().optional(),
});
export type FeedbackStanding = z.infer<typeof FeedbackStanding>;

/** What production showed of a change, for the run that made it or let it pass (PROD-1). */
export const ProductionFault = z.object({
  /** Names it for good: of a run it counts once. */
  id: z.string().min(1),
  is: z.enum(["error", "rollback"]),
  environment: z.enum(["staging", "production"]),
  /** What went wrong, in a line: hostile, cut. */
  what: z.string().max(500),
  /** The fingerprint of an error. */
  fingerprint: z.string().optional(),
  /** The version that was deployed, and the pull request that brought it there; absent where it may have been one of several. */
  sha: z.string(),
  pull: z.number().int().positive().optional(),
  /** The commit and the line that it changed, where a stack named one. */
  commit: z.string().optional(),
  file: z.string().optional(),
  line: z.number().int().positive().optional(),
});
export type ProductionFault = z.infer<typeof ProductionFault>;
