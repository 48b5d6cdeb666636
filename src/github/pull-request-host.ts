import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { numberOf, type RepositoryRef } from "../domain/subjects.ts";
import { ORGANISATION_REPOSITORY, type PullRequestHost, type VerdictOnGitHub } from "../pipeline/runs/ports.ts";
import type { AppClient } from "./app-client.ts";
import { createAsk, PAGE_SIZE } from "./ask.ts";
import { createCommentReader } from "./comment-reader.ts";
import { actor, authorOf, ends, PullRequest, Sender } from "./handlers/payloads.ts";
import { CONTENTS_PERMISSIONS, READ_PERMISSIONS } from "./permissions.ts";
import { createReader, createRemote, type Read, rethrow } from "./reader.ts";
import { createTeamReader } from "./team-reader.ts";

const PullRequestNow = PullRequest.extend({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  body: z.string().nullish(),
  user: Sender.nullish(),
  merge_commit_sha: z.string().nullish(),
  labels: z.array(z.object({ name: z.string().nullish() })),
  base: PullRequest.shape.base.extend({ repo: z.object({ default_branch: z.string() }) }),
});

/** The text of a regular file; undefined for anything else of that name. */
export const FileText = z.union([
  z
    .object({ type: z.literal("file"), content: z.string(), encoding: z.string() })
    .transform(({ content }) => Buffer.from(content, "base64").toString("utf8")),
  z.unknown().transform(() => undefined),
]);
export const FILE_TEXT = "GET /repos/{owner}/{repo}/contents/{path}";

const Tree = z.object({
  tree: z.array(z.object({ path: z.string(), mode: z.string(), type: z.string(), size: z.number().optional() })),
  truncated: z.boolean(),
});

/** Reads pull requests and files through the REST API, with a token that can do nothing else. */
export function createPullRequestHost(
  client: AppClient,
  github: { readonly origin: string; readonly allowHttp: boolean },
): PullRequestHost {
  const as = (repository: RepositoryRef, signal: AbortSignal) =>
    createReader(client, repository, READ_PERMISSIONS, signal);
  return {
    readPullRequest: async (subject, signal) => {
      const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
      const pull = await as(subject.repository, signal)(PullRequestNow, route, { pull_number: numberOf(subject) });
      return (
        pull && {
          open: pull.state === "open",
          draft: pull.draft ?? false,
          title: pull.title,
          ...(pull.body ? { description: pull.body } : {}),
          author: authorOf(pull.user),
          labels: pull.labels.flatMap(({ name }) => (name ? [name] : [])),
          ends: ends(pull),
          defaultBranch: pull.base.repo.default_branch,
          // Of an open one it is a commit that GitHub only tries.
          ...(pull.merged && pull.merge_commit_sha ? { mergedAs: pull.merge_commit_sha } : {}),
          ...(pull.updated_at ? { updatedAt: pull.updated_at } : {}),
        }
      );
    },
    readVerdicts: (subject, signal) => readVerdicts(as(subject.repository, signal), numberOf(subject)),
    readFile: (repository, path, signal, ref) =>
      as(repository, signal)(FileText, FILE_TEXT, { path, ...defined({ ref }) }),
    readOrganisationFile: async ({ owner }, path, signal) => {
      const place = { owner, name: ORGANISATION_REPOSITORY };
      const installation = await findInstallation(client, place, signal);
      if (!installation) return undefined;
      const target = { ...place, installationId: installation.id };
      return await createReader(client, target, CONTENTS_PERMISSIONS, signal)(FileText, FILE_TEXT, { path });
    },
    readRole: createCommentReader(client).readRole,
    ...createTeamReader(client),
    listFiles: async (repository, signal) => {
      const route = "GET /repos/{owner}/{repo}/git/trees/{tree_sha}";
      const found = await as(repository, signal)(Tree, route, { tree_sha: "HEAD", recursive: "1" });
      const files = found?.tree.filter(({ type }) => type === "blob");
      return (
        files && {
          files: files.map(({ path, mode, size }) => ({ path, mode, bytes: size ?? 0 })),
          truncated: found?.truncated ?? false,
        }
      );
    },
    remote: createRemote(github, (repository) => client.token(repository, READ_PERMISSIONS)),
  };
}

const Verdict = z.object({ user: Sender.nullish(), state: z.string(), commit_id: z.string().nullish() });
const VERDICTS: Readonly<Record<string, VerdictOnGitHub["is"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes_requested",
  DISMISSED: "dismissed",
};
/** Reviews that are looked through: 1,000. */
const MOST_PAGES = 10;

/** Comments alone are no verdict, and leave the one before as it is. */
async function readVerdicts(read: Read, number: number): Promise<VerdictOnGitHub[]> {
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews";
  const found: VerdictOnGitHub[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const reviews = await read(z.array(Verdict), route, { pull_number: number, per_page: PAGE_SIZE, page });
    for (const { user, state, commit_id: headSha } of reviews ?? []) {
      const is = VERDICTS[state];
      if (user && headSha && is !== undefined) found.push({ by: actor(user), is, headSha });
    }
    if ((reviews?.length ?? 0) < PAGE_SIZE) break;
  }
  return found;
}

/** Of the App itself: a repository that it was not given has none. */
async function findInstallation(
  client: AppClient,
  place: { readonly owner: string; readonly name: string },
  signal: AbortSignal,
): Promise<{ readonly id: number } | undefined> {
  try {
    const { find } = createAsk(await client.app(), place, { signal });
    return await find(z.object({ id: z.number() }), "GET /repos/{owner}/{repo}/installation");
  } catch (error) {
    return rethrow(error);
  }
}
