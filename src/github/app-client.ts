import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { limitBody } from "../safety/limit-body.ts";
import { openRedactor, type Redact, type Redactor, redactAside } from "../safety/redact.ts";
import { redactStringsInTurns } from "../safety/redact-value.ts";
import type { Octokit } from "./ask.ts";
import { classifyFailure, GitHubCallFailed } from "./classify-failure.ts";
import { createInstallationPauses, type InstallationPauses } from "./installation-limits.ts";
import type { TaskPermissions } from "./permissions.ts";
import { createRateLimits, type RateLimit, type RateLimits } from "./rate-limits.ts";
import { createScopedTokens, type TokenTarget } from "./scoped-tokens.ts";

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
  /** What GitHub said last of the requests that it still takes, as this process heard it. */
  rateLimits(): readonly RateLimit[];
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
  const limits = createRateLimits();
  let own: Promise<Octokit> | undefined;
  // Probot gives the same client each time.
  const app = () => {
    own ??= probot.auth().then((octokit) => hearLimits(octokit, undefined, limits));
    return own;
  };
  const redactor = options.redactor ?? openRedactor([]);
  const tokens = createScopedTokens(app, { onToken: redactor.learn });
  return {
    probot,
    app,
    token: tokens.get,
    checkPause: pauses.check,
    rateLimits: limits.list,
    installation: async (installationId) => {
      const octokit = redactWrites(await probot.auth(installationId), redactor.redact);
      return heed(hearLimits(octokit, installationId, limits), installationId, pauses);
    },
    repository: (repository, permissions) => {
      const octokit = new PlainOctokit({
        baseUrl: apiUrl,
        log: quiet,
        request,
        authStrategy: () => authenticateEach(() => tokens.get(repository, permissions), tokens.drop),
      });
      const { installationId } = repository;
      const heard = hearLimits(redactWrites(octokit as Octokit, redactor.redact), installationId, limits);
      return heed(heard, installationId, pauses);
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

/** Takes the limits from each answer, and from each refusal. */
function hearLimits(octokit: Octokit, installationId: number | undefined, limits: RateLimits): Octokit {
  octokit.hook.wrap("request", async (request, options) => {
    const account = installationId !== undefined && typeof options.owner === "string" ? options.owner : undefined;
    try {
      const answer = await request(options);
      limits.hear({ installationId, account }, answer.headers);
      return answer;
    } catch (error) {
      const { response } = error as { response?: { headers?: unknown } };
      limits.hear({ installationId, account }, response?.headers);
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

/** Lists of GitHub have a hundred entries a page; a hundred of its longest texts are 7 MB. */
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;

function fetchWithin(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return limitBody(await fetch(input, { ...init, signal }), LARGEST_ANSWER_BYTES);
  };
}

/** Of a request: where it goes, and by what names GitHub knows what it is about. Everything else is shown to people. */
const NOT_SHOWN = new Set(
  "method url baseUrl headers mediaType request owner repo head_sha commit_id external_id sha ref head base".split(" "),
);

/** Forge's own marks, by which it finds its writes again. */
const MARKER = /(<!-- forge:[^<>]{1,300} -->)/;

/** Nothing that this client writes to GitHub holds a secret, wherever the text came from (SEC-6): the last door before the wire. */
function redactWrites(octokit: Octokit, redact: Redact): Octokit {
  const clean = Object.assign(
    (text: string) =>
      text
        .split(MARKER)
        .map((part, at) => (at % 2 === 1 ? part : redact(part)))
        .join(""),
    {
      aside: async (text: string) => {
        const parts = await Array.fromAsync(text.split(MARKER), (part, at) =>
          at % 2 === 1 ? part : redactAside(part, redact),
        );
        return parts.join("");
      },
    },
  );
  octokit.hook.before("request", async (options) => {
    if (options.method === "GET" || options.url.endsWith("/access_tokens")) return;
    for (const [name, value] of Object.entries(options)) {
      if (!NOT_SHOWN.has(name)) (options as Record<string, unknown>)[name] = await redactStringsInTurns(value, clean);
    }
  });
  return octokit;
}
