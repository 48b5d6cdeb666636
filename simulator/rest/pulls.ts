// https://docs.github.com/en/rest/pulls/pulls
import { closePull, editPull, reopenPull } from "../actions/change-pull.ts";
import { mergePull } from "../actions/merge-pull.ts";
import { openPull } from "../actions/open-pull.ts";
import { mergeInto } from "../actions/write-refs.ts";
import { inspectPull } from "../facts/inspect-pull.ts";
import { commitInfo } from "../git/commits.ts";
import { rawDiff } from "../git/diff-files.ts";
import { forbidden, Problem, unprocessable } from "../problem.ts";
import type { PullRequest } from "../records.ts";
import { commitShape, fileShape } from "../shapes/commit.ts";
import { fullPullShape, pullShape } from "../shapes/pull.ts";
import { pullsOf, type World } from "../world.ts";
import { actorOf, authorOf, bodyOf, type Call, createRoutes, pullOf, repositoryOf, requireRole } from "./call.ts";
import { pageOf } from "./pages.ts";

// The limits of https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files and of diffs as a media type
const MOST_FILES = 3000;
const MOST_COMMITS = 250;
const MOST_DIFF_FILES = 300;
const MOST_DIFF_LINES = 20_000;

interface NewPullRequest {
  readonly title: string;
  readonly head: string;
  readonly base: string;
  readonly body?: string;
  readonly draft?: boolean;
}

interface PullChange {
  readonly title?: string;
  readonly body?: string | null;
  readonly base?: string;
  readonly state?: "open" | "closed";
}

interface MergeBody {
  readonly commit_title?: string;
  readonly commit_message?: string;
  readonly sha?: string;
  readonly merge_method?: "merge" | "squash" | "rebase";
}

export function pullRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/pulls";

  routes.get(base, (call) => {
    const repository = repositoryOf(world, call, "pull_requests", "read");
    const { state = "open", head, base: wantedBase } = call.req.query();
    const wanted = pullsOf(repository)
      .filter((each) => state === "all" || each.state === state)
      .filter((each) => !head || isHead(each, head))
      .filter((each) => !wantedBase || each.pull.baseRef === wantedBase)
      .reverse();
    return call.json(pageOf(world, call, wanted).map((each) => pullShape(world, each)));
  });
  routes.post(base, async (call) => {
    const repository = repositoryOf(world, call, "pull_requests", "write");
    const { title, body = null, head, base: baseRef, draft = false } = bodyOf<NewPullRequest>(call);
    const opened = await openPull(world, repository, { title, body, head, base: baseRef, draft }, authorOf(call));
    return call.json(await fullPullShape(world, opened), 201);
  });
  routes.get(`${base}/:number{[0-9]+}`, async (call) => {
    const request = pullOf(world, call, "read");
    if (!/\.diff/.test(call.req.header("accept") ?? "")) return call.json(await shownPull(world, call, request));
    const diff = new Uint8Array(await diffOf(world, request));
    return call.body(diff, 200, { "content-type": "application/vnd.github.v3.diff; charset=utf-8" });
  });
  routes.patch(`${base}/:number{[0-9]+}`, async (call) => {
    const request = pullOf(world, call, "write");
    const by = actorOf(call);
    if (request.user !== by) requireRole(call, request.repository, "write");
    const { state, ...edit } = bodyOf<PullChange>(call);
    await editPull(world, request, edit, by);
    if (state === "closed") await closePull(world, request, by);
    if (state === "open") await reopenPull(world, request, by);
    return call.json(await fullPullShape(world, request));
  });
  routes.get(`${base}/:number/files`, async (call) => {
    const request = pullOf(world, call, "read");
    const { files } = await inspectPull(world, request);
    const page = pageOf(world, call, files.slice(0, MOST_FILES));
    return call.json(page.map((file) => fileShape(world, request.repository, file, request.pull.headSha)));
  });
  routes.get(`${base}/:number/commits`, async (call) => {
    const { repository, ...request } = pullOf(world, call, "read");
    const { commits } = await inspectPull(world, { repository, ...request });
    const shapes = pageOf(world, call, commits.slice(0, MOST_COMMITS)).map(async (sha) =>
      commitShape(world, repository, await commitInfo(repository.directory, sha)),
    );
    return call.json(await Promise.all(shapes));
  });
  routes.put(`${base}/:number/merge`, async (call) => {
    const request = pullOf(world, call, "read");
    repositoryOf(world, call, "contents", "write");
    const {
      commit_title: title,
      commit_message: message,
      sha,
      merge_method: method = "merge",
    } = bodyOf<MergeBody>(call);
    const merged = await mergePull(world, request, { title, message, sha, method }, actorOf(call));
    return call.json({ sha: merged, merged: true, message: "Pull Request successfully merged" });
  });
  routes.put(`${base}/:number/update-branch`, async (call) => {
    const request = pullOf(world, call, "write");
    await updateBranch(world, call, request);
    return call.json({ message: "Updating pull request branch.", url: pullShape(world, request).url }, 202);
  });
  return routes;
}

async function shownPull(world: World, call: Call, request: PullRequest) {
  const shape = await fullPullShape(world, request);
  const fault = world.faults.takeRequestFault(["mergeabilityUnknown"], call.get("facts"));
  return fault ? { ...shape, mergeable: null, rebaseable: null, mergeable_state: "unknown" } : shape;
}

function isHead({ pull, user }: PullRequest, wanted: string): boolean {
  const owner = pull.headRepository?.owner.login ?? user.login;
  return wanted.toLowerCase() === `${owner}:${pull.headRef}`.toLowerCase();
}

/** Beyond 300 files or 20,000 lines a diff is refused:
 * https://docs.github.com/en/repositories/creating-and-managing-repositories/repository-limits#diff-limits */
async function diffOf(world: World, request: PullRequest): Promise<Buffer> {
  const { files, mergeBase } = await inspectPull(world, request);
  const tooLarge = (limit: string) =>
    new Problem(406, `Sorry, the diff exceeded the maximum number of ${limit}.`, [
      { resource: "PullRequest", field: "diff", code: "too_large" },
    ]);
  if (files.length > MOST_DIFF_FILES) throw tooLarge(`files (${MOST_DIFF_FILES})`);
  const diff = await rawDiff(request.repository.directory, mergeBase, request.pull.headSha);
  if (diff.toString("latin1").split("\n").length > MOST_DIFF_LINES) throw tooLarge(`lines (${MOST_DIFF_LINES})`);
  return diff;
}

async function updateBranch(world: World, call: Call, { pull, repository }: PullRequest): Promise<void> {
  const { expected_head_sha: expected } = bodyOf<{ expected_head_sha?: string }>(call);
  if (expected !== undefined && expected !== pull.headSha)
    throw unprocessable("expected head sha didn't match current head ref.");
  // an App is not installed on a fork and so cannot push to it
  if (pull.headRepository !== repository) throw forbidden("Resource not accessible by integration");
  repositoryOf(world, call, "contents", "write");
  const message = `Merge branch '${pull.baseRef}' into ${pull.headRef}`;
  const merged = await mergeInto(world, repository, {
    branch: pull.headRef,
    sha: pull.baseSha,
    message,
    by: actorOf(call),
  });
  if (!merged) throw unprocessable("merge conflict between base and head");
}
