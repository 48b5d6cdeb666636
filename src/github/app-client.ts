import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { openRedactor, type Redactor } from "../safety/open-redactor.ts";
import { classifyFailure } from "./classify-failure.ts";
import { GitHubCallFailed } from "./github-call-failed.ts";
import { createInstallationPauses, type InstallationPauses } from "./installation-pauses.ts";
import { redactWrites } from "./redacted-writes.ts";
import { createScopedTokens, type TaskPermissions, type TokenTarget } from "./scoped-tokens.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

/** The least a task needs (SEC-2); GitHub refuses a token that asks for more than the App was given. */
export const READ_PERMISSIONS = { contents: "read", pull_requests: "read", metadata: "read" } as const;
export const CONTENTS_PERMISSIONS = { contents: "read", metadata: "read" } as const;
export const ISSUE_READ_PERMISSIONS = { issues: "read", pull_requests: "read", metadata: "read" } as const;
export const CI_PERMISSIONS = { checks: "read", metadata: "read" } as const;
export const STATUS_PERMISSIONS = { statuses: "read", metadata: "read" } as const;
export const LOG_PERMISSIONS = { actions: "read", metadata: "read" } as const;
export const LABEL_PERMISSIONS = { issues: "write", metadata: "read" } as const;
export const PUSH_PERMISSIONS = { contents: "write", metadata: "read" } as const;
/** GitHub refuses a push that changes a file in `.github/workflows` without this; most Apps are not given it. */
export const WORKFLOW_PERMISSIONS = { contents: "write", workflows: "write", metadata: "read" } as const;
export const CHECK_PERMISSIONS = { checks: "write", metadata: "read" } as const;
export const REVIEW_PERMISSIONS = { pull_requests: "write", metadata: "read" } as const;
/** Resolving a thread counts as writing to the repository; an App that was not given this still reviews. */
export const RESOLVE_PERMISSIONS = { contents: "write", pull_requests: "write", metadata: "read" } as const;

/** Comments on issues; on pull requests `REVIEW_PERMISSIONS` are enough. */
export const ISSUE_PERMISSIONS = { issues: "write", metadata: "read" } as const;
export const PULL_PERMISSIONS = { contents: "read", pull_requests: "write", metadata: "read" } as const;
/** GitHub counts making a draft ready as writing to the repository too (https://github.com/cli/cli/issues/8910). */
export const READY_PERMISSIONS = { contents: "write", pull_requests: "write", metadata: "read" } as const;

/** The App's ways to GitHub: as itself, and for one repository with the permissions of one task. */
export interface AppClient {
  readonly probot: Probot;
  /** Authenticated as the App (JWT): `/app` and installations only. */
  app(): Promise<Octokit>;
  /** A token for exactly this repository; cached by the auth library for its lifetime of an hour. */
  token(repository: TokenTarget, permissions: TaskPermissions): Promise<string>;
  /** A client that can do no more than such a token. */
  repository(repository: TokenTarget, permissions: TaskPermissions): Octokit;
  /** Throws `InstallationPaused` while GitHub wants no requests of an installation. */
  checkPause(installationId: number): void;
  /** For what belongs to the whole installation: listing its repositories. */
  installation(installationId: number): Promise<Octokit>;
}

export interface AppClientOptions {
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string;
  readonly log: Logger;
  /** Milliseconds after which a request counts as unanswered. */
  readonly requestTimeoutMs?: number;
  /** Through which everything goes that is written; without it only what looks like a secret is hidden. */
  readonly redactor?: Redactor;
  /** ISO 8601; the machine's own when left out. */
  readonly now?: () => string;
}

/**
 * Throttling and retries of the plugins are off: they would sleep out of our sight and share one limiter over all installations. The
 * write budget and the queue do that work.
 */
const PlainOctokit = ProbotOctokit.defaults((options: object) => ({
  ...options,
  throttle: { enabled: false },
  retry: { enabled: false },
}));

const REQUEST_TIMEOUT_MS = 30_000;

export function createAppClient(options: AppClientOptions): AppClient {
  const { appId, privateKey, webhookSecret, apiUrl, log, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const pauses = createInstallationPauses(options.now ?? (() => new Date().toISOString()));
  // At debug Probot would log every payload whole.
  const quiet = log.child({}, { level: log.isLevelEnabled("warn") ? "warn" : log.level });
  const request = { fetch: fetchWithin(requestTimeoutMs) };
  const probot = new Probot({
    appId,
    privateKey,
    secret: webhookSecret,
    baseUrl: apiUrl,
    log: quiet,
    request,
    Octokit: PlainOctokit as typeof ProbotOctokit,
  });
  const app = () => probot.auth();
  const redactor = options.redactor ?? openRedactor([]);
  const tokens = createScopedTokens(app, { onToken: redactor.learn });
  return {
    probot,
    app,
    token: tokens.get,
    checkPause: pauses.check,
    installation: async (installationId) =>
      heed(redactWrites(await probot.auth(installationId), redactor.redact), installationId, pauses),
    repository: (repository, permissions) => {
      const octokit = new PlainOctokit({
        baseUrl: apiUrl,
        log: quiet,
        request,
        authStrategy: () => authenticateEach(() => tokens.get(repository, permissions), tokens.drop),
      });
      return heed(redactWrites(octokit as Octokit, redactor.redact), repository.installationId, pauses);
    },
  };
}

/** Keeps a client from asking while its installation has to wait, and lets the others know when it is told so. */
function heed(octokit: Octokit, installationId: number, pauses: InstallationPauses): Octokit {
  octokit.hook.wrap("request", async (request, options) => {
    pauses.check(installationId);
    try {
      return await request(options);
    } catch (error) {
      const failure = error instanceof GitHubCallFailed ? error.failure : classifyFailure(error);
      if (failure?.cause === "rate_limited") pauses.pause(installationId, failure.retryAfterMs);
      throw error;
    }
  });
  return octokit;
}

type Send = (options: object) => Promise<unknown>;
type Endpoint = { readonly endpoint: { merge(route: unknown, parameters?: object): { headers: object } } };

/** An authentication strategy that asks for the token at each request, because it may expire between two of them. */
function authenticateEach(token: () => Promise<string>, drop: (token: string) => void) {
  const hook = async (request: Send & Endpoint, route: unknown, parameters?: object) => {
    const options = request.endpoint.merge(route, parameters);
    const used = await token();
    try {
      return await request({ ...options, headers: { ...options.headers, authorization: `token ${used}` } });
    } catch (error) {
      if ((error as { status?: unknown }).status === 401) drop(used);
      throw error;
    }
  };
  return Object.assign(async () => ({ type: "token", token: await token() }), { hook });
}

function fetchWithin(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(input, { ...init, signal });
  };
}
