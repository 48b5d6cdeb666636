import type { ProbotOctokit } from "probot";
import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { classifyFailure, GitHubCallFailed } from "./classify-failure.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

/** Most entries that GitHub puts on one page of a list. */
export const PAGE_SIZE = 100;

/** A request without an answer counts as unanswered after so long. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Only what is read of an answer. One that does not fit (cut off, or a proxy's page) is an answer that cannot be trusted. */
type Shape<T> = z.ZodType<T>;
type Parameters = Readonly<Record<string, unknown>>;

/**
 * The one way in which GitHub is asked: by a route of its REST API or by a query, with the answer read by a schema. All throw
 * `GitHubCallFailed`; what was transferred to another repository is `gone`, wherever GitHub redirects to.
 */
export interface Ask {
  ask<T>(answer: Shape<T>, route: string, parameters?: Parameters): Promise<T>;
  /** Undefined where it is not there. */
  find<T>(answer: Shape<T>, route: string, parameters?: Parameters): Promise<T | undefined>;
  /** A list, page by page, each fetched when the one before was taken. */
  pages<T>(page: Shape<T[]>, route: string, parameters?: Parameters): AsyncGenerator<T[]>;
  /** The same for a list that GitHub pages by cursor, and says itself where the next page is. */
  pagesByCursor<T>(page: Shape<T[]>, route: string, parameters?: Parameters): AsyncGenerator<T[]>;
  /** All pages of a list. */
  askAll<T>(item: Shape<T>, route: string, parameters?: Parameters): Promise<T[]>;
  /** Where GitHub redirects this request to, which is not followed; undefined where it names no address. */
  addressOf(route: string, parameters?: Parameters): Promise<string | undefined>;
  /** By GraphQL, which has no owner and name of its own. */
  query<T>(answer: Shape<T>, query: string, variables: Parameters): Promise<T>;
}

export interface AskOptions {
  /** Ends every request that is under way; whether it was done is then not known. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number | undefined;
}

/** `repository`: what all routes are about; undefined for those of the App itself. `id`: by which a transferred one is told. */
export function createAsk(
  octokit: Pick<Octokit, "request" | "graphql">,
  repository: { readonly owner: string; readonly name: string; readonly id?: number | undefined } | undefined,
  { signal, timeoutMs = REQUEST_TIMEOUT_MS }: AskOptions = {},
): Ask {
  const here = repository && { owner: repository.owner, repo: repository.name };

  async function send<T>(request: (limits: object) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await request({ signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    } catch (error) {
      const failure = classifyFailure(error);
      throw failure ? new GitHubCallFailed(failure, error) : error;
    }
  }

  function request(route: string, parameters: Parameters = {}, how: object = {}) {
    return send(async (limits) => {
      const answered = await octokit.request(route, { ...here, ...parameters, request: { ...limits, ...how } });
      if (repository?.id !== undefined && isElsewhere(answered.url, repository.id)) {
        throw new GitHubCallFailed({ cause: "gone", message: `${route}: it was transferred to another repository` });
      }
      return answered;
    });
  }

  async function ask<T>(answer: Shape<T>, route: string, parameters?: Parameters): Promise<T> {
    return read(answer, route, (await request(route, parameters)).data);
  }

  async function find<T>(answer: Shape<T>, route: string, parameters?: Parameters): Promise<T | undefined> {
    try {
      return await ask(answer, route, parameters);
    } catch (error) {
      if (error instanceof GitHubCallFailed && error.failure.cause === "gone") return undefined;
      throw error;
    }
  }

  async function* pages<T>(page: Shape<T[]>, route: string, parameters: Parameters = {}): AsyncGenerator<T[]> {
    for (let number = 1; ; number += 1) {
      const items = await ask(page, route, { ...parameters, per_page: PAGE_SIZE, page: number });
      yield items;
      if (items.length < PAGE_SIZE) return;
    }
  }

  async function* pagesByCursor<T>(page: Shape<T[]>, route: string, parameters: Parameters = {}): AsyncGenerator<T[]> {
    for (let cursor: string | undefined; ; ) {
      const { data, headers } = await request(route, { ...parameters, per_page: PAGE_SIZE, ...defined({ cursor }) });
      yield read(page, route, data);
      cursor = nextCursor(headers.link);
      if (cursor === undefined) return;
    }
  }

  async function askAll<T>(item: Shape<T>, route: string, parameters?: Parameters): Promise<T[]> {
    const all: T[] = [];
    for await (const items of pages(z.array(item), route, parameters)) all.push(...items);
    return all;
  }

  return {
    ...{ ask, find, pages, pagesByCursor, askAll },
    addressOf: async (route, parameters) =>
      (await request(route, parameters, { redirect: "manual" })).headers.location || undefined,
    query: async (answer, text, variables) =>
      read(answer, "a query", await send((limits) => octokit.graphql(text, { ...variables, request: limits }))),
  };
}

function read<T>(answer: Shape<T>, what: string, data: unknown): T {
  const parsed = answer.safeParse(data);
  if (parsed.success) return parsed.data;
  const message = `GitHub answered ${what} with something else than expected: ${z.prettifyError(parsed.error)}`;
  throw new GitHubCallFailed({ cause: "unavailable", message });
}

/** Of a `Link` header, as in `<https://api.github.com/app/hook/deliveries?per_page=100&cursor=v1_1>; rel="next"`. */
function nextCursor(link: string | undefined): string | undefined {
  const next = /<([^<>]+)>;\s*rel="next"/.exec(link ?? "")?.[1];
  return (next && URL.parse(next)?.searchParams.get("cursor")) || undefined;
}

/** GitHub redirects to where something was transferred, by the id of the repository; a renamed repository keeps its id. */
function isElsewhere(url: string, repositoryId: number): boolean {
  const redirected = /\/repositories\/(\d+)(?:\/|$)/.exec(URL.parse(url)?.pathname ?? "")?.[1];
  return redirected !== undefined && Number(redirected) !== repositoryId;
}
