import type { Effect, EffectResult } from "../../domain/effects.ts";
import type { ErrorFacts } from "../../domain/errors.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { GitHubRepository } from "../github-repository.ts";
import type { MarkerSecret } from "../marker.ts";
import type { Wording } from "../words/wording.ts";

/** An effect that is to be applied. */
export type PendingEffect = Effect & {
  readonly runId: string;
  readonly subject: Subject;
  /** `sending` when an earlier attempt began and may have done a part; then it is looked up first (GH-13). */
  readonly state: string;
  /** ISO 8601; when an attempt began to send. */
  readonly sendingSince?: string;
  /** How many attempts began before this one. */
  readonly attempts: number;
};

export type EffectOf<K extends Effect["kind"]> = PendingEffect & Extract<Effect, { kind: K }>;

/** The powers of effects. */
export interface EffectPorts {
  readonly repository: GitHubRepository;
  /** With the permission that threads need beside those of `repository`; the App may lack it. */
  readonly resolver: Pick<GitHubRepository, "setThreadResolved">;
  /** What an earlier effect left behind. */
  readonly results: (key: string) => Promise<EffectResult | undefined>;
  /** What the latest effect of this kind and run left behind: GitHub's lists may not show it yet. */
  readonly earlier: () => Promise<EffectResult | undefined>;
  readonly pushBranch: PushBranch;
  readonly markerSecret: MarkerSecret;
  /** ISO 8601, UTC. */
  readonly now: () => string;
  readonly budget: WriteBudget;
  /** Written down when an attempt begins: from here on a crash leaves an effect that is looked up before it is sent again. */
  readonly begin: () => Promise<void>;
  /** Written down before each write. Throws when the work is another worker's by now. */
  readonly sending: () => Promise<void>;
  readonly wording: Wording;
  /** Aborted when the process stops: a request that fails because of it is no fault of the effect. */
  readonly signal?: AbortSignal;
}

/** Commits of a run that are to stand on its branch. */
export interface PushRequest {
  readonly subject: Subject;
  readonly runId: string;
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly headSha: string;
  /** What should stand there now; null where the branch should not be there yet. */
  readonly expected: string | null;
  /** The branch is one of people, to which somebody asked Forge to add a commit. */
  readonly theirs?: boolean | undefined;
  readonly signal?: AbortSignal;
}

export type PushOutcome =
  | { readonly is: "pushed" }
  /** The head stood there before. */
  | { readonly is: "already" }
  /** Something else than what was expected stands there, and was left as it is; null when the branch is gone. */
  | { readonly is: "moved"; readonly to: string | null }
  /** GitHub does not take it, in its own words. */
  | { readonly is: "refused"; readonly reason: string }
  /** No answer: whether it was done is not known. */
  | { readonly is: "unavailable"; readonly reason: string };

/** Puts commits on a branch, never over somebody else's. Safe to repeat: `already` where an earlier attempt did it. */
export type PushBranch = (request: PushRequest) => Promise<PushOutcome>;

/** The installation's budget of writes. */
export interface WriteBudget {
  /**
   * Counts a write that is about to be sent: one that is never answered may have been done.
   * @throws WriteBudgetSpent when it has to wait
   */
  take(write: { readonly content: boolean }): Promise<void>;
  /** GitHub said itself how long it wants no more. */
  pause(milliseconds: number): Promise<void>;
}

/** The installation wrote as much as it may; `at` (ISO 8601) is when it may go on. */
export class WriteBudgetSpent extends Error {
  override readonly name = "WriteBudgetSpent";
  readonly at: string;

  constructor(at: string) {
    super(`The installation's budget of writes to GitHub is used up until ${at}.`);
    this.at = at;
  }
}

export type EffectOutcome =
  | { readonly kind: "done"; readonly result: EffectResult }
  /**
   * To be tried again, not before `at` (ISO 8601); `countsAsAttempt` is false when the wait is nobody's fault. `forBudget`: nothing of it
   * was sent for want of budget, which may still do for another.
   */
  | {
      readonly kind: "retry";
      readonly at: string;
      readonly reason: string;
      readonly countsAsAttempt: boolean;
      readonly forBudget?: boolean;
    }
  | { readonly kind: "failed"; readonly error: ErrorFacts }
  /** What it was about is no longer there. */
  | { readonly kind: "obsolete"; readonly reason: string };
