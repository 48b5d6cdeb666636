import { ForgeError } from "../domain/errors.ts";
import type { GitHubFailure } from "./classify-failure.ts";

/** How long to wait when GitHub gave no answer: it is usually back within a minute. */
const NO_ANSWER_MS = 30_000;
/** A missing permission or a suspended App is mended by people, not by asking again soon. */
const FORBIDDEN_MS = 10 * 60_000;

/** "No answer now" in the words of the pipeline's port: with `retryAfterMs` in its context. */
export function githubUnavailable(failure: GitHubFailure, cause: unknown): ForgeError {
  const retryAfterMs =
    failure.cause === "rate_limited"
      ? failure.retryAfterMs
      : failure.cause === "forbidden"
        ? FORBIDDEN_MS
        : NO_ANSWER_MS;
  return new ForgeError("github_unavailable", `GitHub gave no answer: ${failure.message}`, {
    source: "network",
    recoverability: "auto",
    context: { cause: failure.cause, retryAfterMs },
    cause,
  });
}
