import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, LINES, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
let token: string;
let headSha: string;
const PULL = "/repos/acme/shop/pulls/1";

beforeEach(async () => {
  github = await aGitHub();
  token = await github.installationToken();
  ({ headSha } = await github.aPullRequest());
});
afterEach(() => stopWithoutFindings(github));

const post = (path: string, body: unknown, by = token) => github.call("POST", `${PULL}${path}`, by, body);
const review = (comments: unknown[], event: string | null = "COMMENT") =>
  post("/reviews", { commit_id: headSha, body: "a review", ...(event ? { event } : {}), comments });
const at = (line: number, more = {}) => ({ path: "src/list.txt", side: "RIGHT", line, body: "a comment", ...more });

describe("a review", () => {
  it("carries comments on lines and ranges of the diff", async () => {
    const answer = await review([at(3), at(31, { start_line: 29, start_side: "RIGHT" })]);
    expect(answer.status).toBe(200);
    const { reviewComments, reviews } = github.simulator.pullRequest("acme/shop", 1);
    expect(reviews).toMatchObject([{ by: "forge[bot]", state: "COMMENTED", commitId: headSha }]);
    expect(reviewComments.map(({ line, startLine }) => [startLine, line])).toEqual([
      [null, 3],
      [29, 31],
    ]);
  });

  it.each([
    ["a line outside the diff", at(15)],
    ["a file outside the diff", at(1, { path: "README.md" })],
    ["a range over two hunks", at(31, { start_line: 3, start_side: "RIGHT" })],
    ["a range that ends before it starts", at(3, { start_line: 4, start_side: "RIGHT" })],
  ])("with one comment on %s is refused as a whole, and the answer does not say which", async (_, bad) => {
    const answer = await review([at(3), bad]);
    expect(answer).toMatchObject({ status: 422, body: { message: "Unprocessable Entity" } });
    expect(JSON.stringify(answer.body)).not.toContain("README");
    expect(github.simulator.pullRequest("acme/shop", 1).reviews).toEqual([]);
  });

  it("is pending without an event: one of a user, unseen by others, and deletable", async () => {
    const { id } = as<{ id: number }>(await review([at(3)], null));
    expect(await review([at(3)])).toMatchObject({ status: 422 });
    const seen = (by: string) => github.call("GET", `${PULL}/reviews`, by);
    expect(as<unknown[]>(await seen(token))).toHaveLength(1);
    expect(as<unknown[]>(await seen(github.simulator.createUserToken("ana")))).toHaveLength(0);
    expect((await github.call("DELETE", `${PULL}/reviews/${id}`, token)).status).toBe(200);
    expect(await review([at(3)])).toMatchObject({ status: 200 });
    await github.simulator.idle();
    expect(github.events().filter((event) => event === "pull_request_review.submitted")).toHaveLength(1);
  });

  it("does not approve or refuse the author's own pull request", async () => {
    const ben = github.simulator.createUserToken("ben");
    for (const event of ["APPROVE", "REQUEST_CHANGES"])
      expect(await post("/reviews", { event, body: "mine" }, ben)).toMatchObject({ status: 422 });
    expect(await post("/reviews", { event: "COMMENT", body: "mine" }, ben)).toMatchObject({ status: 200 });
  });

  it("has no body of more than 65,536 characters", async () => {
    expect(await post("/reviews", { event: "COMMENT", body: "x".repeat(65_537) })).toMatchObject({ status: 422 });
    expect(await post("/reviews", { event: "COMMENT", body: "x".repeat(65_536) })).toMatchObject({ status: 200 });
  });

  it("can be dismissed once it is a verdict", async () => {
    const { id } = as<{ id: number }>(await review([], "REQUEST_CHANGES"));
    const answer = await github.call("PUT", `${PULL}/reviews/${id}/dismissals`, token, { message: "done" });
    expect(as(answer)).toMatchObject({ state: "DISMISSED" });
  });
});

describe("a review comment", () => {
  it("may stand on a whole file", async () => {
    const body = { body: "of the file", path: "src/list.txt", subject_type: "file", commit_id: headSha };
    expect(as(await post("/comments", body))).toMatchObject({ subject_type: "file", line: null });
  });

  it("follows its line to the next head, and is outdated when the line changes", async () => {
    await review([at(3), at(31)]);
    const changed = ["new first line", ...LINES.slice(0, 2), "line three", ...LINES.slice(3), "another 31"].join("\n");
    const files = { "src/list.txt": `${changed}\n` };
    await github.simulator.commit("acme/shop", "feature", { files, message: "More", author: "ben" });
    const { reviewComments } = github.simulator.pullRequest("acme/shop", 1);
    expect(reviewComments.map(({ currentLine, outdated }) => [currentLine, outdated])).toEqual([
      [4, false],
      [null, true],
    ]);
  });

  it("on an older head is taken and stands where its line is now", async () => {
    const changed = ["new first line", ...LINES.slice(0, 2), "line three", ...LINES.slice(3), "line 31"].join("\n");
    const files = { "src/list.txt": `${changed}\n` };
    await github.simulator.commit("acme/shop", "feature", { files, message: "More", author: "ben" });
    expect((await review([at(3)])).status).toBe(200);
    expect(github.simulator.pullRequest("acme/shop", 1).reviewComments[0]).toMatchObject({ line: 3, currentLine: 4 });
  });
});

const THREADS = `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { pullRequest(number: 1) {
  reviewThreads(first: 10) { nodes { id isResolved comments(first: 5) { nodes { body author { login } } } } } } } }`;
const RESOLVE = "mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }";

interface Threads {
  data: { repository: { pullRequest: { reviewThreads: { nodes: { id: string; comments: unknown }[] } } } };
}

describe("a thread", () => {
  async function firstThread() {
    await review([at(3)]);
    const answer = await github.graphql(token, THREADS, { owner: "acme", name: "shop" });
    return as<Threads>(answer).data.repository.pullRequest.reviewThreads.nodes[0];
  }

  it("is resolved only by who may write contents", async () => {
    const thread = await firstThread();
    const narrow = await github.installationToken({ permissions: { pull_requests: "write", metadata: "read" } });
    const refused = await github.graphql(narrow, RESOLVE, { id: thread?.id });
    expect(as(refused)).toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
    expect(github.simulator.pullRequest("acme/shop", 1).reviewComments[0]?.threadResolved).toBe(false);
    await github.graphql(token, RESOLVE, { id: thread?.id });
    expect(github.simulator.pullRequest("acme/shop", 1).reviewComments[0]?.threadResolved).toBe(true);
  });

  it("names a bot without its suffix, and takes replies", async () => {
    const thread = await firstThread();
    expect(thread?.comments).toMatchObject({ nodes: [{ author: { login: "forge" } }] });
    const [comment] = github.simulator.pullRequest("acme/shop", 1).reviewComments;
    github.simulator.replyToReviewComment("acme/shop", 1, comment?.id ?? 0, { by: "ana", body: "why?" });
    await github.simulator.idle();
    const reply = github.received.findLast(({ event }) => event === "pull_request_review_comment");
    expect(reply?.payload.comment).toMatchObject({ in_reply_to_id: comment?.id, body: "why?" });
  });

  it("is not asked about in words that GitHub's schema does not know", async () => {
    const answer = await github.graphql(token, '{ repository(owner: "acme", name: "shop") { stars } }');
    expect(as<{ errors: unknown[] }>(answer).errors).toHaveLength(1);
    expect(github.simulator.referee.findings).toMatchObject([{ where: "request", fatal: true }]);
    (github.simulator.referee.findings as unknown[]).length = 0;
  });
});
