import { InstallationPaused } from "./installation-limits.ts";

/**
 * Why GitHub did not do what it was asked, by what follows from it:
 * `rate_limited`: not done, may be tried after `retryAfterMs` (`announced`: GitHub said so itself, else it is our guess);
 * `unavailable`: no answer, or none that can be trusted, so whether it was done is not known;
 * `refused`: not done, and the same request will not be taken (the message is GitHub's);
 * `forbidden`: not done for want of a permission, or because the App is suspended here;
 * `gone`: what it was about is not there, or not visible to the App any more.
 */
export type GitHubFailure =
  | {
      readonly cause: "rate_limited";
      readonly message: string;
      readonly retryAfterMs: number;
      readonly announced: boolean;
    }
  | { readonly cause: "unavailable" | "refused" | "forbidden" | "gone"; readonly message: string };

/** GitHub asks for at least a minute where it does not say how long (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api). */
const UNANNOUNCED_WAIT_MS = 60_000;

interface HttpError extends Error {
  readonly status: number;
  readonly response?: { readonly headers: Readonly<Record<string, string | number | undefined>> };
}

/** Reads an error of Octokit; undefined when it does not come from a request, which is a bug of ours. `now` in milliseconds since 1970. */
export function classifyFailure(thrown: unknown, now = Date.now()): GitHubFailure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof InstallationPaused) {
    const { message, retryAfterMs } = thrown;
    return { cause: "rate_limited", message, retryAfterMs, announced: true };
  }
  if (thrown.name === "AbortError" || thrown.name === "TimeoutError") {
    return { cause: "unavailable", message: `no answer: ${thrown.message}` };
  }
  if (isGraphqlError(thrown)) return graphqlFailure(thrown, now);
  if (!isHttpError(thrown)) return undefined;
  const { status, message, response } = thrown;
  // Octokit gives a request without an answer the status 500.
  if (!response) return { cause: "unavailable", message: `no answer: ${message}` };
  if (status === 429 || (status === 403 && isRateLimit(response.headers, message))) {
    return { cause: "rate_limited", message, ...waitFor(response.headers, now) };
  }
  if (status === 401 || status === 403 || status === 451) return { cause: "forbidden", message };
  if (status === 404 || status === 410) return { cause: "gone", message };
  if (status === 408 || status >= 500) return { cause: "unavailable", message: `status ${status}: ${message}` };
  return { cause: "refused", message };
}

function isHttpError(error: Error): error is HttpError {
  return error.name === "HttpError" && "status" in error && typeof error.status === "number";
}

interface GraphqlError extends Error {
  readonly errors: readonly { readonly type?: string; readonly message: string }[];
  readonly headers: Headers;
}

function isGraphqlError(error: Error): error is GraphqlError {
  return error.name === "GraphqlResponseError" && "errors" in error && Array.isArray(error.errors);
}

/** GraphQL answers 200 to everything and says in the body what went wrong; an error without a type is a fault of the server. */
function graphqlFailure({ errors, headers }: GraphqlError, now: number): GitHubFailure {
  const message = errors.map((error) => error.message).join("; ");
  switch (errors[0]?.type) {
    case "FORBIDDEN":
    case "INSUFFICIENT_SCOPES":
      return isRateLimit(headers, message)
        ? { cause: "rate_limited", message, ...waitFor(headers, now) }
        : { cause: "forbidden", message };
    case "RATE_LIMITED":
    case "RATE_LIMIT":
      return { cause: "rate_limited", message, ...waitFor(headers, now) };
    case "NOT_FOUND":
      return { cause: "gone", message };
    case "UNPROCESSABLE":
      return { cause: "refused", message };
    default:
      return { cause: "unavailable", message };
  }
}

type Headers = NonNullable<HttpError["response"]>["headers"];

/** A secondary limit without headers can be told from a missing permission by the message (or the documentation it points to) alone. */
function isRateLimit(headers: Headers, message: string): boolean {
  if (headers["retry-after"] !== undefined || String(headers["x-ratelimit-remaining"]) === "0") return true;
  return /rate[- ]limit|abuse detection/i.test(message);
}

function waitFor(headers: Headers, now: number): { retryAfterMs: number; announced: boolean } {
  const asked = String(headers["retry-after"] ?? "");
  const seconds = Number(asked);
  if (asked !== "" && Number.isFinite(seconds)) return { retryAfterMs: Math.max(1, seconds) * 1000, announced: true };
  const date = Date.parse(asked);
  if (!Number.isNaN(date)) return { retryAfterMs: Math.max(1000, date - now), announced: true };
  const reset = Number(headers["x-ratelimit-reset"]);
  if (String(headers["x-ratelimit-remaining"]) === "0" && reset > 0) {
    return { retryAfterMs: Math.max(1000, reset * 1000 - now), announced: true };
  }
  return { retryAfterMs: UNANNOUNCED_WAIT_MS, announced: false };
}

/** A request to GitHub that did not succeed, with its cause. */
export class GitHubCallFailed extends Error {
  override readonly name = "GitHubCallFailed";
  readonly failure: GitHubFailure;

  constructor(failure: GitHubFailure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}
