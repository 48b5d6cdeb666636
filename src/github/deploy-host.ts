import { z } from "zod";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { DeployHost, LandedPull, MergedPull, VersionRange } from "../pipeline/deploy/work/ports.ts";
import type { Redact } from "../safety/redact.ts";
import { redactBeginning } from "../safety/redact-beginning.ts";
import type { AppClient } from "./app-client.ts";
import { followStep, readStepRuns, type StepReads } from "./follow-step.ts";
import type { Identity } from "./identity.ts";
import { readLastDeployed } from "./last-deployed.ts";
import {
  CI_PERMISSIONS,
  CONTENTS_PERMISSIONS,
  DEPLOY_READ_PERMISSIONS,
  LOG_PERMISSIONS,
  READ_PERMISSIONS,
} from "./permissions.ts";
import { createReader, type Read } from "./reader.ts";
import { mayDeploy } from "./work-permissions.ts";

/** Commits of a range whose pull requests are looked up. */
const COMMITS = 60;
/** Characters of what a workflow says of itself. */
const DETAIL = 200;

const Commit = z.object({ sha: z.string() });
const Comparison = z.object({
  status: z.enum(["ahead", "behind", "identical", "diverged"]),
  total_commits: z.number().int(),
  commits: z.array(Commit),
  files: z.array(z.object({ filename: z.string() })).nullish(),
});
const PullsOfCommit = z.array(
  z.object({
    number: z.number().int(),
    title: z.string(),
    merged_at: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    base: z.object({ ref: z.string() }),
    head: z.object({ sha: z.string() }),
    merge_commit_sha: z.string().nullish(),
  }),
);

const IS = { ahead: "ahead", behind: "behind", identical: "same", diverged: "diverged" } as const;

/** Reads what lies between versions, and what became of a step of a deployment, through the REST API (DEP-2). */
export function createDeployHost(
  client: Pick<AppClient, "app" | "repository" | "token">,
  redact: Redact,
  identity: Pick<Identity, "login">,
): DeployHost {
  const as = (repository: RepositoryRef, permissions: Parameters<typeof createReader>[2], signal: AbortSignal) =>
    createReader(client, repository, permissions, signal);
  const asker = async (repository: RepositoryRef, signal: AbortSignal): Promise<StepReads> => ({
    repository,
    login: await identity.login(),
    deployments: as(repository, DEPLOY_READ_PERMISSIONS, signal),
    runs: as(repository, LOG_PERMISSIONS, signal),
    checks: as(repository, CI_PERMISSIONS, signal),
    clean,
  });
  const clean = (text: string | null | undefined) => {
    const words = redactBeginning(text ?? "", redact)
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, DETAIL);
    return words === "" ? undefined : words;
  };
  return {
    mayDeploy: (repository, way) => mayDeploy(client, repository, way),
    readRange: (repository, from, to, signal) => readRange(as(repository, READ_PERMISSIONS, signal), from, to),
    readLanded: (repository, shas, signal) => readLanded(as(repository, READ_PERMISSIONS, signal), shas),
    compare: async (repository, from, to, signal) => {
      const compared = await compare(as(repository, READ_PERMISSIONS, signal), from, to);
      return compared && { is: IS[compared.status], files: filesOf(compared) };
    },
    readCommit: async (repository, written, signal) => {
      const read = as(repository, CONTENTS_PERMISSIONS, signal);
      const commit = await read(Commit, "GET /repos/{owner}/{repo}/commits/{ref}", { ref: written });
      return commit?.sha.startsWith(written.toLowerCase()) ? commit.sha : undefined;
    },
    followStep: async (repository, step, begun, signal) => followStep(await asker(repository, signal), step, begun),
    readStepRuns: async (repository, step, begun, signal) => readStepRuns(await asker(repository, signal), step, begun),
    readLastDeployed: (repository, environment, by, signal) => {
      const deployments = as(repository, DEPLOY_READ_PERMISSIONS, signal);
      const runs = as(repository, LOG_PERMISSIONS, signal);
      return readLastDeployed({ deployments, runs }, repository.id, environment, by);
    },
  };
}

async function readRange(read: Read, from: string | undefined, to: string): Promise<VersionRange | undefined> {
  if (from === undefined) {
    const commit = await read(Commit, "GET /repos/{owner}/{repo}/commits/{ref}", { ref: to });
    return commit && { is: "ahead", ...(await pullsOf(read, [to])), more: 0, files: [] };
  }
  const compared = await compare(read, from, to);
  if (!compared) return undefined;
  const { status, total_commits: total, commits } = compared;
  const newest = commits
    .map(({ sha }) => sha)
    .toReversed()
    .slice(0, COMMITS);
  const found = await pullsOf(read, newest);
  return {
    is: IS[status],
    ...found,
    more: Math.max(0, total - newest.length),
    files: filesOf(compared),
  };
}

function compare(read: Read, from: string, to: string) {
  return read(Comparison, "GET /repos/{owner}/{repo}/compare/{basehead}", { basehead: `${from}...${to}` });
}

function filesOf({ files }: z.infer<typeof Comparison>): string[] {
  return (files ?? []).map(({ filename }) => filename);
}

/** One request for each commit, a few at a time. */
async function readLanded(read: Read, shas: readonly string[]): Promise<Map<string, LandedPull[]>> {
  const found = new Map<string, LandedPull[]>();
  for (let at = 0; at < shas.length; at += LANDED_AT_ONCE) {
    const some = shas.slice(at, at + LANDED_AT_ONCE);
    await Promise.all(some.map(async (sha) => found.set(sha, (await mergedPullsOf(read, sha)).map(toLanded))));
  }
  return found;
}

const LANDED_AT_ONCE = 5;

async function mergedPullsOf(read: Read, sha: string) {
  const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
  const pulls = (await read(PullsOfCommit, route, { commit_sha: sha, per_page: 100 })) ?? [];
  return pulls.filter(({ merged_at: at }) => at !== null && at !== undefined);
}

function toLanded(pull: z.infer<typeof PullsOfCommit>[number]): LandedPull {
  const { number, title, user, head, base, merge_commit_sha: as } = pull;
  return { number, title, author: user?.login ?? "ghost", head: head.sha, base: base.ref, mergedAs: as ?? undefined };
}

/** The merged pull requests that brought commits, newest first, and how many commits came by none. */
async function pullsOf(read: Read, shas: readonly string[]): Promise<Pick<VersionRange, "pulls" | "direct">> {
  const found = new Map<number, MergedPull>();
  let direct = 0;
  for (const sha of shas) {
    const merged = await mergedPullsOf(read, sha);
    if (merged.length === 0) direct += 1;
    for (const { number, title, user } of merged) found.set(number, { number, title, author: user?.login ?? "ghost" });
  }
  return { pulls: [...found.values()], direct };
}
