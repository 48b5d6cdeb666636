import type { EffectResult } from "./effects.ts";
import type { ErrorFacts } from "./errors.ts";
import type { RunRequest } from "./event-catalogue.ts";
import type { Finding } from "./findings.ts";
import type { Anchors } from "./hunks.ts";
import type { CheckName, Conclusion } from "./phases.ts";
import type { RepoConfig } from "./repo-config.ts";
import type { ReviewCoverage } from "./review-report.ts";
import type { Actor, PullRequestEnds, Subject } from "./subjects.ts";

interface Common {
  readonly subject: Subject;
  /** When it happened, ISO 8601 in UTC: `decide` has no clock. */
  readonly at: string;
  /** Ids for the runs that this input may start, made by whoever submits it: `decide` has no randomness. */
  readonly newRunId: string;
}

/** A pull request got a head to review: opened, pushed to, marked ready, reopened, its base changed, or found unreviewed by the reconcile pass. */
export interface HeadChanged extends Common {
  readonly type: "head.changed";
  readonly request: RunRequest;
  readonly by: Actor;
  readonly ends: PullRequestEnds;
  readonly title: string;
  readonly debounceMs: number;
  readonly webhook?: { readonly deliveryId: string; readonly event: string; readonly action: string };
}

export interface PullRequestClosed extends Common {
  readonly type: "pull_request.closed";
  readonly by: Actor;
  readonly merged: boolean;
}

/** The installation or the repository is no longer ours to work on. */
export interface SubjectGone extends Common {
  readonly type: "subject.gone";
  readonly reason: "installation_removed" | "repository_gone";
}

/** The worker looked at the pull request through the API before it began: the facts that decide whether and what to review. */
export interface ReviewObserved extends Common {
  readonly type: "review.observed";
  readonly runId: string;
  readonly attempt: number;
  readonly open: boolean;
  readonly ends: PullRequestEnds;
  readonly draft: boolean;
  readonly author: Actor;
  readonly labels: readonly string[];
  readonly configuration: RepoConfig;
}

/** The analysis of a head ended. `findings` are all that stand on the head, with identities. */
export interface ReviewFinished extends Common {
  readonly type: "review.finished";
  readonly runId: string;
  readonly findings: readonly Finding[];
  readonly beyondLimit: number;
  /** What the diff shows of the files that have findings. */
  readonly anchors: readonly Anchors[];
  readonly coverage: ReviewCoverage;
  readonly durationMs: number;
}

/** The work on a run failed; `final` when it will not be tried again. */
export interface ReviewFailed extends Common {
  readonly type: "review.failed";
  readonly runId: string;
  readonly error: ErrorFacts;
  readonly attempts: number;
  readonly final: boolean;
}

/** A review was posted: where each finding can be seen now. */
export interface FindingsPosted extends Common {
  readonly type: "findings.posted";
  readonly runId: string;
  readonly placed: NonNullable<EffectResult["placed"]>;
}

export interface CheckSettled extends Common {
  readonly type: "check.settled";
  readonly runId: string;
  readonly check: CheckName;
  readonly headSha: string;
  readonly conclusion: Conclusion;
  readonly checkRunId: number;
  /** Findings that can be seen since then. */
  readonly placed: NonNullable<EffectResult["placed"]>;
}

/** An effect could not be carried out and will not be tried again. */
export interface EffectFailed extends Common {
  readonly type: "effect.failed";
  readonly runId: string;
  readonly effectKey: string;
  readonly error: ErrorFacts;
}

/** Everything that can happen to a subject. */
export type Input =
  | HeadChanged
  | PullRequestClosed
  | SubjectGone
  | ReviewObserved
  | ReviewFinished
  | ReviewFailed
  | FindingsPosted
  | CheckSettled
  | EffectFailed;
