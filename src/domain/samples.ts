import { z } from "zod";

/** Why a source has no number, each of which means something else (DEP-3, MON-1). */
export const NO_READING = [
  /** The operator wrote no query of this name. */
  "not_written",
  /** The source answered, and knows nothing of it. */
  "no_data",
  /** Its newest number is older than the window. */
  "stale",
  /** NaN, infinite, negative or text. */
  "not_a_number",
  /** Several series, where one was asked for. */
  "several",
  /** It answered with a part of what there is, and a warning. */
  "partial",
  /** The source cannot be reached, or does not answer in time. */
  "unreachable",
  /** It refused: an error of the question or of the credentials. */
  "refused",
  /** It sent the question elsewhere, which is not followed. */
  "redirected",
  /** Its answer is not what it should be, or too long. */
  "malformed",
] as const;

const count = z.number().nonnegative();

/** What a source said of one version in one window of time, or why it said nothing. */
export const Reading = z.discriminatedUnion("is", [
  /** Requests, and those of them that failed. Of a counter they are estimates and need not be whole. */
  z.object({ is: z.literal("counts"), requests: count, errors: count }),
  /** One number; `of`: how many observations it rests on, where that is known. */
  z.object({ is: z.literal("value"), value: z.number(), of: count.optional() }),
  /** One number for each part of the window. */
  z.object({ is: z.literal("series"), values: z.array(z.number()).max(10_000) }),
  z.object({ is: z.literal("none"), why: z.enum(NO_READING), detail: z.string().optional() }),
]);
export type Reading = z.infer<typeof Reading>;

/** Metrics that every service has; own queries have names of their own. */
export const BUILT_IN_METRICS = [
  "errors",
  "latency_p50",
  "latency_p95",
  "latency_p99",
  "throughput",
  "saturation",
] as const;

/** What something is compared with, best first: versions side by side, or the version before, before. */
export const BASELINES = ["concurrent", "before", "none"] as const;

/** A metric of the new version and what it is compared with, in one window. */
export const Measured = z.object({
  /** Of `BUILT_IN_METRICS`, or the name of a query that the operator wrote. */
  metric: z.string().min(1).max(100),
  /** The direction that is bad. */
  bad: z.enum(["up", "down"]),
  canary: Reading,
  /** Of the version before: beside the new one, or in the same length of time before the first step. */
  control: Reading,
  baseline: z.enum(BASELINES),
});
export type Measured = z.infer<typeof Measured>;

/** What probes of a health endpoint came to in one look. */
export const HealthLook = z.object({
  asked: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  /** Answers that named another version than the one that is deployed: they met the old one. */
  otherVersion: z.number().int().nonnegative(),
  /** Why the last failure failed, cut. */
  detail: z.string().optional(),
});
export type HealthLook = z.infer<typeof HealthLook>;

/** All that was read at one look at a deployment. */
export const Sample = z.object({
  /** ISO 8601. */
  at: z.string(),
  /** Window that the readings are of; ISO 8601. */
  from: z.string(),
  to: z.string(),
  /** Share of the traffic that the new version is to have, in percent. */
  weight: z.number().min(0).max(100),
  metrics: z.array(Measured),
  health: HealthLook.optional(),
});
export type Sample = z.infer<typeof Sample>;

/** Objectives of the service itself, whatever the version before did. */
const Objective = z.strictObject({
  error_rate: z.number().min(0).max(1).optional().describe("Share of requests that may fail, such as 0.01."),
  latency_p95_ms: z.number().positive().optional().describe("Milliseconds within which 95 % of requests are answered."),
});

/** What a query of the operator is called, where a repository asks for it and where people read of it. */
export const QueryName = z.string().regex(/^[a-z][a-z0-9_]{0,40}$/);

/** In events of earlier versions, queries are objects with PromQL: of these, only the names count now. */
function namesOf(queries: unknown): unknown {
  if (!Array.isArray(queries)) return queries;
  return queries.map((one: unknown) => (typeof one === "object" && one !== null && "name" in one ? one.name : one));
}

/** How the judge judges in one environment. */
export const JudgeSettings = z.strictObject({
  degraded: z.number().min(1).max(100).default(1.5).describe("From so many times the version before it is degraded."),
  rollback: z.number().min(1).max(100).default(2).describe("From so many times, twice running, it is rolled back."),
  min_requests: z.number().int().min(1).default(50).describe("With fewer requests the judge cannot tell."),
  min_errors: z.number().int().min(1).default(5).describe("Below so many errors nothing is worse."),
  objective: Objective.prefault({}).describe("What the service promises, whatever the version before did."),
  queries: z
    .preprocess(namesOf, z.array(QueryName).max(20).default([]))
    .describe("Names of queries that the operator wrote for this repository (`FORGE_SOURCES`)."),
});
export type JudgeSettings = z.infer<typeof JudgeSettings>;

/** What one metric says. `cannot_tell` neither promotes nor rolls back. */
export const MetricVerdict = z.object({
  metric: z.string(),
  is: z.enum(["fine", "degraded", "worse", "cannot_tell"]),
  baseline: z.enum(BASELINES),
  /** The numbers as compared: rates, milliseconds, whatever the metric is in. */
  canary: z.number().optional(),
  control: z.number().optional(),
  /** How many times worse, in the bad direction. */
  ratio: z.number().optional(),
  /** What it rests on: requests or observations of the new version. */
  of: z.number().optional(),
  /** The same of the version before, where it is counted. */
  controlOf: z.number().optional(),
  /** Chance of such a difference between equal versions. */
  p: z.number().optional(),
  /** Why, in words that follow the metric's name, such as "too few requests". */
  why: z.string(),
});
export type MetricVerdict = z.infer<typeof MetricVerdict>;

/** The judge's word after one look at a step (DEP-3). */
export const Verdict = z.object({
  is: z.enum(["better_or_equal", "worse", "cannot_tell"]),
  /** `roll_back`: worse twice running with enough evidence, or a disaster; `wait` otherwise where it is not better or equal. */
  follows: z.enum(["go_on", "wait", "roll_back"]),
  disaster: z.boolean(),
  /** Everything that was compared, what decided first. */
  metrics: z.array(MetricVerdict),
  /** Sources that could not be asked, in words: an error of theirs, not of the service. */
  sourceErrors: z.array(z.string()),
});
export type Verdict = z.infer<typeof Verdict>;
