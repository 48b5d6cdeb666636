import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import type { RepositoryRef } from "../domain/subjects.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

/** The least a task needs (SEC-2); GitHub refuses a token that asks for more than the App was given. */
export const READ_PERMISSIONS = { contents: "read", pull_requests: "read", metadata: "read" } as const;
export const REVIEW_PERMISSIONS = { checks: "write", pull_requests: "write", metadata: "read" } as const;
export type TaskPermissions = Readonly<Record<string, "read" | "write">>;

/** The App's ways to GitHub: as itself, and for one repository with the permissions of one task. */
export interface AppClient {
  readonly probot: Probot;
  /** Authenticated as the App (JWT): `/app` and installations only. */
  app(): Promise<Octokit>;
  /** A token for exactly this repository; cached by the auth library for its lifetime of an hour. */
  token(repository: RepositoryRef, permissions: TaskPermissions): Promise<string>;
  /** A client that can do no more than such a token. */
  repository(repository: RepositoryRef, permissions: TaskPermissions): Promise<Octokit>;
  /** For what belongs to the whole installation: listing its repositories. */
  installation(installationId: number): Promise<Octokit>;
}

export interface AppClientOptions {
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string;
  readonly log: Logger;
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

/** Milliseconds after which a request to GitHub counts as unanswered. */
const REQUEST_TIMEOUT_MS = 30_000;

export function createAppClient(options: AppClientOptions): AppClient {
  const { appId, privateKey, webhookSecret, apiUrl, log } = options;
  const request = { fetch: fetchWithin(REQUEST_TIMEOUT_MS) };
  const probot = new Probot({
    appId,
    privateKey,
    secret: webhookSecret,
    baseUrl: apiUrl,
    log,
    request,
    Octokit: PlainOctokit as typeof ProbotOctokit,
  });
  const app = () => probot.auth();
  const token: AppClient["token"] = async (repository, permissions) => {
    const octokit = await app();
    const authentication = (await octokit.auth({
      type: "installation",
      installationId: repository.installationId,
      repositoryIds: [repository.id],
      permissions: { ...permissions },
    })) as { token: string };
    return authentication.token;
  };
  return {
    probot,
    app,
    token,
    installation: (installationId) => probot.auth(installationId),
    repository: async (repository, permissions) => {
      const octokit = new PlainOctokit({ baseUrl: apiUrl, log, request, auth: { token: "unset" } }) as Octokit;
      // The token is asked for at each request, because it may expire between two of them.
      octokit.hook.before("request", async (requestOptions) => {
        requestOptions.headers.authorization = `token ${await token(repository, permissions)}`;
      });
      return octokit;
    },
  };
}

function fetchWithin(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(input, { ...init, signal });
  };
}
