import type { CommandSource } from "../../domain/command-source.ts";
import type { ReviewCompleted } from "../../domain/event-catalogue.ts";
import type { Feedback, IssueSnapshot, PullSignal } from "../../domain/implementation.ts";
import type { Conclusion, RunStatus } from "../../domain/phases.ts";
import type { RiskReport } from "../../domain/risk.ts";
import type { Actor, PullRequestEnds, RepositoryRef, Role, Subject } from "../../domain/subjects.ts";
import type { IssuePort } from "../../tools/ports.ts";

/** A pull request as the API describes it now. */
export interface PullRequestFacts {
  readonly open: boolean;
  readonly draft: boolean;
  readonly title: string;
  /** The author's description; absent where empty. */
  readonly description?: string;
  readonly author: Actor;
  readonly labels: readonly string[];
  readonly ends: PullRequestEnds;
  readonly defaultBranch: string;
  /** The commit of the base branch that holds it since it was merged: a merge, its squash, or the last of its rebased commits. */
  readonly mergedAs?: string;
  /** ISO 8601, whole seconds. */
  readonly updatedAt?: string;
}

/** A verdict in a review of a pull request. `dismissed`: somebody took it back, and it counts no more. */
export interface VerdictOnGitHub {
  readonly by: Actor;
  readonly is: "approved" | "changes_requested" | "dismissed";
  /** The head that it was given to. */
  readonly headSha: string;
}

/** GitHub's own name for an owner's repository of defaults. */
export const ORGANISATION_REPOSITORY = ".github";

/** The contents of a branch, by path. */
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
  /** Folder of objects of a checkout on this machine, where that is the repository: then nothing is fetched. */
  readonly lender?: string;
}

/**
 * The pipeline's queries to the git host; `github` implements them. All of it throws RetryLater `github_unavailable` when
 * there is no answer now.
 */
export interface PullRequestHost {
  /** Reads the pull request anew; undefined when it, its repository or the installation is gone. */
  readPullRequest(subject: Subject, signal: AbortSignal): Promise<PullRequestFacts | undefined>;
  /** All verdicts of people and bots on a pull request, oldest first. */
  readVerdicts(subject: Subject, signal: AbortSignal): Promise<readonly VerdictOnGitHub[]>;
  /** The text of a file on the default branch, or at a commit; undefined when there is no regular file of that name. */
  readFile(repository: RepositoryRef, path: string, signal: AbortSignal, commit?: string): Promise<string | undefined>;
  /** The same of the repository `.github` of this one's owner; undefined also where there is none or the App is not installed on it. */
  readOrganisationFile(repository: RepositoryRef, path: string, signal: AbortSignal): Promise<string | undefined>;
  /** The role of an account in the repository now (GH-14). */
  readRole(repository: RepositoryRef, login: string, signal: AbortSignal): Promise<Role>;
  /** Whether an account is in a team of the repository's owner (`acme/architects`); undefined where the team may not be read. */
  isInTeam(repository: RepositoryRef, team: string, login: string, signal: AbortSignal): Promise<boolean | undefined>;
  /** The files of the default branch; undefined when the repository is empty or gone. */
  listFiles(repository: RepositoryRef, signal: AbortSignal): Promise<FileListing | undefined>;
  /** Read access for exactly this repository. */
  remote(repository: RepositoryRef): GitRemote;
}

/** An issue as the API describes it now; GitHub keeps pull requests among them. */
export interface IssueFacts {
  readonly open: boolean;
  readonly isPull: boolean;
  readonly title: string;
  readonly author: Actor;
  readonly labels: readonly string[];
  /** ISO 8601, whole seconds. */
  readonly updatedAt: string;
}

/** The pull request of an implementation as the API describes it now. */
export interface PullFacts {
  readonly open: boolean;
  readonly merged: boolean;
  readonly draft: boolean;
  readonly title: string;
  readonly ends: PullRequestEnds;
  /** GitHub works it out when it is asked, and does not know it yet the first time. */
  readonly mergeable: "clean" | "conflicts" | "unknown";
}

/** What a person asked for in one review, with what they may do in the repository now. */
export interface ReviewFeedback {
  readonly by: Actor;
  readonly role: Role;
  /** Empty when the review was dismissed meanwhile, or says nothing. Secrets are gone, long texts cut. */
  readonly feedback: readonly Feedback[];
}

/** What the work on an issue needs to know from the git host. It throws as `PullRequestHost` does. */
export interface IssueHost {
  /** Reads the issue anew; undefined when it, its repository or the installation is gone. */
  readIssue(subject: Subject, signal: AbortSignal): Promise<IssueFacts | undefined>;
  /**
   * The issue with its comments by people and what each of them may do. What was written or edited after `until` (ISO 8601) is left out, as
   * far as GitHub tells.
   */
  readSnapshot(subject: Subject, signal: AbortSignal, until?: string): Promise<IssueSnapshot | undefined>;
  /** Issues and conversations of this repository, for an agent. */
  issuesOf(repository: RepositoryRef): IssuePort;
  /** Where a branch stands, the default branch when none is named; undefined when there is none, or the repository is empty or gone. */
  readBranchHead(
    repository: RepositoryRef,
    ref: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly ref: string; readonly sha: string; readonly isProtected?: boolean } | undefined>;
  readPull(repository: RepositoryRef, number: number, signal: AbortSignal): Promise<PullFacts | undefined>;
  /** Undefined when the review or its author is gone. */
  readReviewFeedback(
    repository: RepositoryRef,
    review: { readonly pull: number; readonly reviewId: number },
    signal: AbortSignal,
  ): Promise<ReviewFeedback | undefined>;
  /** Empty when what failed does not fail any more. What cannot be read of it is left out. */
  readCiFeedback(
    repository: RepositoryRef,
    said: Extract<PullSignal, { from: "ci" }>,
    signal: AbortSignal,
  ): Promise<readonly Feedback[]>;
  /** Permissions that the App would need to work on issues here and does not have, such as `contents: write`. */
  lackingForWork(repository: RepositoryRef): Promise<readonly string[]>;
  /** Write access for exactly this repository, to workflow files only where the App was given that. */
  pushRemote(repository: RepositoryRef): GitRemote;
}

/** A comment as it stands now. */
export interface CommentNow {
  readonly body: string;
  readonly author: Actor;
  /** The first comment of the thread that it replies in. */
  readonly thread?: number;
  /** ISO 8601, whole seconds. */
  readonly createdAt?: string;
  /** Its page. */
  readonly url?: string;
  /** Lines of the new side that its thread is about, at a commit that has them. */
  readonly on?: { readonly path: string; readonly startLine: number; readonly endLine: number; readonly sha: string };
}

/** Somebody's thumb on a comment. */
export interface Vote {
  readonly commentId: number;
  readonly by: Actor;
  readonly is: "up" | "down";
}

/** What carrying out commands has to ask the git host. It throws as `PullRequestHost` does. */
export interface CommentPort {
  /** Undefined when it was deleted, or when its author was. */
  readComment(subject: Subject, source: CommandSource, signal: AbortSignal): Promise<CommentNow | undefined>;
  /** The comments of a thread, oldest first; `by` is a login, empty where the account is gone. */
  readThread(
    subject: Subject,
    thread: number,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: number; readonly by: string; readonly body: string }[]>;
  /** The first votes on each of these comments of a review, 100 a comment at most; one that was deleted has none. */
  readVotes(subject: Subject, comments: readonly number[], signal: AbortSignal): Promise<readonly Vote[]>;
  /** What the account may do in the repository at this moment (GH-14); one that the host does not know may do nothing. */
  readRole(repository: RepositoryRef, login: string, signal: AbortSignal): Promise<Role>;
}

/** How far a review has come, for the work on an issue that waits for the review of its pull request. */
export type ReviewResult = {
  readonly runId: string;
  readonly subject: Subject;
  readonly ends: PullRequestEnds;
  /** The request that it began with, or the last with which it was to go on. */
  readonly requestId: string;
} & (
  | {
      readonly status: "completed";
      readonly conclusion: Conclusion;
      /** Absent when the head was left out. `durationMs`: of the work. */
      readonly review?: ReviewCompleted & { readonly durationMs: number; readonly risk?: RiskReport };
    }
  | { readonly status: "failed"; readonly message: string }
  | { readonly status: Exclude<RunStatus, "completed" | "failed"> }
);

/** Reads what became of the review with this run id; undefined where there is none. */
export type ReadReview = (runId: string) => Promise<ReviewResult | undefined>;

/** What one review of a pull request came to, to know whether a head was looked at (DEP-4). */
export interface HeadReview {
  readonly runId: string;
  readonly headSha: string;
  /** The verdict of a finished review; `left_out`: Forge did not look at it, as a draft, or because of a label, a pause or a limit. */
  readonly is:
    | "approved"
    | "advisory"
    | "changes_requested"
    | "human_required"
    | "needs_look"
    | "incomplete"
    | "left_out"
    | "running"
    | "stopped"
    | "failed"
    | "cancelled";
  readonly leftOut?: string;
  /** Where the head left its base when it was reviewed: what is newer was looked at. */
  readonly mergeBaseSha?: string;
  readonly decision?: ReviewCompleted["decision"];
  readonly risk?: RiskReport["level"];
  /** Findings that are open, and those of them that block. */
  readonly open: number;
  readonly blocking: number;
  /** A login: who approved this head on GitHub, where a high risk waits for that. */
  readonly approvedBy?: string;
}

/** The reviews of a pull request, newest first. */
export type ReadHeadReviews = (subject: Subject) => Promise<readonly HeadReview[]>;
