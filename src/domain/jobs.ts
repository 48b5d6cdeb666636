import { z } from "zod";
import { CommandSource } from "./command-source.ts";
import { ExplainedMoment } from "./explanations.ts";
import { ProductionFault, ReleasedFix } from "./production-feedback.ts";
import { RuleRequest } from "./protection.ts";
import { Actor, EnvironmentSubject, RepositoryRef, Subject } from "./subjects.ts";

/** Every kind of job with the schema of its payload. Jobs carry references, never copies of what can be looked up. */
export const JOB_CATALOGUE = {
  /** Handle one stored webhook delivery. */
  delivery: z.object({ deliveryId: z.string() }),
  /** Handle one stored delivery of a door for feedback (PROD-2); one at a time for each door. */
  feedback: z.object({ deliveryId: z.string() }),
  /** Do the work of the review phase of a run. */
  review: z.object({ runId: z.string(), subject: Subject }),
  /** Carry out the commands of a comment, or of a button's press. `bodyHash` is of the comment as the webhook brought it. */
  command: z.object({
    subject: Subject,
    source: CommandSource,
    bodyHash: z.string().optional(),
    /** A reply that dismisses in plain words, without a command line. */
    plain: z.boolean(),
    /** A comment on an issue without a command line: perhaps the answer to a question. */
    talk: z.boolean().optional(),
    /** Who wrote it, and the first comment of its thread, as the webhook told: for what is said when it is given up. */
    by: Actor.optional(),
    thread: z.number().int().positive().optional(),
    press: z.object({ identifier: z.string(), by: Actor }).optional(),
  }),
  /**
   * Answer a question about the code, or a reply to a finding. The comment is read again for it; `questionHash` is of the question as it was taken, `index` which
   * command of the comment it is.
   */
  ask: z.object({
    subject: Subject,
    source: CommandSource,
    index: z.number().int().nonnegative(),
    by: Actor,
    thread: z.number().int().positive().optional(),
    questionHash: z.string(),
    /** A reply in the thread of a finding: the hash is of the whole comment. */
    talk: z.boolean().optional(),
  }),
  /** Apply suggested fixes to the head of a pull request, as one commit. `at` is when it was asked for. */
  fix: z.object({
    subject: Subject,
    source: CommandSource,
    index: z.number().int().nonnegative(),
    by: Actor,
    thread: z.number().int().positive().optional(),
    /** The head that they are for: on another one nothing is done. */
    headSha: z.string(),
    findings: z.array(z.string()),
    at: z.string(),
  }),
  /** Run the tests of a head that people pushed: of the request that has this log (jobs of old name none, and do nothing any more). */
  test: z.object({ subject: Subject, traceId: z.string().optional() }),
  /** Look at what people say of the head of a pull request whose risk waits for them. */
  judge: z.object({ subject: Subject }),
  /** Look whether Forge may merge a pull request by itself, and whether the time to object is over (SAFE-4). */
  merge: z.object({ subject: Subject }),
  /** Learn from what people did with what Forge said on a subject, and from how it came out. */
  learn: z.object({
    subject: Subject,
    /** From this one comment of a person, and nothing else. */
    remark: CommandSource.optional(),
    /** By looking back at this one run, and nothing else. */
    run: z.string().optional(),
    /** From this one fault that production showed of it, and nothing else. */
    fault: ProductionFault.optional(),
  }),
  /** Do what comes next in an implementation run. */
  implement: z.object({ runId: z.string(), subject: Subject }),
  /** Look whether what a pull request became by its merge is deployed. */
  merged: z.object({ subject: Subject }),
  /** Do what follows for a fault of production that has an issue: begin the work on it, or see whether it is quiet after the release of its fix. */
  fault: z.object({ subject: EnvironmentSubject, fingerprint: z.string(), fix: ReleasedFix.optional() }),
  /** Do what comes next for a deployment: it is looked at now and then, and holds nothing in between. */
  deploy: z.object({ runId: z.string(), subject: Subject }),
  /** Have a model put a verdict on a deployment into words; no step waits for it. */
  explain: z.object({ runId: z.string(), subject: Subject, of: ExplainedMoment }),
  /** Answer as the rule of an environment, which jobs of a workflow wait for. */
  rule: z.object({ repository: RepositoryRef, asked: RuleRequest }),
  /** Create the labels that Forge uses in a repository that it was installed on (GH-9). */
  labels: z.object({ repository: RepositoryRef }),
  /** Apply the planned effects of a subject, in order. */
  effects: z.object({ subject: Subject }),
} as const satisfies Record<string, z.ZodType>;

export type JobKind = keyof typeof JOB_CATALOGUE;

type Payloads = { readonly [K in JobKind]: z.infer<(typeof JOB_CATALOGUE)[K]> };
export type JobPayload<K extends JobKind> = Payloads[K];

/** Work to be done. Jobs of the same `key` never run at the same time; `runId` lets a cancelled run take its jobs along. */
export type NewJob = {
  readonly [K in JobKind]: {
    readonly kind: K;
    readonly key: string;
    readonly payload: Payloads[K];
    readonly runId?: string;
    /** ISO 8601; not before this moment. */
    readonly runAt: string;
    /** Smaller goes first; 0 for what people wait for. */
    readonly priority?: number;
  };
}[JobKind];
