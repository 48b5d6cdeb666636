import type { DeployRequest, Environment } from "../../domain/deployments.ts";
import type { Gate } from "../../domain/gates.ts";
import type { Input } from "../../domain/inputs.ts";
import type { RuleRequest } from "../../domain/protection.ts";
import type { PullRequestEnds, RepositoryRef, Subject } from "../../domain/subjects.ts";
import type { IssueWork } from "../../pipeline/runs/implementation-of.ts";
import type { Fence } from "../../store/jobs/fence.ts";

/** A head that Forge has a run for, from its own record: check-runs on fork heads carry no pull request (GH-5). */
export interface KnownHead {
  readonly subject: Subject;
  readonly ends: PullRequestEnds;
}

/** What handlers are handed; they translate, submit and return. */
export interface HandlerDependencies {
  /** Hands an input to the pipeline; says why nothing followed, if nothing did. With a fence it is a part of that job. */
  submit(input: Input, fence?: Fence): Promise<{ readonly ignored?: string }>;
  /** The subjects whose latest run is on this head. */
  knownHeads(repositoryId: number, headSha: string): Promise<readonly KnownHead[]>;
  /** The work on an issue that a pull request or a head comes from, where it is Forge's own (GH-5, GH-6, GH-7). */
  implementationOf(
    repositoryId: number,
    by: { readonly pull: number } | { readonly headSha: string },
  ): Promise<IssueWork | undefined>;
  /** The deployment that a check-run on its commit shows. */
  deploymentOf(
    repositoryId: number,
    check: { readonly headSha: string; readonly checkRunId: number },
  ): Promise<DeployRequest | undefined>;
  /** Whether a head is a commit of suggested fixes by Forge (`/forge fix`). */
  isHeadOfFix(repositoryId: number, headSha: string): Promise<boolean>;
  /** Whether an agent waits for somebody's answer on this issue. */
  awaitsAnswer(issue: Subject): Promise<boolean>;
  /** What the work on this issue waits for people with. */
  openGates(issue: Subject): Promise<readonly Gate[]>;
  /** Has the labels that Forge uses created in a repository, now or soon (GH-9). */
  createLabels(repositories: readonly RepositoryRef[]): Promise<void>;
  /** Has an answer given, now or later, as the rule of an environment. */
  askRule(repository: RepositoryRef, asked: RuleRequest): Promise<void>;
  /** Subjects of an installation, or of one of its repositories, with an active run. */
  activeSubjects(of: { installationId: number; repositoryId?: number }): Promise<readonly Subject[]>;
  /** Everything that is stored of an installation goes, when the operator wants that (GH-9). */
  forgetInstallation(installationId: number): Promise<void>;
  /** Ends every session of a person on the pages, by their number. */
  signOut(personId: number): Promise<void>;
  /** What people may see has changed: it is read anew. */
  accessChanged(): Promise<void>;
  /** Takes what somebody with push permission told of production by a `repository_dispatch` (GH-8). */
  takeDispatched(
    repository: RepositoryRef,
    told: { readonly id: string; readonly environment: Environment; readonly payload: unknown },
  ): Promise<{ readonly ignored?: string }>;
  /** Whether the account is this very App, whose own doings start nothing (GH-8b). */
  isSelf(login: string): Promise<boolean>;
  /** Where GitHub's REST API is, without a slash at its end. */
  readonly apiUrl: string;
  readonly appId: number;
  readonly now: () => string;
  readonly makeId: () => string;
  readonly debounceMs: number;
}
