import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub } from "./a-github.ts";
import { type Clone, makeClone } from "./clone.ts";

let github: GitHub;
let folder: string;
let git: Clone["git"];
let remove: Clone["remove"];

beforeEach(async () => {
  github = await aGitHub();
  ({ folder, git, remove } = await makeClone(github.simulator.origin));
});
afterEach(async () => {
  await github.stop();
  await remove();
  expect(github.simulator.referee.findings).toEqual([]);
});

describe("git over HTTP", () => {
  it("turns a push into push, check_suite and synchronize events, and REST sees the same SHA", async () => {
    const { number } = await github.aPullRequest();
    const ben = github.simulator.createUserToken("ben");
    await git(ben, "clone", "-q", "-b", "feature", github.simulator.cloneUrl("acme/shop"), ".");
    await writeFile(join(folder, "more.txt"), "more\n");
    await git(ben, "add", ".");
    await git(ben, "commit", "-q", "-m", "More");
    await github.simulator.idle();
    github.received.length = 0;
    await git(ben, "push", "-q", "origin", "feature");
    await github.simulator.idle();
    const sha = await git(ben, "rev-parse", "HEAD");
    expect(github.events()).toEqual(["push", "check_suite.requested", "pull_request.synchronize"]);
    expect(github.received.at(-1)?.payload).toMatchObject({ after: sha, pull_request: { head: { sha } } });
    const token = await github.installationToken();
    const seen = await github.call("GET", `/repos/acme/shop/pulls/${number}`, token);
    expect(as(seen)).toMatchObject({ head: { sha }, mergeable: true, changed_files: 2 });
  });

  it("serves partial clones, single commits by SHA and refs/pull/N/head to an installation", async () => {
    const { headSha } = await github.aPullRequest();
    const token = await github.installationToken();
    const url = github.simulator.cloneUrl("acme/shop");
    await git(token, "init", "-q", ".");
    await git(token, "fetch", "-q", "--depth=1", "--filter=blob:none", url, headSha);
    expect(await git(token, "rev-parse", "FETCH_HEAD")).toBe(headSha);
    await git(token, "fetch", "-q", url, "refs/pull/1/head");
    expect(await git(token, "rev-parse", "FETCH_HEAD")).toBe(headSha);
  });

  it("refuses who may not read, and who may not write", async () => {
    const url = github.simulator.cloneUrl("acme/shop");
    await expect(git(github.simulator.createUserToken("eve"), "ls-remote", url)).rejects.toThrow("not found");
    await expect(git("nonsense", "ls-remote", url)).rejects.toThrow(/Authentication|could not read Username/);
    const narrow = await github.installationToken({ permissions: { contents: "read", metadata: "read" } });
    await git(narrow, "clone", "-q", url, ".");
    await expect(git(narrow, "push", "-q", "origin", "main:other")).rejects.toThrow("403");
  });

  it("refuses workflow files from an App without that permission", async () => {
    const token = await github.installationToken();
    await git(token, "clone", "-q", github.simulator.cloneUrl("acme/shop"), ".");
    await mkdir(join(folder, ".github/workflows"), { recursive: true });
    await writeFile(join(folder, ".github/workflows/ci.yml"), "on: push\n");
    await git(token, "add", ".");
    await git(token, "commit", "-q", "-m", "CI");
    await expect(git(token, "push", "-q", "origin", "main:ci")).rejects.toThrow("without `workflows` permission");
    await git(github.simulator.createUserToken("ben"), "push", "-q", "origin", "main:ci");
    // what somebody else has pushed is not of the App's making
    await git(token, "commit", "-q", "--allow-empty", "-m", "Nothing");
    await git(token, "push", "-q", "origin", "HEAD:on-top");
  });
});

describe("a fork", () => {
  it("brings its head into refs/pull/N/head, without pull requests on its check runs", async () => {
    await github.simulator.fork("acme/shop", "eve");
    const files = { "src/list.txt": "all new\n" };
    await github.simulator.commit("eve/shop", "idea", { files, message: "Idea", author: "eve" });
    const opened = await github.simulator.openPullRequest("acme/shop", { title: "Idea", head: "eve:idea", by: "eve" });
    const sha = await github.simulator.commit("eve/shop", "idea", {
      files: { more: "x" },
      message: "More",
      author: "eve",
    });
    await github.simulator.idle();
    expect(github.events()).toEqual(["pull_request.opened", "pull_request.synchronize"]);
    const { payload } = github.received[1] ?? {};
    expect(payload).toMatchObject({
      before: opened.headSha,
      after: sha,
      pull_request: { head: { repo: { fork: true } } },
    });
    const token = await github.installationToken();
    const url = github.simulator.cloneUrl("acme/shop");
    expect(await git(token, "ls-remote", url, "refs/pull/*/head")).toContain(sha);
    const run = await github.call("POST", "/repos/acme/shop/check-runs", token, {
      name: "forge/review",
      head_sha: sha,
    });
    expect(as(run)).toMatchObject({ pull_requests: [] });
  });

  it("cannot be pushed to by the App, and leaves its pull request without a head repository when deleted", async () => {
    await github.simulator.fork("acme/shop", "eve");
    await github.simulator.commit("eve/shop", "idea", { files: { idea: "x" }, message: "Idea", author: "eve" });
    await github.simulator.openPullRequest("acme/shop", { title: "Idea", head: "eve:idea", by: "eve" });
    const token = await github.installationToken();
    await git(token, "clone", "-q", github.simulator.cloneUrl("acme/shop"), ".");
    await expect(git(token, "push", "-q", github.simulator.cloneUrl("eve/shop"), "main:x")).rejects.toThrow(
      "not found",
    );
    github.simulator.deleteRepository("eve/shop");
    expect(as(await github.call("GET", "/repos/acme/shop/pulls/1", token))).toMatchObject({ head: { repo: null } });
  });
});

describe("an empty repository", () => {
  it("has no default branch, and answers so", async () => {
    await github.simulator.createRepository("acme", "empty");
    github.simulator.addRepositories(github.installation, ["empty"]);
    const token = await github.installationToken();
    expect(await github.call("GET", "/repos/acme/empty/contents/", token)).toMatchObject({
      status: 404,
      body: { message: "This repository is empty." },
    });
    expect((await github.call("GET", "/repos/acme/empty/commits", token)).status).toBe(409);
    expect((await github.call("GET", "/repos/acme/empty/branches/main", token)).status).toBe(404);
  });
});

describe("the merge queue", () => {
  it("merges the heads onto the base on a branch of its own and asks for checks", async () => {
    const { number, headSha } = await github.aPullRequest();
    await github.simulator.commit("acme/shop", "second", {
      files: { second: "2\n" },
      message: "Second",
      author: "ben",
    });
    const second = await github.simulator.openPullRequest("acme/shop", { title: "Second", head: "second", by: "ben" });
    const group = await github.simulator.createMergeGroup("acme/shop", [number, second.number]);
    await github.simulator.idle();
    const asked = github.received.findLast(({ event }) => event === "merge_group");
    expect(asked?.payload).toMatchObject({
      action: "checks_requested",
      merge_group: {
        head_sha: group.headSha,
        head_ref: expect.stringContaining("refs/heads/gh-readonly-queue/main/pr-"),
      },
    });
    const token = await github.installationToken();
    await git(token, "init", "-q", ".");
    await git(token, "fetch", "-q", github.simulator.cloneUrl("acme/shop"), group.headSha);
    const reached = await git(token, "rev-list", "FETCH_HEAD");
    for (const sha of [headSha, second.headSha, group.baseSha]) expect(reached).toContain(sha);
    await github.simulator.destroyMergeGroup("acme/shop", group, "merged");
    await github.simulator.idle();
    expect(github.events().at(-1)).toBe("merge_group.destroyed");
  });
});
