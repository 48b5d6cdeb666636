import { z } from "zod";
import { Coverage, Requirement } from "./coverage.ts";
import { Explanation } from "./explanations.ts";
import { FIRST_LEVEL, Level } from "./ladder.ts";
import { RISK_LEVELS, RiskLevel } from "./risk.ts";
import { JudgeSettings, Verdict } from "./samples.ts";
import { Actor, type EnvironmentSubject, type RepositoryRef, Sha, Subject } from "./subjects.ts";

/** Where something is deployed to. */
export const ENVIRONMENTS = ["staging", "production"] as const;
export const Environment = z.enum(ENVIRONMENTS);
export type Environment = z.infer<typeof Environment>;

/** An environment of a repository as a subject: one run a time is deployed to it (PIPE-3). */
export function environmentSubject(repository: RepositoryRef, environment: Environment): EnvironmentSubject {
  return { kind: "environment", repository, environment };
}

/** The environment that a subject is; staging for one that Forge does not deploy to. */
export function environmentOf({ environment }: EnvironmentSubject): Environment {
  return environment === "other" ? "staging" : environment;
}

/** How a version gets to an environment (DEP-2). */
export const WAYS = ["deployment", "workflow_dispatch", "program"] as const;
export const Way = z.enum(WAYS);
export type Way = z.infer<typeof Way>;

const minutes = (usual: number) => z.number().min(0).max(10_080).default(usual);

/** What a repository says of one environment. */
export const EnvironmentSettings = z.strictObject({
  way: Way.default("deployment").describe(
    "How it is deployed: by GitHub Deployments, to which a workflow reacts; by starting a workflow; or by the program that the operator of Forge set up.",
  ),
  github_environment: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("What GitHub calls the environment. Left out: staging or production."),
  workflow: z
    .string()
    .regex(/^\.github\/workflows\/[^/]+\.ya?ml$/)
    .optional()
    .describe(
      "The workflow that deploys. `workflow_dispatch` needs it. With `deployment`, only a success of this workflow counts; if it is left out, a success of any workflow that Forge's deployment started counts.",
    ),
  steps: z
    .array(z.number().min(1).max(100))
    .min(1)
    .max(20)
    .refine((all) => all.at(-1) === 100 && all.every((each, i) => i === 0 || each > (all[i - 1] ?? 0)), {
      error: "must rise and end with 100",
    })
    .optional()
    .describe(
      "Shares of the traffic in percent, one after the other, such as [5, 25, 100]. Left out: by the risk of what is deployed.",
    ),
  bake_minutes: minutes(10).describe("Minutes that each step is watched before the next."),
  probe_seconds: z.number().min(1).max(3_600).default(60).describe("Seconds between two looks."),
  start_minutes: z
    .number()
    .min(0.1)
    .max(1_440)
    .default(10)
    .describe("Minutes within which a deployment has to have begun."),
  finish_minutes: z
    .number()
    .min(0.1)
    .max(1_440)
    .default(60)
    .describe("Minutes within which one step has to be deployed."),
  watch_minutes: minutes(60).describe("Minutes that the version is watched after the last step."),
  quiet_minutes: minutes(60).describe(
    "Minutes without a message about an error after the fix of it was released, after which Forge closes the issue about it.",
  ),
  ask_minutes: minutes(30).describe(
    "Minutes after which Forge asks a person about a step that it cannot judge. After the last step, how much longer it watches a version that is not found good.",
  ),
  approval: z.boolean().default(false).describe("Whether a person is asked here too, as always before production."),
  requires: z
    .array(Requirement)
    .max(2)
    .default(["review", "tests"])
    .describe(
      "What each commit needs behind it before Forge deploys it by itself: a `review` of exactly the head that was merged, and `tests` of it that passed. Left out here, it is not asked for, and each comment says so.",
    ),
  judge: JudgeSettings.prefault({}).describe("How a version is judged."),
  roll_back_on: z
    .array(z.string().min(1).max(200))
    .max(50)
    .default([])
    .describe(
      'Names of alerts that take a version back when they begin while it is deployed or watched, such as [HighErrorRate]; ["*"]: any alert about this environment. An alert that names another version by its label `version` does not.',
    ),
});
export type EnvironmentSettings = z.infer<typeof EnvironmentSettings>;

/** `deploy:` of `.github/forge.yml`; an environment that is not named is not deployed to. */
export const DeploySettings = z.strictObject({
  after_merge: z
    .enum(["nothing", "staging", "production"])
    .default("nothing")
    .describe(
      "How far a merge into the default branch goes by itself: nowhere, to staging, or on to production. Production waits for a person's yes, and so does staging below level 3; at level 0 nothing is begun.",
    ),
  staging: EnvironmentSettings.optional().describe("Where versions are tried."),
  production: EnvironmentSettings.omit({ approval: true })
    .optional()
    .describe("Where users are. It always waits for a person with the role maintain."),
});
export type DeploySettings = z.infer<typeof DeploySettings>;

/** Where a merge goes first by itself; undefined where it goes nowhere. */
export function firstEnvironment({ deploy }: { readonly deploy: DeploySettings }): Environment | undefined {
  const { after_merge: until, staging, production } = deploy;
  if (until === "nothing") return undefined;
  if (staging) return "staging";
  return until === "production" && production ? "production" : undefined;
}

/** Shares of the traffic by the risk of what is deployed (DEP-1), in percent. */
const STEPS: Readonly<Record<RiskLevel, readonly number[]>> = {
  low: [100],
  medium: [5, 25, 100],
  high: [5, 10, 25, 50, 100],
  critical: [5, 10, 25, 50, 100],
};

/** The steps of a deployment: those configured, else by risk, of which what is not known counts as high. */
export function stepsFor({ steps }: Pick<EnvironmentSettings, "steps">, risk: RiskLevel = "high"): readonly number[] {
  return steps ?? STEPS[risk];
}

/** The higher of two risks. */
export function higherRisk(one: RiskLevel | undefined, other: RiskLevel | undefined): RiskLevel | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return RISK_LEVELS.indexOf(one) >= RISK_LEVELS.indexOf(other) ? one : other;
}

/** A pull request whose change a deployment brings, as the record shows it. */
export const DeployedChange = z.object({
  number: z.number().int().positive(),
  title: z.string(),
  author: z.string(),
  /** The issue whose work it is, with the run. */
  implements: z.object({ issue: z.number().int().positive(), runId: z.string() }).optional(),
  risk: RiskLevel.optional(),
  /** What its last review said; absent where Forge did not review it. */
  reviewed: z.enum(["approve", "request_changes", "require_human"]).optional(),
  /** A person let it pass. */
  overridden: z.boolean().optional(),
  /** Findings that were open at the merge. */
  open: z.number().int().nonnegative(),
  blocking: z.number().int().nonnegative(),
  tests: z.enum(["passed", "failed", "skipped"]).optional(),
});
export type DeployedChange = z.infer<typeof DeployedChange>;

/** What there is to know of a commit before it is deployed. */
export const DeployFacts = z.object({
  sha: Sha,
  /** The branch it is on. */
  ref: z.string(),
  /** What runs there now; absent where Forge has deployed nothing there. */
  previous: Sha.optional(),
  /** Whether the commit is on the default branch. */
  merged: z.boolean(),
  /** It is behind what runs there, and no rollback was asked for. */
  older: z.boolean(),
  /** Pull requests since then, newest first; `more` were left out. */
  changes: z.array(DeployedChange),
  more: z.number().int().nonnegative(),
  /** Commits since then that came by no whole pull request into the default branch. */
  direct: z.number().int().nonnegative(),
  /** Files with changes of a database's form: going back may not bring data back. */
  migrations: z.array(z.string()),
  risk: RiskLevel.optional(),
  /** What was looked at of all that (DEP-4); absent in the events of earlier versions, where nothing of it counts as covered. */
  coverage: Coverage.optional(),
});
export type DeployFacts = z.infer<typeof DeployFacts>;

/** Whether one person alone may not let it through (SAFE-3). A risk that is not known counts as high, but where it is not known either what is new. */
export function needsOther({ risk, coverage }: Pick<DeployFacts, "risk" | "coverage">): boolean {
  if (risk === undefined) return coverage?.from !== undefined;
  return risk === "high" || risk === "critical";
}

/** Why a deployment is not begun, or does not go on. */
export const DEPLOY_REFUSALS = [
  "not_configured",
  "not_merged",
  "not_reviewed",
  "not_tested",
  "blocking",
  "older",
  "held",
  "same",
  "not_accepted",
  "gone",
  /** A person said where to begin, and that commit is not before this one, or Forge knows what runs. */
  "no_such_beginning",
  "known_beginning",
  "level",
] as const;
export const DeployRefusal = z.enum(DEPLOY_REFUSALS);
export type DeployRefusal = z.infer<typeof DeployRefusal>;

/** Where a step is: what GitHub, the workflow or the program says of it. A success is not health (DEP-2). */
export const StepOutcome = z.object({
  is: z.enum([
    "waiting",
    "running",
    "done",
    "failed",
    /** Nothing began in time. */
    "never_started",
    "cancelled",
    /** Only a workflow that is not the configured one said that it is done. */
    "foreign",
    /** Somebody or a rule of GitHub refused it. */
    "rejected",
    /** Nothing came to an end in time. */
    "too_slow",
  ]),
  /** In words, cut and clean; of the workflow or program. */
  detail: z.string().optional(),
  /** Where the version can be seen, and what was done. */
  url: z.string().optional(),
  logUrl: z.string().optional(),
  /** The commit that the step's run began at, where that is another one than the step's: its workflow and files are of this one. */
  ranOn: Sha.optional(),
  /** Rules of GitHub's environment hold it back: until a reviewer says yes (logins, and `organization/team`), and not before a time. */
  awaits: z.object({ reviewers: z.array(z.string()), until: z.iso.datetime().optional() }).optional(),
});
export type StepOutcome = z.infer<typeof StepOutcome>;

/** The code of the error where a run of a workflow may have been started and nothing tells which one it is. */
export const UNCLEAR_RUN = "deployment_unclear";

/** Names a step for good: in payloads on GitHub, by which it is found again after a crash. */
export const StepMarker = z.object({
  run: z.string(),
  /** From 0; of a rollback it goes on counting. */
  step: z.number().int().nonnegative(),
});
export type StepMarker = z.infer<typeof StepMarker>;

/** A step as it is begun. */
export const PlannedStep = z.object({
  marker: StepMarker,
  environment: z.string(),
  way: Way,
  workflow: z.string().optional(),
  sha: Sha,
  /** The branch to begin it on: GitHub's rules for branches look at it. */
  ref: z.string(),
  /** Share of the traffic, in percent. */
  percentage: z.number().min(0).max(100),
  previous: Sha.optional(),
  task: z.enum(["deploy", "rollback"]),
  production: z.boolean(),
  /** Up to 140 characters. */
  description: z.string().max(140),
});
export type PlannedStep = z.infer<typeof PlannedStep>;

/** By what a step that was begun is followed. */
export const StepHandle = z.object({
  /** Of the deployment on GitHub. */
  deploymentId: z.number().int().positive().optional(),
  /** Of the workflow's run. */
  workflowRunId: z.number().int().positive().optional(),
});
export type StepHandle = z.infer<typeof StepHandle>;

/** Who wants a deployment, and what for. */
export const DeployRequest = z.object({
  environment: Environment,
  sha: Sha,
  by: Actor,
  cause: z.enum(["merge", "command", "rollback", "promotion"]),
  /** The comment or delivery that asked: the same is done once. */
  id: z.string(),
  /** Where its comment stands. */
  about: Subject.optional(),
  /** The run on an issue that goes on with it. */
  implements: z.object({ issue: z.number().int().positive(), runId: z.string() }).optional(),
  reason: z.string().max(500).optional(),
  /** What runs there, as a person says where Forge does not know it: what is newer is what it brings. */
  from: Sha.optional(),
  /** The level of the repository when it was asked for, where nobody but Forge did: at 0 nothing is begun. */
  level: Level.optional(),
});
export type DeployRequest = z.infer<typeof DeployRequest>;

/** Whether nobody asked for it: it follows from a merge (SAFE-4). */
export function isByItself({ cause }: Pick<DeployRequest, "cause">): boolean {
  return cause === "merge" || cause === "promotion";
}

/** From this level on a merge is deployed to staging without a person's yes, and the time to object before that, in milliseconds (SAFE-4). */
export const DEPLOYS_FROM = 3;
export const DEPLOY_OBJECTION_MS = 2 * 3_600_000;

/** Whether a person has to say yes to what follows from a merge; of what is not known it is the first level that counts. */
export function asksAtLevel(level: number = FIRST_LEVEL): boolean {
  return level < DEPLOYS_FROM;
}

/** Nothing is deployed to an environment until a person lifts that. */
export const Hold = z.object({ by: z.string(), at: z.string(), why: z.string(), runId: z.string().optional() });
export type Hold = z.infer<typeof Hold>;

/** How a run of this kind ended. */
export const DEPLOY_OUTCOMES = [
  "healthy",
  "unwatched",
  /** It went all the way and is worse than what was there before, and not so much that it was taken back. */
  "degraded",
  "rolled_back",
  "rollback_failed",
  "refused",
  "failed",
  "rejected",
  "superseded",
  /** A person objected to what Forge had announced. */
  "held",
] as const;
export const DeployOutcome = z.enum(DEPLOY_OUTCOMES);
export type DeployOutcome = z.infer<typeof DeployOutcome>;

/** What building a version and running its tests in the sandbox came to, with a sentence for people. */
export const Verified = z.object({ is: z.enum(["passed", "failed", "skipped"]), summary: z.string() });

/** The gate's question: bound to commit and plan (SAFE-3). */
export const DeployQuestion = z.object({
  type: z.literal("production_deploy"),
  environment: Environment,
  sha: Sha,
  steps: z.array(z.number()),
  facts: DeployFacts,
  /** What a rollback goes back to; absent where there is nothing. */
  back: Sha.optional(),
  /** What is watched, by name. */
  watched: z.array(z.string()),
  /** The level at which a merge is not deployed without this; absent where the environment asks anyway. */
  level: Level.optional(),
  /** What the tests of the version itself came to; absent in the events of earlier versions. */
  verified: Verified.optional(),
});
export type DeployQuestion = z.infer<typeof DeployQuestion>;

/** Where a deployment stands, as people are told (DEP-1): facts, which `github/words` turns into sentences. */
export const DeployStanding = z.object({
  runId: z.string(),
  environment: Environment,
  sha: Sha,
  previous: Sha.optional(),
  by: z.string(),
  cause: DeployRequest.shape.cause,
  /** `announced`: Forge deploys it by itself, at `until`. */
  is: z.enum([
    ...["looking", "verifying", "asking", "announced"],
    ...["deploying", "baking", "watching", "going_back", "ended"],
  ] as const),
  /** Shares of the traffic that are planned, in percent. */
  shares: z.array(z.number()),
  steps: z.array(
    z.object({
      sha: Sha,
      percentage: z.number(),
      task: PlannedStep.shape.task,
      outcome: StepOutcome,
      verdict: Verdict.optional(),
      unclear: z.boolean().optional(),
      promoted: z.boolean().optional(),
    }),
  ),
  gate: z.object({ gate: z.string(), deadline: z.string() }).optional(),
  /** Until when it is watched at least, before the next step or the end, or when it begins; ISO 8601. */
  until: z.string().optional(),
  probeSeconds: z.number().optional(),
  changes: z.array(DeployedChange),
  more: z.number().int().nonnegative(),
  direct: z.number().int().nonnegative(),
  risk: RiskLevel.optional(),
  /** What was looked at of what it brings. */
  coverage: Coverage.optional(),
  /** A maintainer let it go there although not all of it was looked at. */
  accepted: z.object({ by: z.string(), reason: z.string() }).optional(),
  verified: Verified.optional(),
  /** A person wants no further step; a login. */
  stopped: z.object({ by: z.string() }).optional(),
  /** It goes back, or went. */
  back: z.object({ to: Sha.optional(), why: z.string(), reason: z.string(), by: z.string().optional() }).optional(),
  /** What a model says of the verdict. */
  explained: Explanation.optional(),
  /** A version that is healthy there goes on to the next environment. */
  onward: z.boolean().optional(),
  /** The environment is held since. */
  hold: Hold.optional(),
  end: z
    .object({ outcome: DeployOutcome, refusal: DeployRefusal.optional(), reason: z.string().optional() })
    .optional(),
  /** A person passed its check anyway. */
  overridden: z.object({ by: z.string(), reason: z.string() }).optional(),
});
export type DeployStanding = z.infer<typeof DeployStanding>;

/** How far the work on an issue is on its way to users: its deployment, without what else the version brings. */
export const ReleaseStanding = DeployStanding.omit({ changes: true, more: true, direct: true });
export type ReleaseStanding = z.infer<typeof ReleaseStanding>;
