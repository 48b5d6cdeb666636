import { ForgeError, RetryLater } from "../domain/errors.ts";
import { classifyFailure, GitHubCallFailed, type GitHubFailure } from "./classify-failure.ts";

/**
 * Why something could not be read, in the words of the pipeline's port: RetryLater `github_unavailable` when waiting helps, ForgeError
 * `github_forbidden` and `github_refused` when it does not.
 */
export function unreadable(failure: GitHubFailure, cause: unknown): ForgeError {
  const { message } = failure;
  switch (failure.cause) {
    case "rate_limited":
    case "unavailable":
      return new RetryLater("github_unavailable", `GitHub gave no answer: ${message}`, {
        source: "network",
        context: { cause: failure.cause },
        afterMs: failure.cause === "rate_limited" ? failure.retryAfterMs : undefined,
        cause,
      });
    case "forbidden":
      return new ForgeError(
        "github_forbidden",
        `GitHub does not let Forge read this. Check the App's permissions: ${message}`,
        {
          source: "permission",
          severity: "high",
          recoverability: "none",
          cause,
        },
      );
    case "refused":
    case "gone":
      return new ForgeError("github_refused", `GitHub refused to be read: ${message}`, {
        source: "validation",
        recoverability: "none",
        context: { cause: failure.cause },
        cause,
      });
  }
}

/** @throws what the pipeline understands, or the error itself where it does not come from GitHub */
export function rethrow(error: unknown): never {
  const failure = failureOf(error);
  throw failure ? unreadable(failure, error) : error;
}

export function failureOf(error: unknown): GitHubFailure | undefined {
  return error instanceof GitHubCallFailed ? error.failure : classifyFailure(error);
}
