import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub } from "./a-github.ts";
import { type Clone, makeClone } from "./clone.ts";

let github: GitHub;
let clone: Clone;
let token: string;
const SHOP = "acme/shop";
const PULLS = "/repos/acme/shop/pulls";
const BRANCH = "forge/1-help";

beforeEach(async () => {
  github = await aGitHub();
  token = await github.installationToken();
  clone = await makeClone(github.simulator.origin);
});
afterEach(async () => {
  await github.stop();
  await clone.remove();
  expect(github.simulator.referee.findings).toEqual([]);
});

/** One commit of the App on its branch, pushed. */
async function pushed(name = "a.txt", branch = BRANCH): Promise<string> {
  const url = github.simulator.cloneUrl(SHOP);
  if (name === "a.txt") await clone.git(token, "clone", "-q", url, ".");
  await writeFile(join(clone.folder, name), "new\n");
  await clone.git(token, "add", ".");
  await clone.git(token, "commit", "-q", "-m", `feat: add ${name}`);
  await clone.git(token, "push", "-q", "origin", `HEAD:refs/heads/${branch}`);
  return clone.git(token, "rev-parse", "HEAD");
}
const open = (more: object = {}, by = token) =>
  github.call("POST", PULLS, by, {
    title: "Help",
    body: "Closes #1",
    head: BRANCH,
    base: "main",
    draft: true,
    ...more,
  });
const pullEvents = async () => {
  await github.simulator.idle();
  return github.events().filter((event) => event.startsWith("pull_request."));
};
const view = (number = 1) => github.simulator.pullRequest(SHOP, number);

describe("a pull request of the App", () => {
  it("is opened as a draft on the branch that the App pushed", async () => {
    const sha = await pushed();
    expect(await open()).toMatchObject({ status: 201, body: { draft: true, number: 1, mergeable_state: "draft" } });
    expect(view()).toMatchObject({ by: "forge[bot]", draft: true, headRef: BRANCH, headSha: sha });
    expect(await pullEvents()).toEqual(["pull_request.opened"]);
    expect(github.received.at(-1)?.payload).toMatchObject({ sender: { login: "forge[bot]", type: "Bot" } });
  });

  it("is not opened twice, nor without commits, nor without its permission", async () => {
    await pushed();
    const narrow = await github.installationToken({ permissions: { pull_requests: "read", contents: "write" } });
    expect((await open({}, narrow)).status).toBe(403);
    expect((await open()).status).toBe(201);
    expect(await open()).toMatchObject({
      status: 422,
      body: { errors: [{ message: `A pull request already exists for acme:${BRANCH}.` }] },
    });
    const main = await clone.git(token, "rev-parse", "origin/main");
    const ref = { ref: "refs/heads/nothing", sha: main };
    await github.call("POST", "/repos/acme/shop/git/refs", token, ref);
    expect(await open({ head: "nothing" })).toMatchObject({
      status: 422,
      body: { errors: [{ message: "No commits between main and nothing" }] },
    });
    expect((await open({ head: "missing" })).status).toBe(422);
  });

  it("is found by its head before another is made, in any state", async () => {
    await pushed();
    const found = async (state: string) =>
      as<{ number: number }[]>(await github.call("GET", `${PULLS}?head=acme:${BRANCH}&state=${state}`, token));
    expect(await found("all")).toEqual([]);
    await open();
    expect(await found("open")).toMatchObject([{ number: 1 }]);
    await github.simulator.closePullRequest(SHOP, 1, "ana");
    expect(await found("open")).toEqual([]);
    expect(await found("all")).toMatchObject([{ number: 1, state: "closed", merged_at: null }]);
  });

  it("is there although the answer was lost, and so is a push", async () => {
    await pushed();
    github.simulator.faults.add({ match: { operation: "pulls/create" }, kind: "lostResponse", times: 1 });
    await expect(open()).rejects.toThrow();
    expect(view().title).toBe("Help");
    github.simulator.faults.add({ match: { operation: "git:push", method: "POST" }, kind: "lostResponse", times: 1 });
    await expect(pushed("b.txt")).rejects.toThrow();
    await github.simulator.idle();
    expect(view().headSha).toBe(await clone.git(token, "rev-parse", "HEAD"));
  });

  it("is edited, closed and opened again", async () => {
    await pushed();
    await open();
    const change = (body: object) => github.call("PATCH", `${PULLS}/1`, token, body);
    expect(as(await change({ title: "Help more", body: "" }))).toMatchObject({ title: "Help more", body: "" });
    expect(as(await change({ state: "closed" }))).toMatchObject({ state: "closed", merged: false });
    expect(as(await change({ state: "open" }))).toMatchObject({ state: "open" });
    expect((await pullEvents()).slice(1)).toEqual([
      "pull_request.edited",
      "pull_request.closed",
      "pull_request.reopened",
    ]);
  });
});

describe("a draft", () => {
  const ask = (field: string, by: string, id: string) =>
    github.graphql(by, `mutation($id: ID!) { ${field}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`, {
      id,
    });

  it("becomes ready and a draft again by a token that may write contents too", async () => {
    await pushed();
    const { node_id: id } = as<{ node_id: string }>(await open());
    const permissions = { pull_requests: "write", contents: "read" };
    const narrow = await github.installationToken({ permissions });
    const refused = await ask("markPullRequestReadyForReview", narrow, id);
    expect(as(refused)).toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
    await ask("markPullRequestReadyForReview", token, id);
    expect(view().draft).toBe(false);
    await ask("convertPullRequestToDraft", token, id);
    expect(view().draft).toBe(true);
    expect((await pullEvents()).slice(1)).toEqual(["pull_request.ready_for_review", "pull_request.converted_to_draft"]);
  });
});

describe("mergeability", () => {
  it("is unknown at first where that is planned, then worked out", async () => {
    await pushed();
    await open({ draft: false });
    github.simulator.faults.add({ kind: "mergeabilityUnknown", times: 1 });
    const read = async () => as(await github.call("GET", `${PULLS}/1`, token));
    expect(await read()).toMatchObject({ mergeable: null, mergeable_state: "unknown" });
    expect(await read()).toMatchObject({ mergeable: true, mergeable_state: "clean" });
  });

  it("is unstable while a check that nobody requires does not pass, and blocked when it is required", async () => {
    const head_sha = await pushed();
    await open({ draft: false });
    await github.call("POST", "/repos/acme/shop/check-runs", token, { name: "slow", head_sha });
    const state = async () =>
      as<{ mergeable_state: string }>(await github.call("GET", `${PULLS}/1`, token)).mergeable_state;
    expect(await state()).toBe("unstable");
    github.simulator.protectBranch(SHOP, "main", { requiredChecks: ["slow"] });
    expect(await state()).toBe("blocked");
  });
});

describe("people on a pull request of the App", () => {
  it("push to its branch and move its base", async () => {
    await pushed();
    await open();
    const sha = await github.simulator.commit(SHOP, BRANCH, { files: { b: "b" }, message: "Mine", author: "ana" });
    await github.simulator.commit(SHOP, "main", { files: { c: "c" }, message: "Other", author: "ben" });
    expect((await pullEvents()).slice(1)).toEqual(["pull_request.synchronize"]);
    const { payload } = github.received.findLast(({ event }) => event === "pull_request") ?? {};
    expect(payload).toMatchObject({ after: sha, sender: { login: "ana" } });
    await expect(pushed("late.txt")).rejects.toThrow("rejected");
  });

  it("squash it, and its branch goes away", async () => {
    await github.stop();
    github = await aGitHub({ events: ["pull_request", "delete", "create"] });
    token = await github.installationToken();
    await github.simulator.commit(SHOP, BRANCH, { files: { a: "a" }, message: "A", author: "ben" });
    await open({ draft: false });
    const ana = github.simulator.createUserToken("ana");
    const merge = { merge_method: "squash", commit_title: "Help (#1)" };
    const merged = as<{ sha: string }>(await github.call("PUT", `${PULLS}/1/merge`, ana, merge));
    const info = await github.call("GET", `/repos/acme/shop/git/commits/${merged.sha}`, token);
    expect(as<{ parents: unknown[] }>(info).parents).toHaveLength(1);
    expect((await github.call("DELETE", `/repos/acme/shop/git/refs/heads/${BRANCH}`, ana)).status).toBe(204);
    await github.simulator.idle();
    const events = github.events().filter((event) => !event.startsWith("check_"));
    expect(events).toEqual(["create", "pull_request.opened", "pull_request.closed", "delete"]);
    expect(github.received.find(({ payload }) => payload.action === "closed")?.payload).toMatchObject({
      pull_request: { merged: true, merged_by: { login: "ana" }, merge_commit_sha: merged.sha },
    });
    expect(github.received.at(-1)?.payload).toMatchObject({
      ref: BRANCH,
      ref_type: "branch",
      sender: { login: "ana" },
    });
  });

  it("close it by deleting its branch", async () => {
    await pushed();
    await open();
    await github.simulator.deleteBranch(SHOP, BRANCH, "ana");
    expect((await pullEvents()).at(-1)).toBe("pull_request.closed");
    expect(view()).toMatchObject({ state: "closed", merged: false });
  });

  it("merge it by pushing its head to the base", async () => {
    github.simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    const sha = await pushed();
    await open({ draft: false });
    await github.simulator.moveBranch(SHOP, "main", sha, "ana");
    expect(view(2)).toMatchObject({ state: "closed", merged: true });
    expect(github.simulator.issue(SHOP, 1).state).toBe("closed");
  });
});

describe("a protected branch", () => {
  it("takes no push from the App, with git or through the API", async () => {
    github.simulator.protectBranch(SHOP, "main", { requiresPull: true });
    const words = "Changes must be made through a pull request.";
    await expect(pushed("a.txt", "main")).rejects.toThrow(words);
    await expect(clone.git(token, "push", "-q", "origin", ":main")).rejects.toThrow("Cannot delete this branch");
    await clone.git(token, "push", "-q", "origin", `HEAD:${BRANCH}`);
    const sha = await clone.git(token, "rev-parse", "HEAD");
    const ref = "/repos/acme/shop/git/refs/heads/main";
    expect(await github.call("PATCH", ref, token, { sha })).toMatchObject({ status: 422, body: { message: words } });
    expect((await github.call("DELETE", ref, token)).status).toBe(422);
    const file = { message: "x", content: "eA==" };
    const put = await github.call("PUT", "/repos/acme/shop/contents/x", token, file);
    expect(put).toMatchObject({ status: 409, body: { message: expect.stringContaining(words) } });
    expect(await clone.git(token, "ls-remote", "origin", "refs/heads/main")).not.toContain(sha);
  });

  it("takes a commit on which the required checks have passed, and no rewriting", async () => {
    github.simulator.protectBranch(SHOP, "main", { requiredChecks: ["ci"] });
    await expect(pushed("a.txt", "main")).rejects.toThrow('Required status check "ci" is expected.');
    await clone.git(token, "push", "-q", "origin", `HEAD:${BRANCH}`);
    const head_sha = await clone.git(token, "rev-parse", "HEAD");
    await github.call("POST", "/repos/acme/shop/check-runs", token, { name: "ci", head_sha, conclusion: "success" });
    await clone.git(token, "push", "-q", "origin", "HEAD:main");
    await expect(clone.git(token, "push", "-q", "-f", "origin", "HEAD~1:main")).rejects.toThrow("Cannot force-push");
  });
});

describe("a pull request that is taken back", () => {
  const REVERT = `mutation ($id: ID!) { revertPullRequest(input: { pullRequestId: $id, title: "Back", body: "Because" }) {
    revertPullRequest { number headRefName } } }`;
  const revert = async (number: number) => {
    const { node_id: id } = as<{ node_id: string }>(await github.call("GET", `${PULLS}/${number}`, token));
    return github.graphql(token, REVERT, { id });
  };
  const file = async (ref: string, path: string) =>
    (await github.call("GET", `/repos/acme/shop/contents/${path}?ref=${ref}`, token)).status;

  it("takes back what it brought and nothing since, in a pull request of its own", async () => {
    const { simulator } = github;
    await simulator.commit(SHOP, "feature", { files: { "a.txt": "a\n" }, message: "Add a", author: "ben" });
    await simulator.openPullRequest(SHOP, { title: "Add a", head: "feature", by: "ben" });
    expect(as<{ errors: object[] }>(await revert(1)).errors).toHaveLength(1);
    await simulator.mergePullRequest(SHOP, 1, "ana");
    await simulator.commit(SHOP, "main", { files: { "b.txt": "b\n" }, message: "Add b", author: "ana" });
    expect(as(await revert(1))).toEqual({
      data: { revertPullRequest: { revertPullRequest: { number: 2, headRefName: "revert-1-feature" } } },
    });
    expect(view(2)).toMatchObject({ title: "Back", body: "Because", by: "forge[bot]", baseRef: "main" });
    expect([await file("revert-1-feature", "a.txt"), await file("revert-1-feature", "b.txt")]).toEqual([404, 200]);
  });

  it("conflicts where what it changed was changed again", async () => {
    const { simulator } = github;
    await simulator.commit(SHOP, "feature", { files: { "a.txt": "a\n" }, message: "Add a", author: "ben" });
    await simulator.openPullRequest(SHOP, { title: "Add a", head: "feature", by: "ben" });
    await simulator.mergePullRequest(SHOP, 1, "ana");
    await simulator.commit(SHOP, "main", { files: { "a.txt": "other\n" }, message: "Change a", author: "ana" });
    expect(as<{ errors: object[] }>(await revert(1)).errors).toMatchObject([{ type: "UNPROCESSABLE" }]);
  });
});
