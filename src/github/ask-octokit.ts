import { z } from "zod";
import type { Octokit } from "./app-client.ts";
import { classifyFailure } from "./classify-failure.ts";
import { GitHubCallFailed } from "./github-call-failed.ts";

/** Most entries that GitHub puts on one page of a list. */
export const PAGE_SIZE = 100;

/** Requests about one repository, whose answers are read by a schema. Both throw `GitHubCallFailed`. */
export interface Ask {
  ask<T>(answer: z.ZodType<T>, route: string, parameters: Record<string, unknown>): Promise<T>;
  /** All pages of a list. */
  askAll<T>(item: z.ZodType<T>, route: string, parameters: Record<string, unknown>): Promise<T[]>;
}

/** `timeoutMs` is for one request; `signal` ends every request that is under way. */
export function createAsk(
  octokit: Octokit,
  repository: { readonly owner: string; readonly name: string },
  { signal, timeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs: number },
): Ask {
  const here = { owner: repository.owner, repo: repository.name };

  async function ask<T>(answer: z.ZodType<T>, route: string, parameters: Record<string, unknown>): Promise<T> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const limits = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
    try {
      const { data } = await octokit.request(route, { ...here, ...parameters, request: limits });
      const parsed = answer.safeParse(data);
      if (parsed.success) return parsed.data;
      const message = `GitHub answered ${route} with something else than expected: ${z.prettifyError(parsed.error)}`;
      throw new GitHubCallFailed({ cause: "unavailable", message });
    } catch (error) {
      const failure = classifyFailure(error);
      throw failure ? new GitHubCallFailed(failure, error) : error;
    }
  }

  async function askAll<T>(item: z.ZodType<T>, route: string, parameters: Record<string, unknown>): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; ; page += 1) {
      const items = await ask(z.array(item), route, { ...parameters, per_page: PAGE_SIZE, page });
      all.push(...items);
      if (items.length < PAGE_SIZE) return all;
    }
  }

  return { ask, askAll };
}
