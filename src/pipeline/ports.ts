import type { Actor, PullRequestEnds, RepositoryRef, Subject } from "../domain/subjects.ts";

/** A pull request as the API describes it now. */
export interface PullRequestFacts {
  /** The repository's current owner and name; a transfer changes them. */
  readonly repository: RepositoryRef;
  readonly open: boolean;
  readonly merged: boolean;
  readonly draft: boolean;
  readonly title: string;
  readonly author: Actor;
  readonly labels: readonly string[];
  readonly ends: PullRequestEnds;
  readonly defaultBranch: string;
}

/** How git reaches a repository. The token is asked for each time: it lives an hour and is never kept (SEC-2). */
export interface GitRemote {
  readonly url: string;
  token(): Promise<string>;
}

/** What the pipeline needs to know from the git host; `github` implements it. */
export interface PullRequestHost {
  /**
   * Reads the pull request anew; undefined when it, its repository or the installation is gone.
   * @throws ForgeError `github_unavailable` or `github_rate_limited` (with `retryAt` in its context) when there is no answer.
   */
  readPullRequest(subject: Subject, signal: AbortSignal): Promise<PullRequestFacts | undefined>;
  /** Read access for exactly this repository. */
  remote(repository: RepositoryRef): GitRemote;
}
