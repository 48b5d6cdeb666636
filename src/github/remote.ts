import type { RepositoryRef } from "../domain/subjects.ts";
import type { GitRemote } from "../pipeline/runs/ports.ts";
import { rethrow } from "./unreadable.ts";

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
