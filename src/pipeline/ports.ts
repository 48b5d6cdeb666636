import type { Actor, PullRequestEnds, RepositoryRef, Subject } from "../domain/subjects.ts";

/** A pull request as the API describes it now. */
export interface PullRequestFacts {
  readonly open: boolean;
  readonly draft: boolean;
  readonly title: string;
  readonly author: Actor;
  readonly labels: readonly string[];
  readonly ends: PullRequestEnds;
  readonly defaultBranch: string;
}

/** How git reaches a repository. The token is asked for at each connection: it lives an hour and is never kept (SEC-2). */
export interface GitRemote {
  readonly url: string;
  readonly allowHttp: boolean;
  token(): Promise<string>;
}

/**
 * What the pipeline needs to know from the git host; `github` implements it. All of it throws ForgeError `github_unavailable` when
 * there is no answer now, with `retryAfterMs` in its context where the host named a time.
 */
export interface PullRequestHost {
  /** Reads the pull request anew; undefined when it, its repository or the installation is gone. */
  readPullRequest(subject: Subject, signal: AbortSignal): Promise<PullRequestFacts | undefined>;
  /** The text of a file on the default branch; undefined when there is no regular file of that name. */
  readFile(repository: RepositoryRef, path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Read access for exactly this repository. */
  remote(repository: RepositoryRef): GitRemote;
}
