import { DEPLOY_OBJECTION_MS, type DeployOutcome, type EnvironmentSettings } from "../../domain/deployments.ts";
import type { Phase } from "../../domain/phases.ts";

/** Where a deployment is, as its worker, commands and texts read it. */
export const DEPLOY_STAGES = [
  /** Nobody has looked at what is to be deployed. */
  "pending",
  /** It is built and tested. */
  "verifying",
  /** A person is asked. */
  "asking",
  /** Nothing is there, and there is time to object. */
  "announced",
  /** The step was decided; the way is to begin it, or says what becomes of it. */
  "deploying",
  /** The version is there, and is looked at before the next step. */
  "baking",
  /** All traffic has the version, and it is looked at on. */
  "watching",
  "ended",
] as const;
export type DeployStage = (typeof DEPLOY_STAGES)[number];

/** By what the state of a deployment tells in which stage it is (`stageOf`). */
export const DEPLOY_MARKS = ["ended", "looked_at", "asked", "announced", "begun", "there", "watched"] as const;
export type DeployMark = (typeof DEPLOY_MARKS)[number];

/** Checked before an exit is taken (PIPE-4), in this order: the first that does not hold is said. */
export type DeployGuard = "level" | "merged" | "not_held" | "new" | "not_older";

/** What decides between the exits of a stage. */
export type DeployCondition =
  /** To a version that ran there before. */
  | "goes_back"
  | "needs_person"
  /** Nobody asked for it: it follows from a merge. */
  | "by_itself"
  /** More of the traffic is to get it. */
  | "shares_left"
  /** Something watches it, and for longer than its last step. */
  | "to_be_watched"
  | "found_healthy"
  | "found_worse";

/** What a stage leads to: the first exit whose condition holds is taken. */
export type StageExit = { readonly if?: DeployCondition; readonly guards?: readonly DeployGuard[] } & (
  | { readonly to: Exclude<DeployStage, "pending" | "ended"> }
  | { readonly to: "ended"; readonly outcome: DeployOutcome }
);

type MinutesSetting = Extract<keyof EnvironmentSettings, `${string}_minutes`>;

/** When a worker looks again where nothing has changed. */
export type DeployLook =
  /** At a moment that the state names. */
  | { readonly at: "deadline" | "due" }
  /** In addition to what webhooks report, and at least as often as the repository wants it watched; `heldMs` while people on GitHub are waited for. */
  | { readonly everyMs: number; readonly heldMs: number }
  /** So long after the last look. */
  | { readonly every: "probe_seconds" };

export interface StageDefinition {
  /** The phase that it belongs to: whatever leads to it enters that. Without one it leaves the phase as it is. */
  readonly phase?: Phase;
  readonly marks: Partial<Readonly<Record<DeployMark, boolean>>>;
  /** What a worker does in it (`run-deployment.ts`). */
  readonly does: "observe" | "verify" | "look" | "let_through" | "follow" | "probe" | "do_afterwards";
  readonly looks?: DeployLook;
  readonly next: readonly StageExit[];
  /** What the answers to its question lead to; silence is a no. */
  readonly answers?: { readonly yes: StageExit; readonly no: StageExit };
  /** Nothing is there, and no worker is at it: it waits for people, or for its time. */
  readonly waits?: true;
  /** The version is there, or may be: it can go back, and is never without a watcher. */
  readonly out?: true;
  /** The setting that says how long it lasts at least. */
  readonly lasts?: MinutesSetting;
  /** The setting that says how much longer it is looked at where it is not found good, before people hear of it. */
  readonly asksAfter?: MinutesSetting;
  /** How long a step may take to begin and to end, and what it is said to be after that. */
  readonly inTime?: Readonly<
    Record<"waiting" | "running", { readonly within: MinutesSetting; readonly else: "never_started" | "too_slow" }>
  >;
}

/** A pipeline as data (PIPE-1): a version is let through stage by stage. */
export interface DeployDefinition {
  readonly stages: Readonly<Record<DeployStage, StageDefinition>>;
  /** Of what was only announced, in milliseconds. */
  readonly objectionMs: number;
  /** How often going back is tried before people have to act. */
  readonly rollbacks: number;
  /** A version that is out is never without a watcher for longer, in milliseconds. */
  readonly watcherMs: number;
}

const UNDER_WAY = { ended: false, looked_at: true, asked: false } as const;
const NOT_BEGUN = { ...UNDER_WAY, begun: false } as const;
const THERE = { ...UNDER_WAY, begun: true, there: true } as const;

/** How a deployment goes from its request to its end. */
export const DEPLOYMENT: DeployDefinition = {
  ...{ objectionMs: DEPLOY_OBJECTION_MS, rollbacks: 2, watcherMs: 30_000 },
  stages: {
    pending: {
      ...{ marks: { ended: false, looked_at: false }, does: "observe" },
      // What ran there before was built before, people wait for it, and a hold is there for going back.
      next: [
        { if: "goes_back", guards: ["merged"], to: "deploying" },
        { guards: ["level", "merged", "not_held", "new", "not_older"], to: "verifying" },
      ],
    },
    verifying: {
      ...{ phase: "verification", marks: { ...NOT_BEGUN, announced: false }, does: "verify" },
      // A person may have held the environment since it was looked at.
      next: [
        { if: "needs_person", guards: ["not_held"], to: "asking" },
        { if: "by_itself", guards: ["not_held"], to: "announced" },
        { guards: ["not_held"], to: "deploying" },
      ],
    },
    asking: {
      ...{ phase: "deployment", marks: { ended: false, looked_at: true, asked: true }, does: "look" },
      ...{ looks: { at: "deadline" }, waits: true, next: [] },
      answers: { yes: { to: "deploying" }, no: { to: "ended", outcome: "rejected" } },
    },
    announced: {
      ...{ phase: "deployment", marks: { ...NOT_BEGUN, announced: true }, does: "let_through" },
      ...{ looks: { at: "due" }, waits: true },
      next: [
        { if: "needs_person", guards: ["level", "not_held"], to: "asking" },
        { guards: ["level", "not_held"], to: "deploying" },
      ],
    },
    deploying: {
      ...{ phase: "deployment", marks: { ...UNDER_WAY, begun: true, there: false }, does: "follow" },
      ...{ looks: { everyMs: 15_000, heldMs: 60_000 }, out: true },
      inTime: {
        waiting: { within: "start_minutes", else: "never_started" },
        running: { within: "finish_minutes", else: "too_slow" },
      },
      next: [{ if: "goes_back", to: "ended", outcome: "rolled_back" }, { to: "baking" }],
    },
    baking: {
      ...{ phase: "deployment", marks: { ...THERE, watched: false }, does: "probe" },
      ...{ looks: { every: "probe_seconds" }, lasts: "bake_minutes", asksAfter: "ask_minutes", out: true },
      next: [
        { if: "shares_left", to: "deploying" },
        { if: "to_be_watched", to: "watching" },
        { if: "found_healthy", to: "ended", outcome: "healthy" },
        { to: "ended", outcome: "unwatched" },
      ],
    },
    watching: {
      ...{ phase: "monitoring", marks: { ...THERE, watched: true }, does: "probe" },
      ...{ looks: { every: "probe_seconds" }, lasts: "watch_minutes", asksAfter: "ask_minutes", out: true },
      next: [
        { if: "found_healthy", to: "ended", outcome: "healthy" },
        { if: "found_worse", to: "ended", outcome: "degraded" },
        { to: "ended", outcome: "unwatched" },
      ],
    },
    ended: { marks: { ended: true }, does: "do_afterwards", next: [] },
  },
};
