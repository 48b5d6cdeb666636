import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import { ORGANISATION_REPOSITORY, type PullRequestHost } from "../pipeline/runs/ports.ts";
import { type AppClient, CONTENTS_PERMISSIONS, type Octokit, READ_PERMISSIONS } from "./app-client.ts";
import { createCommentReader } from "./commands/comment-reader.ts";
import { authorOf, ends, PullRequest, Sender } from "./handlers/payloads.ts";
import { createRemote } from "./remote.ts";
import { failureOf, rethrow } from "./unreadable.ts";

const PullRequestNow = PullRequest.extend({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  user: Sender.nullish(),
  labels: z.array(z.object({ name: z.string().nullish() })),
  base: PullRequest.shape.base.extend({ repo: z.object({ default_branch: z.string() }) }),
});

const File = z.object({ type: z.literal("file"), content: z.string(), encoding: z.string() });

const Tree = z.object({
  tree: z.array(z.object({ path: z.string(), mode: z.string(), type: z.string(), size: z.number().optional() })),
  truncated: z.boolean(),
});

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
        return {
          open: pull.state === "open",
          draft: pull.draft ?? false,
          title: pull.title,
          author: authorOf(pull.user),
          labels: pull.labels.flatMap(({ name }) => (name ? [name] : [])),
          ends: ends(pull),
          defaultBranch: pull.base.repo.default_branch,
          ...defined({ updatedAt: pull.updated_at || undefined }),
        };
      }),
    readFile: (repository, path, signal) =>
      orGone(() => contentOf(read(repository), { owner: repository.owner, repo: repository.name, path, signal })),
    readOrganisationFile: ({ owner }, path, signal) =>
      orGone(async () => {
        const place = { owner, repo: ORGANISATION_REPOSITORY };
        const app = await client.app();
        const { data } = await app.rest.apps.getRepoInstallation({ ...place, request: { signal } });
        const target = { installationId: data.id, name: place.repo };
        return contentOf(client.repository(target, CONTENTS_PERMISSIONS), { ...place, path, signal });
      }),
    readRole: createCommentReader(client).readRole,
    listFiles: (repository, signal) =>
      orGone(async () => {
        const params = { owner: repository.owner, repo: repository.name, tree_sha: "HEAD", recursive: "1" };
        const { data } = await read(repository).rest.git.getTree({ ...params, request: { signal } });
        const { tree, truncated } = Tree.parse(data);
        const files = tree.filter(({ type }) => type === "blob");
        return { files: files.map(({ path, mode, size }) => ({ path, mode, bytes: size ?? 0 })), truncated };
      }),
    remote: createRemote(github, (repository) => client.token(repository, READ_PERMISSIONS)),
  };
}

/** The text of a regular file on the default branch; undefined for anything else of that name. */
async function contentOf(
  octokit: Octokit,
  { signal, ...file }: { owner: string; repo: string; path: string; signal: AbortSignal },
): Promise<string | undefined> {
  const { data } = await octokit.rest.repos.getContent({ ...file, request: { signal } });
  const read = File.safeParse(data);
  return read.success ? Buffer.from(read.data.content, "base64").toString("utf8") : undefined;
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
