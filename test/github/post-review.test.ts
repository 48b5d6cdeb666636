import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { markerFor } from "../../src/github/marker.ts";
import { again, type Bench, markerSecret, review, shownFile, startBench } from "./effect-bench.ts";
import { finding, headSha } from "./samples.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.github.stop());

const seven = Array.from({ length: 7 }, (_, index) =>
  finding({ id: `F-000${index}`, line: index + 1, endLine: index + 1 }),
);
const placements = (outcome: Awaited<ReturnType<Bench["apply"]>>) =>
  outcome.kind === "done"
    ? Object.fromEntries(outcome.result.placed!.map(({ findingId, placement }) => [findingId, placement]))
    : outcome;
const lines = () => bench.github.comments.map(({ line, subject_type }) => line ?? subject_type);

describe("GH-10: posting a review", () => {
  it("posts one review with all comments on the lines of the head", async () => {
    const wide = finding({ id: "F-0002", line: 40, endLine: 44 });
    const outcome = await bench.apply(review([finding(), wide]));
    expect(bench.github.writes()).toEqual(["POST /pulls/reviews"]);
    expect(bench.github.requests[0]!.body).toMatchObject({
      commit_id: headSha,
      event: "COMMENT",
      body: expect.stringContaining("**2 blocking findings.**"),
      comments: [
        { path: "src/run.ts", line: 31, side: "RIGHT" },
        { path: "src/run.ts", start_line: 40, start_side: "RIGHT", line: 44, side: "RIGHT" },
      ],
    });
    const [first, second] = bench.github.comments;
    expect(outcome).toEqual({
      kind: "done",
      result: {
        reviewId: bench.github.reviews[0]!.id,
        placed: [
          { findingId: "F-9M4D", placement: "comment", commentId: first!.id },
          { findingId: "F-0002", placement: "comment", commentId: second!.id },
        ],
      },
    });
  });

  it("leaves to the summary what only an earlier commit holds, and says what is open and where the check is", async () => {
    const gone = finding({ id: "F-0002", secret: true, commit: "c".repeat(40) });
    const checkUrl = "https://github.com/acme/shop/runs/7";
    bench.results.set("open", { checkRunId: 7, checkUrl });
    const effect = review([finding(), gone]);
    const payload = { ...effect.payload, blocking: 2, again: true, openKey: "open" };
    expect(placements(await bench.apply({ ...effect, payload }))).toEqual({ "F-9M4D": "comment", "F-0002": "summary" });
    expect(lines()).toEqual([31]);
    expect(bench.github.reviews[0]!.body).toContain(
      `**1 new blocking finding, 2 open in all.** The full result is in the check [\`forge/review\`](${checkUrl}).`,
    );
  });

  it("leaves to annotations what has no line in the diff, and notes", async () => {
    const outside = finding({ id: "F-0002", line: 101, endLine: 101 });
    const across = finding({ id: "F-0003", line: 99, endLine: 102 });
    const note = finding({ id: "F-0004", severity: "info" });
    expect(placements(await bench.apply(review([note, across, outside, finding()])))).toEqual({
      "F-9M4D": "comment",
      "F-0002": "annotation",
      "F-0003": "annotation",
      "F-0004": "annotation",
    });
    expect(lines()).toEqual([31]);
  });

  it("posts nothing when no comment remains", async () => {
    const outcome = await bench.apply(review([finding({ file: "src/other.ts" })]));
    expect(placements(outcome)).toEqual({ "F-9M4D": "annotation" });
    expect(bench.github.requests).toEqual([]);
  });

  it("comments on the most severe when there are too many", async () => {
    const mild = finding({ id: "F-0001", severity: "warning" });
    const grave = finding({ id: "F-0002", severity: "critical" });
    expect(placements(await bench.apply(review([mild, finding(), grave], { maxComments: 2 })))).toEqual({
      "F-0001": "annotation",
      "F-9M4D": "comment",
      "F-0002": "comment",
    });
  });

  it("finds the one comment among seven that GitHub refuses, and puts it on the file", async () => {
    bench.github.refuses = ({ line }) => line === 5;
    const outcome = await bench.apply(review(seven));
    expect(placements(outcome)).toEqual({
      ...Object.fromEntries(seven.map(({ id }) => [id, "comment"])),
      "F-0004": "file_comment",
    });
    expect(lines()).toEqual([1, 2, 3, 4, 6, 7, "file"]);
    expect(bench.github.comments.at(-1)!.body).toContain("· line 5\n");
    expect(bench.github.reviews.map(({ state }) => state)).toEqual(["COMMENTED"]);
    expect(bench.recorded()).toBe(bench.github.writes().length);
  });

  it("leaves to annotations what GitHub does not take on the file either", async () => {
    bench.github.refuses = ({ line, subject_type }) => line === 2 || line === 5 || subject_type === "file";
    expect(placements(await bench.apply(review(seven)))).toMatchObject({
      "F-0001": "annotation",
      "F-0004": "annotation",
    });
    expect(lines()).toEqual([1, 3, 4, 6, 7]);
  });

  it("does not search for a culprit when GitHub takes no review of this head at all", async () => {
    bench.github.refuses = ({ commit_id }) => commit_id !== undefined;
    const outcome = await bench.apply(review(seven));
    expect(placements(outcome)).toEqual(Object.fromEntries(seven.map(({ id }) => [id, "annotation"])));
    expect(outcome).toMatchObject({
      result: { placed: [{ reason: expect.stringContaining("commit_id") }, {}, {}, {}, {}, {}, {}] },
    });
    expect(bench.github.writes()).toHaveLength(2);
  });

  it("removes a pending review that a crash left behind, and posts", async () => {
    bench.github.reviews.push({ id: 9, state: "PENDING", body: "", user: { type: "Bot" } });
    expect(placements(await bench.apply(review([finding()])))).toEqual({ "F-9M4D": "comment" });
    expect(bench.github.reviews.map(({ state }) => state)).toEqual(["COMMENTED"]);
  });
});

describe("GH-13: a review is posted once", () => {
  it("is found by its marker when the answer was lost", async () => {
    bench.github.fault = ({ method }) => (method === "POST" ? { kind: "lost" } : undefined);
    const effect = review(seven);
    expect(await bench.apply(effect)).toMatchObject({ kind: "retry" });
    const outcome = await bench.apply(again(effect));
    expect(outcome).toMatchObject({ kind: "done", result: { reviewId: bench.github.reviews[0]!.id } });
    expect(Object.values(placements(outcome))).toEqual(Array(7).fill("comment"));
    expect(bench.github.reviews).toHaveLength(1);
    expect(bench.github.comments).toHaveLength(7);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "ends the same when the answer to write %i of a refused review is lost",
    async (lost) => {
      bench.github.refuses = ({ line }) => line === 5;
      let writes = -1;
      bench.github.fault = ({ method }) => {
        if (method === "GET") return undefined;
        writes += 1;
        return writes === lost ? { kind: "lost" } : undefined;
      };
      let effect = review(seven);
      let outcome = await bench.apply(effect);
      for (let attempt = 0; outcome.kind === "retry" && attempt < 5; attempt += 1) {
        effect = again(effect);
        outcome = await bench.apply(effect);
      }
      expect(placements(outcome)).toMatchObject({ "F-0000": "comment", "F-0004": "file_comment", "F-0006": "comment" });
      expect(lines()).toEqual([1, 2, 3, 4, 6, 7, "file"]);
      expect(bench.github.reviews.map(({ state }) => state)).toEqual(["COMMENTED"]);
    },
  );

  it("does not take a person's copy of the marker for its own review", async () => {
    const effect = review([finding()]);
    const body = markerFor(effect, markerSecret);
    bench.github.reviews.push({ id: 9, state: "COMMENTED", body, user: { type: "User" } });
    expect(placements(await bench.apply(again(effect)))).toEqual({ "F-9M4D": "comment" });
    expect(bench.github.reviews).toHaveLength(2);
  });

  it("does not take another bot's review, or an earlier one of ours, for this one", async () => {
    const effect = review([finding()]);
    const earlier = markerFor({ ...effect, key: `${effect.key}0` }, markerSecret);
    for (const body of ["by another bot", earlier]) {
      bench.github.reviews.push({ id: 9, state: "COMMENTED", body, user: { type: "Bot" } });
    }
    expect(placements(await bench.apply(again(effect)))).toEqual({ "F-9M4D": "comment" });
    expect(bench.github.reviews).toHaveLength(3);
  });

  it("does not mind that a pending review is gone when it removes it", async () => {
    bench.github.reviews.push({ id: 9, state: "PENDING", body: "", user: { type: "Bot" } });
    bench.github.fault = ({ method }) => {
      if (method !== "DELETE") return undefined;
      bench.github.reviews.length = 0;
      return { kind: "answer", status: 404 };
    };
    expect(placements(await bench.apply(review([finding()])))).toEqual({ "F-9M4D": "comment" });
  });

  it("goes on where a rate limit stopped it", async () => {
    bench.github.refuses = ({ line }) => line === 5;
    bench.github.fault = ({ body }) =>
      body.subject_type === "file" ? { kind: "answer", status: 429, headers: { "retry-after": "60" } } : undefined;
    const effect = review(seven);
    expect(await bench.apply(effect)).toMatchObject({ kind: "retry" });
    bench.github.fault = () => undefined;
    expect(placements(await bench.apply(again(effect)))).toMatchObject({ "F-0004": "file_comment" });
    expect(lines()).toEqual([1, 2, 3, 4, 6, 7, "file"]);
  });

  it("reads lists of several pages", async () => {
    for (let id = 1000; id < 1230; id += 1) {
      bench.github.reviews.push({ id, state: "COMMENTED", body: "by somebody", user: { type: "User" } });
    }
    bench.github.fault = ({ method }) => (method === "POST" ? { kind: "lost" } : undefined);
    const effect = review([finding()]);
    await bench.apply(effect);
    expect(await bench.apply(again(effect))).toMatchObject({ kind: "done" });
    expect(bench.github.reviews).toHaveLength(231);
  });
});

describe("GH-10: a suggestion", () => {
  it("stands on the lines it replaces", async () => {
    const fix = { file: "src/run.ts", startLine: 30, endLine: 31, before: "a\nb\n", after: "c\n" };
    await bench.apply(review([finding({ fix })]));
    expect(bench.github.comments[0]).toMatchObject({
      start_line: 30,
      line: 31,
      body: expect.stringContaining("```suggestion\nc\n```"),
    });
  });

  it("is left out where the diff does not show all of those lines", async () => {
    const fix = { file: "src/run.ts", startLine: 30, endLine: 31, before: "a\nb\n", after: "c\n" };
    await bench.apply(review([finding({ fix })], { anchors: [shownFile([{ newStart: 31, newEnd: 31 }])] }));
    expect(bench.github.comments[0]!.body).not.toContain("suggestion");
  });
});
