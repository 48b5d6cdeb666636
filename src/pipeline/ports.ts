import type { Role } from "../domain/roles.ts";
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
  /** ISO 8601, whole seconds. */
  readonly updatedAt?: string;
}

/** GitHub's own name for an owner's repository of defaults. */
export const ORGANISATION_REPOSITORY = ".github";

/** What a branch holds, by path. */
export interface FileListing {
  /** `mode` as git writes it: 100644, 100755, 120000 for a symbolic link. */
  readonly files: readonly { readonly path: string; readonly mode: string; readonly bytes: number }[];
  /** The host named a part only. */
  readonly truncated: boolean;
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
  /** The same of the repository `.github` of this one's owner; undefined also where there is none or the App is not installed on it. */
  readOrganisationFile(repository: RepositoryRef, path: string, signal: AbortSignal): Promise<string | undefined>;
  /** What somebody may do in the repository now (GH-14). */
  readRole(repository: RepositoryRef, login: string, signal: AbortSignal): Promise<Role>;
  /** The files of the default branch; undefined when the repository is empty or gone. */
  listFiles(repository: RepositoryRef, signal: AbortSignal): Promise<FileListing | undefined>;
  /** Read access for exactly this repository. */
  remote(repository: RepositoryRef): GitRemote;
}
