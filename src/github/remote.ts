import type { RepositoryRef } from "../domain/subjects.ts";
import type { GitRemote } from "../pipeline/ports.ts";
import type { AppClient } from "./app-client.ts";
import type { TaskPermissions } from "./scoped-tokens.ts";
import { rethrow } from "./unreadable.ts";

/**
 * How git reaches repositories, with tokens that can do no more than `permissions` say. The token function throws ForgeError
 * `github_unavailable`, `github_forbidden` or `github_refused`.
 */
export function createRemote(
  client: AppClient,
  github: { readonly origin: string; readonly allowHttp: boolean },
  permissions: TaskPermissions,
): (repository: RepositoryRef) => GitRemote {
  return (repository) => ({
    url: `${github.origin}/${repository.owner}/${repository.name}.git`,
    allowHttp: github.allowHttp,
    token: () => client.token(repository, permissions).catch(rethrow),
  });
}
