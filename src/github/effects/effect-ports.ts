import type { EffectResult, HostEffect } from "../../domain/effects.ts";
import type { ErrorFacts } from "../../domain/errors.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { AttemptLog, EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import type { GitHubReads, GitHubWrites } from "../github-repository.ts";
import type { MarkerSecret } from "../marker.ts";
import type { Wording } from "../words/wording.ts";

/** An effect that is to be applied. */
export type PendingEffect = HostEffect & {
  readonly runId: string;
  readonly subject: Subject;
  /** `sending` when an earlier attempt began and may have done a part; then it is looked up first (GH-13). */
  readonly state: string;
  /** ISO 8601; when an attempt began to send. */
  readonly sendingSince?: string;
  /** How many attempts there were before this one. */
  readonly attempts: number;
};

/** An effect as its own kind sees it: whether it was sent before is asked by `applyEffect` alone. */
export type EffectOf<K extends HostEffect["kind"]> = Extract<HostEffect, { kind: K }> &
  Pick<PendingEffect, "runId" | "subject" | "sendingSince">;

/** What an effect may ask; nothing of it writes. */
export interface Look {
  readonly repository: GitHubReads;
  /** What an earlier effect left behind. */
  readonly results: (key: string) => Promise<EffectResult | undefined>;
  /** What the latest effect of this kind and run left behind: GitHub's lists may not show it yet. */
  readonly earlier: () => Promise<EffectResult | undefined>;
  readonly markerSecret: MarkerSecret;
  /** ISO 8601, UTC. */
  readonly now: () => string;
  readonly wording: Wording;
}

export type Writes = GitHubWrites & { readonly pushBranch: PushBranch };

/** What an effect is sent with: every write is counted before it goes. */
export interface Send extends Look {
  readonly write: Writes;
  /** Aborted when the process stops: a request that fails because of it is no fault of the effect. */
  readonly signal?: AbortSignal;
}

/** What `applyEffect` is given. */
export interface EffectPorts extends Look, AttemptLog {
  readonly writes: Writes;
  readonly budget: WriteBudget;
  readonly signal?: AbortSignal;
}

/** What an earlier attempt left on GitHub: everything, or a part (`there`) to go on from. */
export type Found<F> = { readonly settled: EffectOutcome } | { readonly there: F };

/**
 * A kind of effect. Methods and not properties, so that a table can hold kinds whatever they find.
 */
export interface EffectHandler<K extends HostEffect["kind"], F = unknown> {
  /** Asked before every sending but the first: what may have been done is looked up before it is done again (GH-13). */
  find(effect: EffectOf<K>, look: Look): Promise<Found<F>>;
  /** Makes GitHub match. `there` is what `find` found, undefined where nothing of it was ever sent. */
  send(effect: EffectOf<K>, there: F | undefined, ports: Send): Promise<EffectOutcome>;
}

/** The `find` of a kind whose sending leaves the same when it is repeated, or looks for itself. */
export async function nothingToFind(): Promise<Found<undefined>> {
  return { there: undefined };
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
  /** It did not come as far as GitHub, and trying again would not help. */
  | { readonly is: "impossible"; readonly error: ErrorFacts }
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
