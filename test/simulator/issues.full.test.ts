import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
let token: string;
const SHOP = "acme/shop";
const ISSUES = "/repos/acme/shop/issues";

beforeEach(async () => {
  github = await aGitHub();
  token = await github.installationToken();
});
afterEach(() => stopWithoutFindings(github));

const issueEvents = async () => {
  await github.simulator.idle();
  return github.events().filter((event) => event.startsWith("issue"));
};
const view = (number = 1) => github.simulator.issue(SHOP, number);

describe("an issue of a person", () => {
  it("tells of everything that happens to it", async () => {
    const { simulator } = github;
    const { number } = simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    simulator.editIssue(SHOP, number, "eve", { title: "Please help", body: "It breaks." });
    simulator.editIssue(SHOP, number, "eve", { title: "Please help" });
    await simulator.addLabel(SHOP, number, "forge:implement", "ana");
    await simulator.removeLabel(SHOP, number, "forge:implement", "ben");
    const { id } = simulator.comment(SHOP, number, { by: "ana", body: "/forge plan" });
    simulator.editComment(id, { by: "ana", body: "never mind" });
    simulator.deleteComment(id, "ana");
    simulator.closeIssue(SHOP, number, "ana", "not_planned");
    simulator.closeIssue(SHOP, number, "ana");
    simulator.reopenIssue(SHOP, number, "eve");
    expect(await issueEvents()).toEqual([
      "issues.opened",
      "issues.edited",
      "issues.labeled",
      "issues.unlabeled",
      "issue_comment.created",
      "issue_comment.edited",
      "issue_comment.deleted",
      "issues.closed",
      "issues.reopened",
    ]);
    const [opened, edited, labeled] = github.received.map(({ payload }) => payload);
    expect(opened).toMatchObject({ issue: { title: "Help", body: null }, sender: { login: "eve" } });
    expect(edited).toMatchObject({
      changes: { title: { from: "Help" }, body: { from: "" } },
      issue: { title: "Please help", body: "It breaks." },
    });
    expect(labeled).toMatchObject({ label: { name: "forge:implement" }, sender: { login: "ana" } });
    expect(github.received.at(-2)?.payload).toMatchObject({ issue: { state_reason: "not_planned" } });
  });

  it("that is opened with labels carries them at once, and one event for each follows", async () => {
    github.simulator.openIssue(SHOP, {
      title: "Help",
      body: "It breaks.",
      labels: ["bug", "urgent", "Bug"],
      by: "ana",
    });
    expect(await issueEvents()).toEqual(["issues.opened", "issues.labeled", "issues.labeled"]);
    expect(github.received[0]?.payload).toMatchObject({ issue: { labels: [{ name: "bug" }, { name: "urgent" }] } });
  });

  it("is opened through the API without the labels that its author may not give", async () => {
    await github.simulator.createRepository("acme", "open", { private: false, files: { a: "a" } });
    const open = (login: string) => {
      const body = { title: "Help", labels: ["forge:implement", { name: "bug" }] };
      return github.call("POST", "/repos/acme/open/issues", github.simulator.createUserToken(login), body);
    };
    github.simulator.setRole("acme/open", "ana", "write");
    github.simulator.setRole("acme/open", "ben", "triage");
    expect(as<{ labels: unknown[] }>(await open("ana")).labels).toHaveLength(2);
    expect(as<{ labels: unknown[] }>(await open("ben")).labels).toEqual([]);
  });

  it("is edited through the API, labels included", async () => {
    const ana = github.simulator.createUserToken("ana");
    github.simulator.openIssue(SHOP, { title: "Help", labels: ["old", "kept"], by: "ana" });
    const edit = { title: "Other", body: "New", labels: ["kept", "new"], state: "closed", state_reason: "not_planned" };
    const answer = await github.call("PATCH", `${ISSUES}/1`, ana, edit);
    expect(as(answer)).toMatchObject({ title: "Other", body: "New", state: "closed", state_reason: "not_planned" });
    expect(view()).toMatchObject({ labels: ["kept", "new"], stateReason: "not_planned" });
    expect((await issueEvents()).slice(3)).toEqual([
      "issues.edited",
      "issues.closed",
      "issues.unlabeled",
      "issues.labeled",
    ]);
  });
});

describe("the App on an issue", () => {
  it("reads it and all its comments, page by page", async () => {
    github.simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    for (const word of ["one", "two", "three"]) github.simulator.comment(SHOP, 1, { by: "eve", body: word });
    expect(as(await github.call("GET", `${ISSUES}/1`, token))).toMatchObject({
      title: "Help",
      body: null,
      comments: 3,
    });
    const second = await github.call("GET", `${ISSUES}/1/comments?per_page=2&page=2`, token);
    expect(as(second)).toMatchObject([{ body: "three", user: { login: "eve" } }]);
    expect(second.headers.get("link")).toContain('rel="prev"');
  });

  it("keeps one comment up to date, and labels with labels of its own", async () => {
    github.simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    const { id } = as<{ id: number }>(await github.call("POST", `${ISSUES}/1/comments`, token, { body: "thinking" }));
    expect((await github.call("PATCH", `${ISSUES}/comments/${id}`, token, { body: "done" })).status).toBe(200);
    const label = { name: "forge:working", color: "5319e7", description: "Forge is at work" };
    expect((await github.call("POST", "/repos/acme/shop/labels", token, label)).status).toBe(201);
    expect((await github.call("POST", "/repos/acme/shop/labels", token, label)).status).toBe(422);
    expect((await github.call("POST", `${ISSUES}/1/labels`, token, { labels: ["forge:working"] })).status).toBe(200);
    expect(view()).toMatchObject({ labels: ["forge:working"], comments: [{ by: "forge[bot]", body: "done" }] });
    expect((await github.call("DELETE", `${ISSUES}/1/labels/forge:working`, token)).status).toBe(200);
    expect((await github.call("DELETE", `${ISSUES}/1/labels/forge:working`, token)).status).toBe(404);
    expect(as(await github.call("GET", "/repos/acme/shop/labels", token))).toMatchObject([label]);
  });

  it("may write only with issues: write", async () => {
    github.simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    const narrow = await github.installationToken({ permissions: { issues: "read", pull_requests: "write" } });
    for (const [path, body] of [
      ["/1/comments", { body: "hello" }],
      ["/1/labels", { labels: ["bug"] }],
    ] as const)
      expect((await github.call("POST", ISSUES + path, narrow, body)).status).toBe(403);
    expect(view()).toMatchObject({ comments: [], labels: [] });
  });
});

describe("a merge into the default branch", () => {
  async function merged(body: string, message = "A"): Promise<void> {
    const { simulator } = github;
    simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    await simulator.commit(SHOP, "feature", { files: { a: "a" }, message, author: "ben" });
    const { number } = await simulator.openPullRequest(SHOP, { title: "A", body, head: "feature", by: "ben" });
    await simulator.mergePullRequest(SHOP, number, "ana");
    await simulator.idle();
  }

  it.each(["Closes #1", "It fixes: #1.", "RESOLVED acme/shop#1"])("closes the issue of %j", async (body) => {
    await merged(body);
    expect(view()).toMatchObject({ state: "closed", stateReason: "completed" });
    expect(github.events().slice(-2)).toEqual(["pull_request.closed", "issues.closed"]);
    expect(github.received.at(-1)?.payload).toMatchObject({ sender: { login: "ana" }, issue: { number: 1 } });
  });

  it("closes the issue that the message of a commit names", async () => {
    await merged("Nothing said", "Add a\n\nFixes #1");
    expect(view().state).toBe("closed");
  });

  it.each(["See #1", "Encloses #1", "`Closes #1`", "Closes #2", "Closes acme/other#1"])(
    "leaves the issue open for %j",
    async (body) => {
      await merged(body);
      expect(view().state).toBe("open");
    },
  );

  it("is needed: a merge into another branch closes nothing", async () => {
    const { simulator } = github;
    await simulator.commit(SHOP, "stable", { files: {}, message: "Stable" });
    simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    await simulator.commit(SHOP, "feature", { files: { a: "a" }, message: "Closes #1", author: "ben" });
    const wanted = { title: "A", body: "Closes #1", head: "feature", base: "stable", by: "ben" };
    const { number } = await simulator.openPullRequest(SHOP, wanted);
    await simulator.mergePullRequest(SHOP, number, "ana");
    expect(view().state).toBe("open");
  });
});
