import type { z } from "zod";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { GitRemote } from "../pipeline/runs/ports.ts";
import type { AppClient } from "./app-client.ts";
import { createAsk } from "./ask.ts";
import type { TaskPermissions } from "./permissions.ts";
import { rethrow } from "./unreadable.ts";

/**
 * Asks one thing of a repository, for the pipeline; undefined when it is not there, was transferred, or nobody may see it.
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
