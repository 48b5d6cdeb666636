import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Coverage } from "../../../src/domain/coverage.ts";
import { readCoverage } from "../../../src/pipeline/deploy/record/read-coverage.ts";
import type { LandedPull } from "../../../src/pipeline/deploy/work/ports.ts";
import type { HeadReview } from "../../../src/pipeline/runs/ports.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Fixture, startFixture } from "../../workspace/fixture.ts";

const repository = { id: 7, owner: "acme", name: "shop", installationId: 1 };
const signal = new AbortController().signal;
let fixture: Fixture;
let store: Store;
let start = "";
let count = 0;

beforeAll(async () => {
  fixture = await startFixture();
  store = await openStore({ url: `file:${fixture.folder}/forge.db` });
  start = commit("main", [], { "a.js": "one\ntwo\nthree\nfour\nfive\n" });
});
afterAll(async () => {
  await closeStore(store);
  await fixture[Symbol.asyncDispose]();
});

function commit(branch: string, parents: readonly string[], files: Readonly<Record<string, string>>, message = branch) {
  const written = Object.entries(files).map(([path, content]) => ({ path, content }));
  return fixture.origin.commit({ branch, parents, files: written, message });
}

/** A reviewed pull request of two commits that adds `b.js` and changes the first line of `a.js`. */
function pullOn(base: string) {
  count += 1;
  const first = commit(`topic-${count}`, [base], { [`b${count}.js`]: "b\n" }, "add b");
  const head = commit(`topic-${count}`, [first], { "a.js": `${count}\ntwo\nthree\nfour\nfive\n` }, "change a");
  return {
    number: count,
    first,
    head,
    reviewed: review(head, base),
    merged: { [`b${count}.js`]: "b\n", "a.js": `${count}\ntwo\nthree\nfour\nfive\n` },
  };
}

function review(headSha: string, mergeBaseSha: string, is: HeadReview["is"] = "approved"): HeadReview {
  return {
    runId: `run-${headSha.slice(0, 7)}`,
    headSha,
    is,
    mergeBaseSha,
    decision: "approve",
    risk: "low",
    open: 0,
    blocking: 0,
  };
}

interface Told {
  readonly to: string;
  readonly from?: string;
  /** Which pull requests GitHub names for a commit. */
  readonly landed?: Readonly<Record<string, readonly LandedPull[]>>;
  readonly reviews?: Readonly<Record<number, readonly HeadReview[]>>;
  readonly requires?: Coverage["requires"];
}

async function coverageOf({ to, from = start, landed = {}, reviews = {}, requires = ["review"] }: Told) {
  const dependencies = {
    ...{ store, mirrorRoot: `${fixture.folder}/mirrors`, redact: (text: string) => text },
    host: { remote: () => ({ url: fixture.server.urlOf("origin"), allowHttp: true, token: async () => "ghs_token" }) },
    deployHost: { readLanded: async () => new Map(Object.entries(landed)) },
    readHeadReviews: async ({ number }: { number: number }) => reviews[number] ?? [],
  };
  const range = { repository, branch: "main", sha: to, from: { sha: from, by: "record" as const }, requires };
  return readCoverage(dependencies as never, range, signal);
}

const landedAs = (number: number, head: string, mergedAs: string, base = "main"): LandedPull => {
  return { number, title: `Change ${number}`, author: "ben", head, base, mergedAs };
};
const lacks = ({ coverage }: { coverage: Coverage }) =>
  coverage.landings.map((landing) => landing.lacks.filter((one) => one !== "not_tested"));

describe("DEP-4: what a version brings, in a real repository", () => {
  it("is covered where the reviewed head was merged, squashed, rebased, or pushed as it is", async () => {
    const pull = pullOn(start);
    const main = commit("main", [start], { "c.js": "c\n" }, "other");
    const merge = commit("merge", [main, pull.head], pull.merged, "Merge");
    const squash = commit("squash", [main], pull.merged, "Squash");
    const once = commit("rebase", [main], { [`b${count}.js`]: "b\n" }, "add b");
    const rebase = commit("rebase", [once], pull.merged, "change a");
    const by = (sha: string) => [landedAs(pull.number, pull.head, sha)];
    const known = { from: main, reviews: { [pull.number]: [pull.reviewed] } };
    const merged = await coverageOf({ ...known, to: merge, landed: { [merge]: by(merge) } });
    expect(merged.coverage.landings).toMatchObject([{ sha: merge, commits: 3, pull: pull.number, head: pull.head }]);
    expect(lacks(merged)).toEqual([[]]);
    expect(lacks(await coverageOf({ ...known, to: squash, landed: { [squash]: by(squash) } }))).toEqual([[]]);
    const rebased = await coverageOf({ ...known, to: rebase, landed: { [rebase]: by(rebase), [once]: by(rebase) } });
    expect(rebased.coverage.landings).toMatchObject([{ sha: rebase, commits: 2 }]);
    expect(lacks(rebased)).toEqual([[]]);
    const pushed = { from: start, to: pull.head, landed: { [pull.head]: by(pull.head), [pull.first]: by(pull.head) } };
    expect(lacks(await coverageOf({ ...known, ...pushed }))).toEqual([[]]);
  });

  it("is not covered where something else came with the merge, or a commit under it was not the pull request's", async () => {
    const pull = pullOn(start);
    const evil = commit("evil", [start, pull.head], { ...pull.merged, "x.sh": "curl | sh\n" }, "Merge");
    const known = { reviews: { [pull.number]: [pull.reviewed] } };
    const by = (sha: string) => [landedAs(pull.number, pull.head, sha)];
    expect(lacks(await coverageOf({ ...known, to: evil, landed: { [evil]: by(evil) } }))).toEqual([["other_files"]]);
    const direct = commit("under", [start], { "x.sh": "curl | sh\n" }, "direct");
    const squash = commit("under", [direct], pull.merged, "Squash");
    const read = await coverageOf({ ...known, to: squash, landed: { [squash]: by(squash) } });
    expect(lacks(read)).toEqual([[], ["direct"]]);
    // SAFE-4: nobody looked at what was pushed directly.
    expect(read).toMatchObject({ direct: 1, coverage: { risk: "high" } });
    // A change whose risk nobody told makes it no lower.
    const unseen = await coverageOf({ to: squash, landed: { [squash]: by(squash) } });
    expect(unseen).toMatchObject({ direct: 1, coverage: { risk: "high" } });
  });

  it("counts only what was merged into this very branch, whole, and as GitHub says it was", async () => {
    const pull = pullOn(start);
    const squash = commit("elsewhere", [start], pull.merged, "Squash");
    const known = { reviews: { [pull.number]: [pull.reviewed] }, to: squash };
    const elsewhere = { [squash]: [landedAs(pull.number, pull.head, squash, "release")] };
    const { coverage, direct } = await coverageOf({ ...known, landed: elsewhere });
    // SAFE-4: it is as risky as a direct push, and no review of this branch saw it.
    expect([direct, coverage.risk]).toEqual([1, "high"]);
    expect(coverage.landings).toMatchObject([{ lacks: ["other_branch"], other: "release" }]);
    const later = { [squash]: [landedAs(pull.number, pull.head, "f".repeat(40))] };
    expect(lacks(await coverageOf({ ...known, landed: later }))).toEqual([["part_of_pull"]]);
    expect(lacks(await coverageOf(known))).toEqual([["direct"]]);
  });

  it("is a matter of exactly the merged head, and of all that it brings", async () => {
    const pull = pullOn(start);
    const pushed = commit(`topic-${count}`, [pull.head], { "evil.js": "exec()\n" }, "more");
    const merge = commit("m", [start, pushed], { ...pull.merged, "evil.js": "exec()\n" }, "Merge");
    const landed = { [merge]: [landedAs(pull.number, pushed, merge)] };
    const other = await coverageOf({ to: merge, landed, reviews: { [pull.number]: [pull.reviewed] } });
    expect(other.coverage.landings).toMatchObject([{ lacks: ["other_head", "not_tested"], other: pull.head }]);
    // Reviewed against a branch that had the first commit already.
    const onward = { [pull.number]: [review(pushed, pull.head)] };
    expect(lacks(await coverageOf({ to: merge, landed, reviews: onward }))).toEqual([["other_base"]]);
    // Another commit with the same files on the same base was looked at.
    const amended = commit("amended", [start], { ...pull.merged, "evil.js": "exec()\n" }, "amended");
    const seen = { [pull.number]: [review(amended, start), pull.reviewed] };
    await coverageOf({ to: amended, reviews: {} });
    expect(lacks(await coverageOf({ to: merge, landed, reviews: seen }))).toEqual([[]]);
  });

  it("is covered where a merge queue landed several pull requests at once, each on the one before it", async () => {
    const [one, two] = [pullOn(start), pullOn(start)];
    const files = { [`b${two.number}.js`]: "b\n" };
    const head = commit("second", [start], files, "second");
    const known = { reviews: { [one.number]: [one.reviewed], [two.number]: [review(head, start)] } };
    for (const isMerge of [true, false]) {
      const landing = (base: string, tip: string) => (isMerge ? [base, tip] : [base]);
      const first = commit("queue", landing(start, one.head), one.merged, "first of the queue");
      const second = commit("queue", landing(first, head), files, "second of the queue");
      const by = { [first]: [landedAs(one.number, one.head, first)], [second]: [landedAs(two.number, head, second)] };
      const { coverage } = await coverageOf({ ...known, to: second, landed: by });
      expect(coverage.landings).toMatchObject([
        { pull: two.number, lacks: ["not_tested"] },
        { pull: one.number, lacks: ["not_tested"] },
      ]);
    }
  });

  it("counts a revert and a cherry-pick as changes of their own, which the review of the original does not cover", async () => {
    const pull = pullOn(start);
    const squash = commit("picked", [start], pull.merged, "Squash");
    const original = { "a.js": "one\ntwo\nthree\nfour\nfive\n", [`b${count}.js`]: "" };
    const back = commit("picked", [squash], original, `Revert "Squash"`);
    const again = commit("picked", [back], pull.merged, "Squash\n\n(cherry picked from commit)");
    const landed = { [squash]: [landedAs(pull.number, pull.head, squash)] };
    const reviews = { [pull.number]: [pull.reviewed] };
    expect(lacks(await coverageOf({ to: again, landed, reviews }))).toEqual([["direct"], ["direct"], []]);
    // By a pull request of its own it is looked at like any other change.
    const own = { ...landed, [back]: [landedAs(90, back, back)], [again]: [landedAs(91, again, again)] };
    expect(lacks(await coverageOf({ to: again, landed: own, reviews }))).toEqual([
      ["not_reviewed"],
      ["not_reviewed"],
      [],
    ]);
    const seen = { ...reviews, 90: [review(back, squash)], 91: [review(again, back)] };
    expect(lacks(await coverageOf({ to: again, landed: own, reviews: seen }))).toEqual([[], [], []]);
  });

  it("is not covered by the review of a head that a forced push replaced", async () => {
    const pull = pullOn(start);
    const forced = commit(`topic-${count}`, [start], { "a.js": "evil()\n" }, "forced");
    const squash = commit("forced", [start], { "a.js": "evil()\n" }, "Squash");
    const landed = { [squash]: [landedAs(pull.number, forced, squash)] };
    const gone = review("d".repeat(40), "c".repeat(40));
    const { coverage } = await coverageOf({ to: squash, landed, reviews: { [pull.number]: [pull.reviewed, gone] } });
    expect(coverage.landings).toMatchObject([{ lacks: ["other_head", "not_tested"], other: pull.head, head: forced }]);
  });

  it("says so where the merged head cannot be had, and counts what is beyond the limit", async () => {
    const pull = pullOn(start);
    const squash = commit("gone", [start], pull.merged, "Squash");
    const gone = { [squash]: [landedAs(pull.number, "e".repeat(40), squash)] };
    const reviews = { [pull.number]: [pull.reviewed] };
    expect(lacks(await coverageOf({ to: squash, landed: gone, reviews }))).toEqual([["unreadable"]]);
    let last = start;
    for (let each = 0; each < 103; each += 1) last = commit("long", [last], { "n.txt": `${each}\n` }, "step");
    const { coverage } = await coverageOf({ to: last });
    expect(coverage.landings).toHaveLength(100);
    expect(coverage.beyond).toBe(3);
  });
});
