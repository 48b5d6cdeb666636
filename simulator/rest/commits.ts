// https://docs.github.com/en/rest/commits
import { inspectPull } from "../facts/inspect-pull.ts";
import { commitOf, commitsIn, mergeBaseOf } from "../git/bare-repository.ts";
import { commitInfo } from "../git/commits.ts";
import { diffFiles, rawDiff } from "../git/diff-files.ts";
import { gitLines } from "../git/run-git.ts";
import { notFound, Problem } from "../problem.ts";
import type { PullRequest, Repository } from "../records.ts";
import { repositoryApi, repositoryPage } from "../shapes/addresses.ts";
import { commitShape, fileShape } from "../shapes/commit.ts";
import { pullShape } from "../shapes/pull.ts";
import { pullsOf, type World } from "../world.ts";
import { type Call, createRoutes, parameter, repositoryOf } from "./call.ts";
import { pageOf } from "./pages.ts";

/** https://docs.github.com/en/rest/commits/commits#compare-two-commits */
const MOST_COMPARED_COMMITS = 250;
const MOST_COMPARED_FILES = 300;

export function commitRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo";
  const shapeOf = async (repository: Repository, sha: string) =>
    commitShape(world, repository, await commitInfo(repository.directory, sha));

  routes.get(`${base}/commits`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const start = await commitOf(repository.directory, call.req.query("sha") ?? repository.defaultBranch);
    if (!start) throw new Problem(409, "Git Repository is empty.");
    const path = call.req.query("path");
    const shas = await gitLines(repository.directory, "rev-list", start, "--", ...(path ? [path] : []));
    return call.json(await Promise.all(pageOf(world, call, shas).map((sha) => shapeOf(repository, sha))));
  });
  routes.get(`${base}/commits/:sha/pulls`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const sha = parameter(call, "sha");
    const brought = await Promise.all(pullsOf(repository).map((pull) => brings(world, pull, sha)));
    const pulls = pullsOf(repository).filter((_, index) => brought[index]);
    return call.json(pageOf(world, call, pulls).map((each) => pullShape(world, each)));
  });
  routes.get(`${base}/commits/:ref{.+}`, async (call, next) => {
    if (/\/(check-runs|check-suites|status)$/.test(call.req.path)) return next();
    const repository = repositoryOf(world, call, "contents", "read");
    const sha = await commitOf(repository.directory, parameter(call, "ref"));
    if (!sha) throw new Problem(422, `No commit found for SHA: ${parameter(call, "ref")}`);
    const commit = await commitInfo(repository.directory, sha);
    const [parent] = commit.parents;
    const files = parent ? await diffFiles(repository.directory, parent, sha) : [];
    const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + file[key], 0);
    const stats = {
      additions: sum("additions"),
      deletions: sum("deletions"),
      total: sum("additions") + sum("deletions"),
    };
    return call.json({
      ...commitShape(world, repository, commit),
      stats,
      files: files.map((file) => fileShape(world, repository, file, sha)),
    });
  });
  routes.get(`${base}/compare/:basehead{.+}`, (call) => compare(world, call));
  return routes;
}

async function compare(world: World, call: Call) {
  const repository = repositoryOf(world, call, "contents", "read");
  const { directory } = repository;
  const [base = "", head = ""] = decodeURIComponent(parameter(call, "basehead")).split("...");
  const [baseSha, headSha] = await Promise.all([commitOf(directory, base), commitOf(directory, head)]);
  const mergeBase = baseSha && headSha ? await mergeBaseOf(directory, baseSha, headSha) : null;
  if (!baseSha || !headSha || !mergeBase) throw notFound();
  if (/\.diff/.test(call.req.header("accept") ?? "")) {
    const diff = new Uint8Array(await rawDiff(directory, mergeBase, headSha));
    return call.body(diff, 200, { "content-type": "application/vnd.github.diff; charset=utf-8" });
  }
  const [ahead, behind, files] = await Promise.all([
    commitsIn(directory, `${mergeBase}..${headSha}`),
    commitsIn(directory, `${mergeBase}..${baseSha}`),
    diffFiles(directory, mergeBase, headSha),
  ]);
  const shapeOf = async (sha: string) => commitShape(world, repository, await commitInfo(directory, sha));
  const page = `${repositoryPage(world, repository)}/compare/${base}...${head}`;
  return call.json({
    url: `${repositoryApi(world, repository)}/compare/${base}...${head}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: await shapeOf(baseSha),
    merge_base_commit: await shapeOf(mergeBase),
    status: statusOf(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: await Promise.all(pageOf(world, call, ahead.slice(0, MOST_COMPARED_COMMITS)).map(shapeOf)),
    files: files.slice(0, MOST_COMPARED_FILES).map((file) => fileShape(world, repository, file, headSha)),
  });
}

function statusOf(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}

/** "Lists the merged pull request that introduced the commit to the repository", by its head, its merge, or a commit between. */
async function brings(world: World, request: PullRequest, sha: string): Promise<boolean> {
  const { headSha, mergeCommitSha, mergedAt, rebased = [] } = request.pull;
  if ([headSha, mergeCommitSha, ...rebased].includes(sha)) return true;
  return mergedAt !== null && (await inspectPull(world, request)).commits.includes(sha);
}
