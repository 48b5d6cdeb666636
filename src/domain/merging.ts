import { z } from "zod";
import { Level } from "./ladder.ts";

/** Whose pull requests of low risk Forge may merge by itself (`safety.merge`): nobody's, its own, or also those of people that it approved. */
export const MERGES = ["never", "own", "approved"] as const;

/** From this level on Forge merges by itself where `safety.merge` lets it, and from the other one on without time to object (SAFE-4). */
export const MERGES_FROM = 3;
export const UNASKED_FROM = 4;

/** Time to object before Forge merges by itself, in milliseconds. */
export const OBJECTION_MS = 2 * 3_600_000;
/** How often it looks again at what GitHub does not let it merge yet, and for how long. */
export const LOOK_AGAIN_MS = 10 * 60_000;
export const PATIENCE_MS = 24 * 3_600_000;

/** What GitHub says of merging a pull request at this moment. */
export interface MergeState {
  /** The node id of the pull request. */
  readonly id: string;
  readonly merged: boolean;
  readonly open: boolean;
  readonly draft: boolean;
  readonly headSha: string;
  readonly baseRef: string;
  /** The base branch takes nothing without a check or a review. */
  readonly isProtected: boolean;
  /** The base branch is changed through a merge queue only, and whether the pull request is in it. */
  readonly queue: boolean;
  readonly queued: boolean;
  /** Forge's App could merge around the protection. */
  readonly mayBypass: boolean;
  /** `pending`: checks that are not through, or GitHub does not know yet. `blocked`: something that is required is missing. */
  readonly status: "ready" | "pending" | "failing" | "blocked" | "conflicts";
  readonly method: "merge" | "squash" | "rebase";
}

/** Why Forge does not merge a pull request by itself. */
export const MERGE_BARS = [
  "closed",
  "draft",
  "pushed",
  "paused",
  "configuration",
  "level",
  "findings",
  "governs",
  "people_pushed",
  "not_approved",
  "outsider",
  "changes_requested",
  "unprotected",
  "bypass",
  "conflicts",
  "checks_failing",
  "blocked",
  "refused",
] as const;
export const MergeBar = z.object({
  why: z.enum(MERGE_BARS),
  /** Whoever requested changes; a login. */
  by: z.string().optional(),
  /** Of GitHub, where it refused; the file, where one governed what runs in an earlier version. */
  said: z.string().optional(),
  /** Files that a person has to look at. */
  files: z.array(z.string()).optional(),
});
export type MergeBar = z.infer<typeof MergeBar>;

const head = { headSha: z.string() };

/** Where the merging of a pull request by Forge itself stands. `due` is ISO 8601: nobody has to say anything until then. */
export const MergeStanding = z.discriminatedUnion("is", [
  z.object({ is: z.literal("none") }),
  z.object({ is: z.literal("announced"), ...head, baseRef: z.string(), due: z.string(), level: Level }),
  z.object({ is: z.literal("merging"), ...head, baseRef: z.string(), level: Level }),
  z.object({ is: z.literal("merged"), ...head, level: Level, queued: z.boolean() }),
  /** Until somebody says otherwise, whatever is pushed. */
  z.object({ is: z.literal("held"), by: z.string() }),
  z.object({ is: z.literal("dropped"), ...head, bar: MergeBar }),
]);
export type MergeStanding = z.infer<typeof MergeStanding>;

/** What GitHub made of a merge that Forge asked for. */
export const MergeOutcome = z.discriminatedUnion("is", [
  z.object({ is: z.enum(["merged", "queued"]) }),
  z.object({ is: z.literal("refused"), said: z.string() }),
]);
export type MergeOutcome = z.infer<typeof MergeOutcome>;

/** What a worker saw when it looked whether a pull request may be merged. */
export interface MergeLook {
  readonly open: boolean;
  readonly draft: boolean;
  readonly headSha: string;
  readonly baseRef: string;
  /** `safety.merge` of the default branch. */
  readonly wants: (typeof MERGES)[number];
  /** The level that counts for this kind of task here, for Forge's own work or for that of people. */
  readonly level: number;
  /** Forge opened it. */
  readonly own: boolean;
  /** Somebody else pushed to Forge's branch. */
  readonly adopted: boolean;
  /** The author may push here. */
  readonly insider: boolean;
  /** The last review is of this head and base, found nothing that is open, and calls the risk low. */
  readonly calm: boolean;
  /** Files of the change that a person has to look at, by the last review of this head; absent where it did not say. */
  readonly forPeople?: readonly string[];
  /** Somebody with push permission who requested changes and did not take that back. */
  readonly rejectedBy?: string;
  /** Absent where GitHub does not tell. */
  readonly github?: MergeState;
}
