import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, type GitHub, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
const SHOP = "acme/shop";

beforeEach(async () => {
  github = await aGitHub();
});
afterEach(() => stopWithoutFindings(github));

async function look(path: string): Promise<string> {
  return (await fetch(`${github.simulator.origin}${path}`)).text();
}

/** A form as a browser on that page sends it. */
async function press(path: string, fields: Record<string, string>): Promise<Response> {
  const { origin } = github.simulator;
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(fields).toString();
  return fetch(origin + path, { method: "POST", headers, body, redirect: "manual" });
}

const view = () => github.simulator.issue(SHOP, 1);

describe("the page of a pull request", () => {
  const page = "/acme/shop/pull/1";
  const change = (by: string, what: string) => press(`${page}/state`, { by, do: what });
  const pull = () => github.simulator.pullRequest(SHOP, 1);

  it("finishes a draft, merges it and deletes its branch, by those who may", async () => {
    await github.aPullRequest();
    await github.simulator.convertToDraft(SHOP, 1, "ben");
    expect(await look(page)).toContain("Ready for review");
    expect((await change("ana", "merge")).status).toBe(405);
    await change("ben", "ready");
    expect(pull().draft).toBe(false);
    github.simulator.setRole(SHOP, "ben", "triage");
    expect((await change("ben", "merge")).status).toBe(403);
    expect((await change("ana", "nonsense")).status).toBe(422);
    await change("ana", "squash");
    expect(pull().merged).toBe(true);
    expect(await look(page)).toContain("Delete branch");
    await change("ana", "delete");
    expect(
      (await github.call("GET", "/repos/acme/shop/branches/feature", await github.installationToken())).status,
    ).toBe(404);
  });

  it("closes and opens it again, also by its author", async () => {
    await github.aPullRequest();
    github.simulator.setRole(SHOP, "ben", "read");
    await change("ben", "close");
    expect(pull()).toMatchObject({ state: "closed", merged: false });
    await change("ben", "reopen");
    expect(pull().state).toBe("open");
  });
});

describe("the page of an issue", () => {
  it("is linked from the home page and shows the conversation, hostile words as text", async () => {
    const { simulator } = github;
    const labels = ["bug"];
    simulator.openIssue(SHOP, { title: "<b>Help</b>", body: "It **breaks**.", labels, by: "eve" });
    simulator.comment(SHOP, 1, { by: "ana", body: "Me too <script>alert(1)</script>" });
    for (const path of ["/", "/acme/shop/issues"])
      expect(await look(path)).toContain('<a href="/acme/shop/issues/1"><strong>&lt;b&gt;Help&lt;/b&gt;</strong></a>');
    const page = await look("/acme/shop/issues/1");
    for (const part of [
      "&lt;b&gt;Help",
      "<strong>breaks</strong>",
      '<span class="label">bug</span>',
      "Me too &lt;script",
    ])
      expect(page).toContain(part);
    expect(page).not.toContain("<script>alert");
  });

  it("leads to the pull request that would close it, and each kind of page to the other", async () => {
    github.simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    const { number } = await github.aPullRequest();
    expect(await look("/acme/shop/issues/1")).toContain("No pull request yet");
    await github.simulator.editPullRequest(SHOP, number, "ben", { body: "Closes #1" });
    expect(await look("/acme/shop/issues/1")).toContain('<a href="/acme/shop/pull/2">Two lines</a>');
    expect(await look("/acme/shop/issues/2")).toContain("wants to merge into");
    expect(await look("/acme/shop/pull/1")).toContain("opened this issue");
  });

  it("takes comments, labels, and its end from those who may", async () => {
    github.simulator.openIssue(SHOP, { title: "Help", by: "eve" });
    const page = "/acme/shop/issues/1";
    await press(`${page}/comments`, { by: "ana", body: "/forge plan" });
    expect((await press(`${page}/comments`, { by: "ana", body: " " })).status).toBe(422);
    expect((await press(`${page}/comments`, { by: "eve", body: "mine" })).status).toBe(403);
    await press(`${page}/labels`, { by: "ana", label: "forge:implement", do: "add" });
    expect(view()).toMatchObject({ comments: [{ by: "ana", body: "/forge plan" }], labels: ["forge:implement"] });
    github.simulator.createAccount("tim");
    github.simulator.setRole(SHOP, "tim", "read");
    for (const path of ["labels", "state"])
      expect((await press(`${page}/${path}`, { by: "tim", label: "x", do: "close" })).status).toBe(403);
    await press(`${page}/labels`, { by: "ben", label: "forge:implement", do: "remove" });
    await press(`${page}/state`, { by: "ben", do: "close" });
    expect(view()).toMatchObject({ labels: [], state: "closed" });
    await press(`${page}/state`, { by: "ben", do: "reopen" });
    expect(view().state).toBe("open");
    await github.simulator.idle();
    expect(github.events().filter((event) => event.startsWith("issues."))).toEqual([
      "issues.opened",
      "issues.labeled",
      "issues.unlabeled",
      "issues.closed",
      "issues.reopened",
    ]);
  });
});
