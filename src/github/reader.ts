import type { z } from "zod";
import { ForgeError, RetryLater } from "../domain/errors.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { GitRemote } from "../pipeline/runs/ports.ts";
import type { AppClient } from "./app-client.ts";
import { createAsk } from "./ask.ts";
import { classifyFailure, GitHubCallFailed, type GitHubFailure } from "./classify-failure.ts";
import type { TaskPermissions } from "./permissions.ts";

/**
 * Asks one thing of a repository, for the pipeline; undefined when it is not there, was transferred, or may not be seen.
 * @throws ForgeError `github_unavailable`, `github_forbidden` or `github_refused`
 */
export type Read = <T>(
  answer: z.ZodType<T>,
  route: string,
  parameters?: Readonly<Record<string, unknown>>,
) => Promise<T | undefined>;

/** With a token that can do nothing but what `permissions` says, and only there (SEC-2). */
export function createReader(
  client: Pick<AppClient, "repository">,
  repository: Pick<RepositoryRef, "owner" | "name" | "installationId"> & { readonly id?: number },
  permissions: TaskPermissions,
  signal: AbortSignal,
): Read {
  const { id, name, installationId } = repository;
  return async (answer, route, parameters) => {
    try {
      const target = id === undefined ? { installationId, name } : { installationId, id };
      return await createAsk(client.repository(target, permissions), repository, { signal }).find(
        answer,
        route,
        parameters,
      );
    } catch (error) {
      return rethrow(error);
    }
  };
}

/**
 * How git reaches repositories. The token function of a remote throws ForgeError `github_unavailable`, `github_forbidden` or
 * `github_refused`.
 */
export function createRemote(
  { origin, allowHttp }: { readonly origin: string; readonly allowHttp: boolean },
  token: (repository: RepositoryRef) => Promise<string>,
): (repository: RepositoryRef) => GitRemote {
  return (repository) => ({
    url: `${origin}/${repository.owner}/${repository.name}.git`,
    allowHttp,
    token: () => token(repository).catch(rethrow),
  });
}

/**
 * Why something could not be read, in the words of the pipeline's port: RetryLater `github_unavailable` when waiting helps, ForgeError
 * `github_forbidden` and `github_refused` when it does not.
 */
function unreadable(failure: GitHubFailure, cause: unknown): ForgeError {
  const { message } = failure;
  switch (failure.cause) {
    case "rate_limited":
    case "unavailable":
      return new RetryLater(
        "github_unavailable",
        `GitHub gave ${message.startsWith("no answer") ? message : `no answer: ${message}`}`,
        {
          source: "network",
          context: { cause: failure.cause },
          afterMs: failure.cause === "rate_limited" ? failure.retryAfterMs : undefined,
          cause,
        },
      );
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
