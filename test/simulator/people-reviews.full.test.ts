import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
let token: string;
const SHOP = "acme/shop";
const PULL = "/repos/acme/shop/pulls/1";

beforeEach(async () => {
  github = await aGitHub();
  token = await github.installationToken();
  await github.aPullRequest();
  await github.simulator.idle();
  github.received.length = 0;
});
afterEach(() => stopWithoutFindings(github));

const at = (line: number, body: string) => ({ path: "src/list.txt", line, side: "RIGHT", body }) as const;
const refused = () =>
  github.simulator.submitReview(SHOP, 1, {
    by: "ana",
    event: "REQUEST_CHANGES",
    body: "Not yet.",
    comments: [at(3, "Why three?"), at(31, "One line too many."), at(3, "And a test, please.")],
  });

describe("changes that a person requests", () => {
  it("come as a review and one event for each comment, which name the review", async () => {
    const { id } = await refused();
    await github.simulator.idle();
    expect(github.events()).toEqual([
      "pull_request_review.submitted",
      "pull_request_review_comment.created",
      "pull_request_review_comment.created",
      "pull_request_review_comment.created",
    ]);
    const [review, comment] = github.received.map(({ payload }) => payload);
    expect(review).toMatchObject({
      review: { id, state: "changes_requested", body: "Not yet.", user: { login: "ana" } },
      sender: { login: "ana" },
    });
    expect(comment).toMatchObject({ comment: { pull_request_review_id: id, body: "Why three?", line: 3 } });
  });

  it("are read by the App: the review, and its comments page by page", async () => {
    const { id } = await refused();
    const other = { by: "ana", event: "COMMENT", comments: [at(31, "Another review.")] } as const;
    await github.simulator.submitReview(SHOP, 1, other);
    expect(as(await github.call("GET", `${PULL}/reviews/${id}`, token))).toMatchObject({
      state: "CHANGES_REQUESTED",
      body: "Not yet.",
    });
    const comments = (page: number) =>
      github.call("GET", `${PULL}/reviews/${id}/comments?per_page=2&page=${page}`, token);
    const [first, second] = [await comments(1), await comments(2)];
    expect(as(first)).toMatchObject([{ body: "Why three?" }, { body: "One line too many." }]);
    expect(first.headers.get("link")).toContain('rel="next"');
    expect(as(second)).toMatchObject([{ body: "And a test, please.", pull_request_review_id: id }]);
    // this list knows no lines; the list of all comments does
    expect(as<object[]>(first)[0]).not.toHaveProperty("line");
    const all = as<{ pull_request_review_id: number }[]>(await github.call("GET", `${PULL}/comments`, token));
    const own = all.filter((each) => each.pull_request_review_id === id);
    expect(own).toMatchObject([{ line: 3 }, { line: 31 }, { line: 3 }]);
  });

  it("are answered in their threads, where the answer stays when its response is lost", async () => {
    await refused();
    const [asked] = github.simulator.pullRequest(SHOP, 1).reviewComments;
    const answer = () =>
      github.call("POST", `${PULL}/comments/${asked?.id}/replies`, token, { body: "Done in abc1234." });
    const match = { operation: "pulls/create-reply-for-review-comment" };
    github.simulator.faults.add({ match, kind: "lostResponse", times: 1 });
    await expect(answer()).rejects.toThrow();
    const { reviewComments } = github.simulator.pullRequest(SHOP, 1);
    expect(reviewComments.at(-1)).toMatchObject({ by: "forge[bot]", inReplyTo: asked?.id, threadId: asked?.threadId });
    await github.simulator.idle();
    expect(github.received.at(-1)?.payload).toMatchObject({ comment: { in_reply_to_id: asked?.id } });
    expect((await answer()).status).toBe(201);
  });

  it("are told apart from approvals and comments", async () => {
    for (const event of ["APPROVE", "COMMENT"] as const)
      await github.simulator.submitReview(SHOP, 1, { by: "ana", event, body: "Fine." });
    await github.simulator.idle();
    const states = github.received.map(({ payload }) => (payload.review as { state: string }).state);
    expect(states).toEqual(["approved", "commented"]);
  });
});
