import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub } from "./a-github.ts";

let github: GitHub;
let token: string;
const COMMENTS = "/repos/acme/shop/issues/1/comments";

beforeEach(async () => {
  github = await aGitHub();
  token = await github.installationToken();
  await github.aPullRequest();
});
afterEach(() => github.stop());

const write = (body: string) => github.call("POST", COMMENTS, token, { body });
const written = () => github.simulator.pullRequest("acme/shop", 1).comments.map(({ body }) => body);

describe("a fault", () => {
  it("loses exactly the nth answer, after the work was done", async () => {
    const match = { method: "POST", operation: "issues/create-comment", by: "installation" } as const;
    const fault = github.simulator.faults.add({ match, kind: "lostResponse", after: 1, times: 1 });
    await write("one");
    await expect(write("two")).rejects.toThrow();
    await write("three");
    expect(written()).toEqual(["one", "two", "three"]);
    expect(fault.hits).toBe(1);
    expect(
      github.simulator.requests.filter(({ path }) => path === COMMENTS.slice(0)).map(({ status }) => status),
    ).toEqual([201, 0, 201]);
  });

  it("answers 502 without doing the work", async () => {
    github.simulator.faults.add({
      match: { operation: "issues/create-comment" },
      kind: "status",
      status: 502,
      times: 1,
    });
    expect((await write("lost")).status).toBe(502);
    expect((await write("kept")).status).toBe(201);
    expect(written()).toEqual(["kept"]);
  });

  it.each([
    ["issues/create", "POST", "/issues", { title: "x" }],
    ["issues/update", "PATCH", "/issues/1", { title: "x" }],
    ["issues/update-comment", "PATCH", "/issues/comments/1", { body: "x" }],
    ["issues/add-labels", "POST", "/issues/1/labels", { labels: ["x"] }],
    ["issues/remove-label", "DELETE", "/issues/1/labels/x", undefined],
    ["issues/create-label", "POST", "/labels", { name: "x" }],
    ["pulls/create", "POST", "/pulls", { title: "x", head: "feature", base: "main" }],
    ["pulls/update", "PATCH", "/pulls/1", { title: "x" }],
    ["pulls/create-reply-for-review-comment", "POST", "/pulls/1/comments/1/replies", { body: "x" }],
    ["git/delete-ref", "DELETE", "/git/refs/heads/feature", undefined],
    ["git/create-ref", "POST", "/git/refs", { ref: "refs/heads/x", sha: "0".repeat(40) }],
    ["repos/get-collaborator-permission-level", "GET", "/collaborators/ana/permission", undefined],
    ["actions/download-job-logs-for-workflow-run", "GET", "/actions/jobs/1/logs", undefined],
  ])("strikes %s with a 502 and a rate limit", async (operation, method, path, body) => {
    github.simulator.faults.add({ match: { operation }, kind: "status", status: 502, times: 1 });
    github.simulator.faults.add({ match: { operation }, kind: "rateLimit", status: 429, times: 1 });
    const ask = async () => (await github.call(method, `/repos/acme/shop${path}`, token, body)).status;
    expect([await ask(), await ask()]).toEqual([502, 429]);
    expect(github.simulator.pullRequest("acme/shop", 1)).toMatchObject({ title: "Two lines", headRef: "feature" });
  });

  it("loses the answer of a mutation after the work was done", async () => {
    const { node_id: id } = as<{ node_id: string }>(await github.call("GET", "/repos/acme/shop/pulls/1", token));
    const match = { operation: "graphql:convertPullRequestToDraft" };
    github.simulator.faults.add({ match, kind: "lostResponse", times: 1 });
    const mutation =
      "mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
    await expect(github.graphql(token, mutation, { id })).rejects.toThrow();
    expect(github.simulator.pullRequest("acme/shop", 1).draft).toBe(true);
  });

  it("limits the rate with and without a time to wait", async () => {
    github.simulator.faults.add({ kind: "rateLimit", status: 429, retryAfter: 7, times: 1 });
    github.simulator.faults.add({ kind: "rateLimit", times: 1 });
    const first = await write("one");
    const second = await write("two");
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "7"]);
    expect([second.status, second.headers.get("retry-after")]).toEqual([403, null]);
    expect(JSON.stringify(second.body)).toContain("secondary rate limit");
  });

  it("hangs until the caller gives up, and does nothing", async () => {
    github.simulator.faults.add({ match: { operation: "issues/create-comment" }, kind: "hang", times: 1 });
    const url = `${github.simulator.origin}/api/v3${COMMENTS}`;
    const headers = { authorization: `Bearer ${token}` };
    const body = JSON.stringify({ body: "never" });
    const given = fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(50) });
    await expect(given).rejects.toThrow();
    expect(written()).toEqual([]);
  });

  it("that hangs ends when the simulator stops", async () => {
    github.simulator.faults.add({ match: { operation: "issues/create-comment" }, kind: "hang" });
    const hanging = write("never").catch(() => "cut");
    await expect.poll(() => github.simulator.requests.at(-1)?.path).toBe(COMMENTS);
    await github.stop();
    await expect(hanging).resolves.toBe("cut");
    github = await aGitHub();
  });

  it("rejects anchors so that only halving finds the bad ones", async () => {
    const comments = ["good", "bad", "fine"].map((body) => ({ path: "src/list.txt", line: 3, side: "RIGHT", body }));
    const post = (some: unknown[]) =>
      github.call("POST", "/repos/acme/shop/pulls/1/reviews", token, { event: "COMMENT", body: "all", comments: some });
    const fault = github.simulator.faults.add({ kind: "rejectAnchors", bad: ({ body }) => body === "bad" });
    const refused = await post(comments);
    expect(refused).toMatchObject({ status: 422, body: { errors: ["Line could not be resolved"] } });
    expect((await post(comments.slice(0, 1))).status).toBe(200);
    expect((await post(comments.slice(1, 2))).status).toBe(422);
    expect((await post(comments.slice(2))).status).toBe(200);
    expect(fault.hits).toBe(2);
    fault.remove();
    expect((await post(comments)).status).toBe(200);
  });

  it("lets lists lag behind what was created", async () => {
    await write("old");
    const fault = github.simulator.faults.add({
      match: { operation: "issues/list-comments" },
      kind: "laggingList",
      requests: 1,
    });
    await write("new");
    const list = async () => as<{ body: string }[]>(await github.call("GET", COMMENTS, token)).map(({ body }) => body);
    expect(await list()).toEqual(["old"]);
    expect(await list()).toEqual(["old", "new"]);
    fault.remove();
    github.simulator.faults.add({ match: { operation: "issues/list-comments" }, kind: "laggingList", ms: 60_000 });
    expect(await list()).toEqual([]);
  });
});
