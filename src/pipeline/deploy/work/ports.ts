import type { PlannedStep, StepHandle, StepOutcome } from "../../../domain/deployments.ts";
import type { RepositoryRef } from "../../../domain/subjects.ts";

/** A merged pull request that brought a commit. */
export interface MergedPull {
  readonly number: number;
  readonly title: string;
  readonly author: string;
}

/** What lies between two versions, as the git host tells it. */
export interface VersionRange {
  /** Whether the first is an ancestor of the second. */
  readonly is: "ahead" | "behind" | "same" | "diverged";
  /** Pull requests that brought the commits, newest first, and commits that came by none. */
  readonly pulls: readonly MergedPull[];
  readonly direct: number;
  /** Commits that were not looked at. */
  readonly more: number;
  readonly files: readonly string[];
}

/** A pull request that GitHub names for a commit, as it was merged (DEP-4). */
export interface LandedPull extends MergedPull {
  /** The head that it had when it was merged. */
  readonly head: string;
  /** The branch that it was merged into, and the newest commit that this made there. */
  readonly base: string;
  readonly mergedAs: string | undefined;
}

export interface FollowedStep {
  readonly outcome: StepOutcome;
  /** What is known by now of how it is called. */
  readonly handle?: StepHandle | undefined;
  /** It seems not to have begun, and something may be there all the same: why, in words. */
  readonly unclear?: string | undefined;
}

/** Runs that Forge did not refuse, by number, since it was first asked: numbers of runs rise. */
export interface LetThrough {
  readonly runs: ReadonlySet<number>;
  readonly since: number;
}

/** Which deployments of an environment count as Forge's knowledge of what runs there. */
export interface VerifiedBy {
  /** The one workflow that deploys there, such as `.github/workflows/deploy.yml`; without one nothing is verified. */
  readonly path: string | undefined;
  /** Runs that Forge did not refuse there, where it was asked: then no other run counts. */
  readonly letThrough?: LetThrough;
  /** The run that asks does not count for itself. */
  readonly except?: number;
}

/** What deploying has to ask the git host. All of it throws RetryLater `github_unavailable` when there is no answer now. */
export interface DeployHost {
  /** Whether the App has the permissions that deploying by this way needs in a repository. */
  mayDeploy(repository: RepositoryRef, way: PlannedStep["way"]): Promise<boolean>;
  /**
   * The commits from one version to another, or those of the last one alone where nothing ran before. Undefined where one of them is not
   * there.
   */
  readRange(
    repository: RepositoryRef,
    from: string | undefined,
    to: string,
    signal: AbortSignal,
  ): Promise<VersionRange | undefined>;
  /** The merged pull requests that GitHub names for each of these commits, also those that were merged into other branches. */
  readLanded(
    repository: RepositoryRef,
    shas: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly LandedPull[]>>;
  /** How two commits stand to each other, and the files that differ (300 at most); undefined where one of them is not there. */
  compare(
    repository: RepositoryRef,
    from: string,
    to: string,
    signal: AbortSignal,
  ): Promise<Pick<VersionRange, "is" | "files"> | undefined>;
  /** The whole SHA of a commit of which at least seven digits are given; undefined where there is none, or several. */
  readCommit(repository: RepositoryRef, written: string, signal: AbortSignal): Promise<string | undefined>;
  /** What became of a step. The words of a workflow are cut; a success of a workflow that is not the step's own is `foreign`. */
  followStep(
    repository: RepositoryRef,
    step: PlannedStep,
    begun: { readonly handle: StepHandle; readonly startedAt: string },
    signal: AbortSignal,
  ): Promise<FollowedStep>;
  /**
   * The runs of workflows that came of a step, by number: the one that Forge started, or those that its deployment set off. A run that
   * a person started is never among them. Empty where none is known yet, and for a program.
   */
  readStepRuns(
    repository: RepositoryRef,
    step: PlannedStep,
    begun: { readonly handle: StepHandle; readonly startedAt: string },
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  /**
   * The commit of the newest deployment to an environment whose workflow run is verified. A status alone counts for nothing, because
   * everyone who may push can write one. Undefined where none is known among the newest 100.
   */
  readLastDeployed(
    repository: RepositoryRef,
    environment: string,
    by: VerifiedBy,
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

/** A program of the operator that deploys: it looks before it acts, so that no step is done twice (DEP-2). */
export type RunDeployProgram = (
  action: "look" | "deploy",
  step: PlannedStep & { readonly repository: string },
  signal: AbortSignal,
) => Promise<StepOutcome>;
