import { z } from "zod";
import type { RepositoryRef } from "../../domain/subjects.ts";
import type { AppClient } from "../app-client.ts";
import { GitHubCallFailed } from "../github-call-failed.ts";
import type { TaskPermissions } from "../scoped-tokens.ts";
import { failureOf, rethrow } from "../unreadable.ts";

/**
 * Asks one thing of a repository; undefined when it is not there.
 * @throws ForgeError `github_unavailable`, `github_forbidden` or `github_refused`
 */
export type Read = <T extends z.ZodType>(
  answer: T,
  route: string,
  parameters?: object,
) => Promise<z.infer<T> | undefined>;

export function createReader(
  client: Pick<AppClient, "repository">,
  repository: RepositoryRef,
  permissions: TaskPermissions,
  signal: AbortSignal,
): Read {
  const { owner, name: repo, id } = repository;
  return async (answer, route, parameters = {}) => {
    try {
      const octokit = client.repository(repository, permissions);
      const { data, url } = await octokit.request(route, { owner, repo, ...parameters, request: { signal } });
      if (isElsewhere(url, id)) return undefined;
      const parsed = answer.safeParse(data);
      if (parsed.success) return parsed.data;
      const message = `GitHub answered ${route} with something else than expected: ${z.prettifyError(parsed.error)}`;
      throw new GitHubCallFailed({ cause: "unavailable", message });
    } catch (error) {
      if (failureOf(error)?.cause === "gone") return undefined;
      return rethrow(error);
    }
  };
}

/** GitHub redirects to where an issue was transferred, by the id of the repository; a renamed repository keeps its id. */
function isElsewhere(url: string, repositoryId: number): boolean {
  const redirected = /\/repositories\/(\d+)(?:\/|$)/.exec(new URL(url).pathname)?.[1];
  return redirected !== undefined && Number(redirected) !== repositoryId;
}
