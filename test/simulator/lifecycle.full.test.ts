import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
let token: string;
beforeEach(async () => {
  github = await aGitHub();
  token = await github.installationToken();
});
afterEach(() => stopWithoutFindings(github));

describe("a pull request", () => {
  it("tells of everything that happens to it", async () => {
    const { simulator } = github;
    await simulator.commit("acme/shop", "stable", { files: {}, message: "Stable" });
    const files = { "a.txt": "a\n" };
    await simulator.commit("acme/shop", "feature", { files, message: "A", author: "ben" });
    const { number } = await simulator.openPullRequest("acme/shop", {
      title: "A",
      head: "feature",
      by: "ben",
      draft: true,
    });
    await simulator.markReadyForReview("acme/shop", number, "ben");
    await simulator.editBase("acme/shop", number, "ben", "stable");
    await simulator.addLabel("acme/shop", number, "urgent", "ana");
    await simulator.removeLabel("acme/shop", number, "urgent", "ana");
    await simulator.closePullRequest("acme/shop", number, "ben");
    await simulator.reopenPullRequest("acme/shop", number, "ben");
    await simulator.mergePullRequest("acme/shop", number, "ana");
    await simulator.idle();
    expect(github.events().filter((event) => event.startsWith("pull_request."))).toEqual([
      "pull_request.opened",
      "pull_request.ready_for_review",
      "pull_request.edited",
      "pull_request.labeled",
      "pull_request.unlabeled",
      "pull_request.closed",
      "pull_request.reopened",
      "pull_request.closed",
    ]);
    const edited = github.received.find(({ payload }) => payload.action === "edited");
    expect(edited?.payload.changes).toMatchObject({ base: { ref: { from: "main" } } });
  });

  it("shows its diff, its files and whether it conflicts", async () => {
    const { number } = await github.aPullRequest();
    const path = `/repos/acme/shop/pulls/${number}`;
    const diff = await github.call("GET", path, token, undefined, "application/vnd.github.diff");
    expect(diff.body).toContain("+line three");
    const files = as<unknown[]>(await github.call("GET", `${path}/files`, token));
    expect(files).toMatchObject([{ filename: "src/list.txt", status: "modified", additions: 2, deletions: 1 }]);
    const conflicting = { "src/list.txt": "all different\n" };
    await github.simulator.commit("acme/shop", "main", { files: conflicting, message: "Conflict", author: "ana" });
    expect(as(await github.call("GET", path, token))).toMatchObject({ mergeable: false, mergeable_state: "dirty" });
  });

  it("keeps the names of files as they are", async () => {
    const files = { 'sp ace/ü"q".txt': "x\n", run: { mode: "100755", content: "#!/bin/sh\n" } };
    const link = { mode: "120000", content: "run" };
    await github.simulator.commit("acme/shop", "odd", { files: { ...files, link }, message: "Odd", author: "ben" });
    await github.simulator.openPullRequest("acme/shop", { title: "Odd", head: "odd", by: "ben" });
    const listed = as<{ filename: string }[]>(await github.call("GET", "/repos/acme/shop/pulls/1/files", token));
    expect(listed.map(({ filename }) => filename)).toEqual(["link", "run", 'sp ace/ü"q".txt']);
  });

  it("follows a forced push and an update from its base", async () => {
    const { headSha } = await github.aPullRequest();
    await github.simulator.commit("acme/shop", "main", { files: { other: "x" }, message: "Other", author: "ana" });
    const updated = await github.simulator.updateBranch("acme/shop", 1, "ben");
    const options = { files: { redo: "x" }, message: "Redo", author: "ben", from: "main", force: true };
    const forced = await github.simulator.commit("acme/shop", "feature", options);
    expect(github.simulator.pullRequest("acme/shop", 1).heads).toEqual([headSha, updated, forced]);
    await github.simulator.idle();
    const push = github.received.findLast(({ event }) => event === "push");
    expect(push?.payload).toMatchObject({ forced: true, before: updated, after: forced });
  });
});

describe("a repository", () => {
  it("is gone for its installation after it was deleted", async () => {
    github.simulator.deleteRepository("acme/shop");
    expect((await github.call("GET", "/repos/acme/shop", token)).status).toBe(404);
    await github.simulator.idle();
    expect(github.events()).toEqual(["repository.deleted", "installation_repositories.removed"]);
  });

  it("is found under its old name after a transfer by those who may see it", async () => {
    github.simulator.transferRepository("acme/shop", "ana");
    expect((await github.call("GET", "/repos/acme/shop", token)).status).toBe(404);
    const moved = await github.call("GET", "/repos/acme/shop", github.simulator.createUserToken("ben"));
    expect(as(moved)).toMatchObject({ full_name: "ana/shop" });
  });
});

describe("a commit made through the API", () => {
  const post = async (path: string, body: unknown) => github.call("POST", `/repos/acme/shop/git/${path}`, token, body);

  it("is built from blobs and trees and moves a branch as a push does", async () => {
    const blob = as<{ sha: string }>(await post("blobs", { content: "aGk=", encoding: "base64" }));
    const main = as<{ object: { sha: string } }>(
      await github.call("GET", "/repos/acme/shop/git/ref/heads/main", token),
    );
    const files = [
      { path: "hi.txt", mode: "100644", type: "blob", sha: blob.sha },
      { path: "README.md", mode: "100644", type: "blob", sha: null },
    ];
    const parent = main.object.sha;
    const tree = as<{ sha: string; tree: { path: string }[] }>(await post("trees", { base_tree: parent, tree: files }));
    expect(tree.tree.map(({ path }) => path)).toEqual(["hi.txt", "src"]);
    const message = "Say hi\n\nTwice.";
    const commit = as<{ sha: string }>(await post("commits", { message, tree: tree.sha, parents: [parent] }));
    expect((await post("refs", { ref: "refs/heads/hi", sha: commit.sha })).status).toBe(201);
    expect((await post("refs", { ref: "refs/heads/hi", sha: commit.sha })).status).toBe(422);
    await github.simulator.idle();
    expect(github.received[0]?.payload).toMatchObject({
      ref: "refs/heads/hi",
      created: true,
      head_commit: { message },
    });
  });

  it("needs objects that exist", async () => {
    const nothing = "0123456789".repeat(4);
    expect((await post("commits", { message: "x", tree: nothing })).status).toBe(422);
    expect((await post("trees", { tree: [{ path: "x", mode: "100644", type: "blob", sha: nothing }] })).status).toBe(
      422,
    );
    expect((await post("refs", { ref: "refs/heads/x", sha: nothing })).status).toBe(422);
  });

  it("does not move a branch backwards unless forced", async () => {
    await github.aPullRequest();
    const main = as<{ object: { sha: string } }>(
      await github.call("GET", "/repos/acme/shop/git/ref/heads/main", token),
    );
    const move = (force: boolean) =>
      github.call("PATCH", "/repos/acme/shop/git/refs/heads/feature", token, { sha: main.object.sha, force });
    expect((await move(false)).status).toBe(422);
    expect((await move(true)).status).toBe(200);
  });
});

describe("a conversation", () => {
  it("takes comments, reactions and labels of people and Apps", async () => {
    const { number } = github.simulator.openIssue("acme/shop", { title: "Help", by: "eve" });
    const path = `/repos/acme/shop/issues/${number}`;
    const { id } = as<{ id: number }>(await github.call("POST", `${path}/comments`, token, { body: "hello" }));
    const react = () =>
      github.call("POST", `/repos/acme/shop/issues/comments/${id}/reactions`, token, { content: "eyes" });
    expect([(await react()).status, (await react()).status]).toEqual([201, 200]);
    await github.call("POST", `${path}/labels`, token, { labels: ["triaged"] });
    github.simulator.react("acme/shop", { comment: id }, "+1", "ana");
    await github.simulator.idle();
    const view = github.simulator.issue("acme/shop", number);
    expect(view.labels).toEqual(["triaged"]);
    expect(view.comments).toMatchObject([
      { by: "forge[bot]", reactions: [{ content: "eyes" }, { content: "+1", by: "ana" }] },
    ]);
    // no webhook tells of a reaction
    expect(github.events()).toEqual(["issues.opened", "issue_comment.created", "issues.labeled"]);
  });

  it("is labelled only by people with triage or more", async () => {
    await github.simulator.createRepository("acme", "open", { private: false, files: { a: "a" } });
    github.simulator.openIssue("acme/open", { title: "Help", by: "eve" });
    const eve = github.simulator.createUserToken("eve");
    const label = () => github.call("POST", "/repos/acme/open/issues/1/labels", eve, { labels: ["forge:implement"] });
    expect((await label()).status).toBe(403);
    github.simulator.setRole("acme/open", "eve", "triage");
    expect((await label()).status).toBe(200);
  });

  it("has no reactions on reviews", async () => {
    await github.aPullRequest();
    const { id } = await github.simulator.submitReview("acme/shop", 1, { by: "ana", event: "COMMENT", body: "fine" });
    const answer = await github.call("POST", `/repos/acme/shop/pulls/1/reviews/${id}/reactions`, token, {
      content: "eyes",
    });
    expect(answer.status).toBe(404);
    (github.simulator.referee.findings as unknown[]).length = 0;
  });
});
