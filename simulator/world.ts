// The state of one simulated GitHub, and how to find things in it.
import { createFaultPlan, type FaultPlan } from "./faults.ts";
import type { Delivery, RecordedRequest } from "./log-records.ts";
import type {
  Account,
  App,
  CheckRun,
  CheckSuite,
  DeployEnvironment,
  Deployment,
  Installation,
  Issue,
  IssueComment,
  Job,
  ManifestCode,
  PullRequest,
  Repository,
  Review,
  ReviewComment,
  ReviewThread,
  SignInCode,
  Token,
  WorkflowRun,
} from "./records.ts";
import type { FindOperation } from "./referee/operations.ts";
import type { Referee } from "./referee/referee.ts";
import type { Gate, Runner } from "./running.ts";
import { createWebhookQueue, type WebhookQueue } from "./webhooks/queue.ts";

export interface World {
  /** "http://127.0.0.1:<port>", known once the server listens. */
  origin: string;
  readonly root: string;
  readonly webhookTimeoutMs: number;
  readonly findOperation: FindOperation;
  readonly referee: Referee | null;
  /** Aborted when the simulator stops: ends what hangs. */
  readonly stopping: AbortController;
  readonly faults: FaultPlan;
  readonly queue: WebhookQueue;
  readonly accounts: Map<string, Account>;
  /** By full name in lower case. */
  readonly repositories: Map<string, Repository>;
  /** Old full names in lower case, after a transfer. */
  readonly redirects: Map<string, Repository>;
  readonly apps: App[];
  readonly installations: Installation[];
  readonly tokens: Map<string, Token>;
  readonly comments: Map<number, IssueComment>;
  readonly reviews: Map<number, Review>;
  readonly reviewComments: Map<number, ReviewComment>;
  readonly threads: Map<number, ReviewThread>;
  readonly checkRuns: Map<number, CheckRun>;
  readonly checkSuites: Map<number, CheckSuite>;
  readonly workflowRuns: Map<number, WorkflowRun>;
  /** By the id of their check-run. */
  readonly jobs: Map<number, Job>;
  readonly deployments: Map<number, Deployment>;
  readonly environments: DeployEnvironment[];
  /** By the id of the repository and the path of the file. */
  readonly workflowIds: Map<string, number>;
  /** What stands for the runners of GitHub Actions, by the id of the repository. */
  readonly runners: Map<number, Runner>;
  /** Jobs that wait for the rules of their environment. */
  readonly gates: Gate[];
  /** Milliseconds since 1970, for what GitHub does after a while: deployments that are abandoned, and their times. */
  readonly clock: () => number;
  /** Codes that an App can change for a token of a person, and those that a manifest was taken with; `until` in milliseconds. */
  readonly signInCodes: Map<string, SignInCode>;
  readonly manifestCodes: Map<string, ManifestCode>;
  /** Texts that an address of the API leads to, by the secret part of where they are; `until` in milliseconds. */
  readonly downloads: Map<string, { readonly text: string; readonly until: number }>;
  readonly deliveries: Delivery[];
  readonly requests: RecordedRequest[];
  /** When each id was given out: for lists that lag behind. */
  readonly births: Map<number, { readonly at: number; readonly request: number }>;
  readonly locks: Map<number, Promise<unknown>>;
  readonly rateLimits: Map<string, number>;
  lastId: number;
}

export function createWorld(
  options: Pick<World, "root" | "webhookTimeoutMs" | "findOperation" | "referee" | "clock">,
): World {
  return {
    ...options,
    origin: "",
    stopping: new AbortController(),
    faults: createFaultPlan(),
    queue: createWebhookQueue(),
    accounts: new Map(),
    repositories: new Map(),
    redirects: new Map(),
    apps: [],
    installations: [],
    tokens: new Map(),
    comments: new Map(),
    reviews: new Map(),
    reviewComments: new Map(),
    threads: new Map(),
    checkRuns: new Map(),
    checkSuites: new Map(),
    workflowRuns: new Map(),
    jobs: new Map(),
    deployments: new Map(),
    environments: [],
    workflowIds: new Map(),
    runners: new Map(),
    gates: [],
    signInCodes: new Map(),
    manifestCodes: new Map(),
    downloads: new Map(),
    deliveries: [],
    requests: [],
    births: new Map(),
    locks: new Map(),
    rateLimits: new Map(),
    lastId: 1000,
  };
}

export function nextId(world: World): number {
  world.lastId += 1;
  world.births.set(world.lastId, { at: Date.now(), request: world.requests.length });
  return world.lastId;
}

/** Now, in seconds, as GitHub writes it. */
export function now(): string {
  return inSeconds(Date.now());
}

/** The same by the clock of this world. */
export function timeOf(world: World): string {
  return inSeconds(world.clock());
}

function inSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** Throws when there is no such account: a test or demo asked for somebody it never made. */
export function requireAccount(world: World, login: string): Account {
  const account = world.accounts.get(login.toLowerCase());
  if (!account) throw new Error(`no account ${login} in the simulator`);
  return account;
}

/** Takes "owner/name". Throws when there is no such repository. */
export function requireRepository(world: World, ownerAndName: string): Repository {
  const repository = world.repositories.get(ownerAndName.toLowerCase());
  if (!repository) throw new Error(`no repository ${ownerAndName} in the simulator`);
  return repository;
}

/** Throws when there is no such issue or pull request. */
export function requireIssue(world: World, ownerAndName: string, number: number): Issue {
  const issue = requireRepository(world, ownerAndName).issues.get(number);
  if (!issue) throw new Error(`no issue or pull request ${ownerAndName}#${number} in the simulator`);
  return issue;
}

/** Throws when there is no such pull request. */
export function requirePull(world: World, ownerAndName: string, number: number): PullRequest {
  const issue = requireIssue(world, ownerAndName, number);
  if (!isPull(issue)) throw new Error(`${ownerAndName}#${number} is an issue, not a pull request`);
  return issue;
}

export function isPull(issue: Issue): issue is PullRequest {
  return issue.pull !== null;
}

export function pullsOf(repository: Repository): PullRequest[] {
  return [...repository.issues.values()].filter(isPull);
}

/** Open pull requests that a check on this commit belongs to. A fork's pull request is left out, as on GitHub:
 * https://docs.github.com/en/rest/checks/runs ("pull requests … in the repository where the push was made … forked
 * repository … an empty pull_requests array"). */
export function pullsOfCheck(repository: Repository, sha: string): PullRequest[] {
  return pullsOf(repository).filter(
    (each) => each.state === "open" && each.pull.headSha === sha && each.pull.headRepository === repository,
  );
}

export function covers(installation: Installation, repository: Repository): boolean {
  if (installation.account !== repository.owner) return false;
  return installation.repositoryIds === null || installation.repositoryIds.has(repository.id);
}

export function repositoriesOf(world: World, installation: Installation): Repository[] {
  return [...world.repositories.values()].filter((repository) => covers(installation, repository));
}

export function accountByEmail(world: World, email: string): Account | undefined {
  return [...world.accounts.values()].find((account) => account.email === email);
}

/** Ref writes of one repository happen one after the other. */
export function withRepositoryLock<T>(world: World, repository: Repository, work: () => Promise<T>): Promise<T> {
  const previous = world.locks.get(repository.id) ?? Promise.resolve();
  const result = previous.then(work, work);
  world.locks.set(
    repository.id,
    result.catch(() => undefined),
  );
  return result;
}
