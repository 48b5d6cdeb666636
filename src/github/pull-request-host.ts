import { z } from "zod";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { PullRequestHost } from "../pipeline/ports.ts";
import { type AppClient, READ_PERMISSIONS } from "./app-client.ts";
import { classifyFailure } from "./classify-failure.ts";
import { GitHubCallFailed } from "./github-call-failed.ts";
import { ends, PullRequest, Sender } from "./handlers/payloads.ts";
import { unreadable } from "./unreadable.ts";

const PullRequestNow = PullRequest.extend({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  user: Sender.nullish(),
  labels: z.array(z.object({ name: z.string().nullish() })),
  base: PullRequest.shape.base.extend({ repo: z.object({ default_branch: z.string() }) }),
});

/** A deleted account is shown by GitHub as this user. */
const GHOST = { login: "ghost", id: 10_137, type: "User" };

/** Reads pull requests and files through the REST API, with a token that can do nothing else. */
export function createPullRequestHost(
  client: AppClient,
  github: { readonly origin: string; readonly allowHttp: boolean },
): PullRequestHost {
  const read = (repository: RepositoryRef) => client.repository(repository, READ_PERMISSIONS);
  return {
    readPullRequest: (subject, signal) =>
      orGone(async () => {
        const { repository, number } = subject;
        const octokit = read(repository);
        const params = { owner: repository.owner, repo: repository.name, pull_number: number, request: { signal } };
        const { data } = await octokit.rest.pulls.get(params);
        const pull = PullRequestNow.parse(data);
        const author = pull.user ?? GHOST;
        return {
          open: pull.state === "open",
          draft: pull.draft ?? false,
          title: pull.title,
          author: { login: author.login, id: author.id, kind: author.type === "Bot" ? "bot" : "user" },
          labels: pull.labels.flatMap(({ name }) => (name ? [name] : [])),
          ends: ends(pull),
          defaultBranch: pull.base.repo.default_branch,
        };
      }),
    readFile: (repository, path, signal) =>
      orGone(async () => {
        const octokit = read(repository);
        const params = { owner: repository.owner, repo: repository.name, path, request: { signal } };
        const { data } = await octokit.rest.repos.getContent(params);
        const file = z.object({ type: z.literal("file"), content: z.string(), encoding: z.string() }).safeParse(data);
        if (!file.success) return undefined;
        return Buffer.from(file.data.content, "base64").toString("utf8");
      }),
    remote: (repository) => ({
      url: `${github.origin}/${repository.owner}/${repository.name}.git`,
      allowHttp: github.allowHttp,
      token: () => client.token(repository, READ_PERMISSIONS).catch(rethrow),
    }),
  };
}

/** "Not there" is an answer; "no answer" is an error that the queue knows how to wait for. */
async function orGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (failureOf(error)?.cause === "gone") return undefined;
    return rethrow(error);
  }
}

function rethrow(error: unknown): never {
  const failure = failureOf(error);
  throw failure ? unreadable(failure, error) : error;
}

function failureOf(error: unknown) {
  return error instanceof GitHubCallFailed ? error.failure : classifyFailure(error);
}
