import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Simulator } from "../../simulator/start-simulator.ts";
import { until } from "../until.ts";
import { CLEAN, checks, FAULTY, openPull } from "./pulls.ts";
import { createWorld, failedEffects, type World } from "./world.ts";

type Fault = Parameters<Simulator["faults"]["add"]>[0];

let world: World;
beforeAll(async () => {
  world = await createWorld({ requestTimeoutMs: 3_000 });
  await world.settled();
});
afterEach(async () => {
  world.github.faults.clear();
  await world.expectGoodManners();
});
afterAll(() => world.end());

const CREATE_REVIEW = { operation: "pulls/create-review" };
const CREATE_CHECK = { operation: "checks/create" };
const UPDATE_CHECK = { operation: "checks/update" };
const READ_PULL = { operation: "pulls/get" };
const READ_CONFIGURATION = { operation: "repos/get-content" };
const FETCH = { operation: "git:fetch" };
const MINT = { operation: "apps/create-installation-access-token" };

const FAULTS: readonly (readonly [string, readonly Fault[]])[] = [
  ["no token", [{ kind: "status", status: 500, match: MINT, times: 2 }]],
  ["a bad gateway while reading", [{ kind: "status", status: 502, match: READ_PULL, times: 2 }]],
  [
    "a bad gateway while reading the configuration",
    [{ kind: "status", status: 503, match: READ_CONFIGURATION, times: 1 }],
  ],
  ["a bad gateway while fetching", [{ kind: "status", status: 502, match: FETCH, times: 1 }]],
  ["a bad gateway while opening the check", [{ kind: "status", status: 502, match: CREATE_CHECK, times: 2 }]],
  ["a bad gateway while posting", [{ kind: "status", status: 502, match: CREATE_REVIEW, times: 2 }]],
  ["no answer while reading", [{ kind: "hang", match: READ_PULL, times: 1 }]],
  ["no answer while posting", [{ kind: "hang", match: CREATE_REVIEW, times: 1 }]],
  ["a limit with a time to wait", [{ kind: "rateLimit", status: 429, retryAfter: 90, match: CREATE_REVIEW, times: 2 }]],
  ["a limit without a time to wait", [{ kind: "rateLimit", match: CREATE_REVIEW, times: 2 }]],
  ["a limit while reading", [{ kind: "rateLimit", retryAfter: 30, match: READ_PULL, times: 2 }]],
  ["a limit while fetching", [{ kind: "rateLimit", status: 429, match: FETCH, times: 1 }]],
  ["a limit on tokens", [{ kind: "rateLimit", match: MINT, times: 1 }]],
  [
    "every answer to a first write lost",
    [CREATE_CHECK, CREATE_REVIEW, UPDATE_CHECK].map((match) => ({ kind: "lostResponse", match, times: 1 })),
  ],
];

describe("GitHub in trouble", () => {
  it("GH-13: whatever fails for a while, the review ends as if nothing had been, and nothing is there twice", async () => {
    const cases = [];
    for (const at of FAULTS.keys()) {
      const files = { "a.md": "# A\n" };
      await world.github.createRepository("acme", `trouble-${at}`, { files, collaborators: { ana: "admin" } });
    }
    // Forge makes its labels in each, which counts as writing: a minute later that is forgotten.
    await world.settled();
    world.clock.advance(61_000);
    for (const [at, [name, faults]] of FAULTS.entries()) {
      const repository = `acme/trouble-${at}`;
      // Tokens are asked for without naming the repository in the address.
      const here = (match: Fault["match"]) =>
        match === MINT ? MINT : { ...match, path: new RegExp(`/trouble-${at}[./]`) };
      const planned = faults.map((fault) => world.github.faults.add({ ...fault, match: here(fault.match) } as Fault));
      const { number } = await openPull(world, { "a.ts": FAULTY }, { repository, branch: "topic" });
      cases.push({ name, repository, number, planned });
    }
    await world.settled();
    // Pauses grow to a quarter of an hour when much goes wrong at once.
    world.clock.advance(15 * 60_000);
    await world.settled();
    const ends = cases.map(({ name, repository, number, planned }) => {
      const pull = world.github.pullRequest(repository, number);
      return {
        name,
        struck: planned.every(({ hits }) => hits > 0),
        checks: pull.allCheckRuns.map(({ title, annotations }) => [title, annotations.length]),
        reviews: pull.reviews.length,
        lines: pull.reviewComments.map(({ line }) => line),
      };
    });
    const end = {
      struck: true,
      checks: [["2 blocking errors: assignment to constant, self-comparison", 2]],
      reviews: 1,
      lines: [3, 4],
    };
    expect(ends).toEqual(FAULTS.map(([name]) => ({ name, ...end })));
    // Fourteen reviews with what goes wrong in each: longer than the others on a busy machine.
  }, 300_000);

  it("GH-13: a lost answer is looked up when GitHub's lists have caught up", async () => {
    // Until it is said that they have caught up.
    const match = { method: "GET", path: /\/pulls\/\d+\/(?:reviews|comments)/ };
    const lag = world.github.faults.add({ kind: "laggingList", ms: 600_000, match });
    world.github.faults.add({ kind: "lostResponse", match: CREATE_REVIEW, times: 1 });
    const { number } = await openPull(world, { "lag.ts": FAULTY }, { branch: "lag" });
    await until(() => world.github.pullRequest("acme/shop", number).reviews.length > 0);
    lag.remove();
    await world.settled();
    expect(world.github.pullRequest("acme/shop", number).reviews).toHaveLength(1);
    expect(checks(world, number)).toEqual([["failure", "2 blocking errors: assignment to constant, self-comparison"]]);
  });

  it("GH-10: of seven comments the one that GitHub refuses is found and falls to its file", async () => {
    const faults = Array.from({ length: 7 }, (_, at) => [
      `seven/f${at}.ts`,
      `const a = 1;\na = ${at};\nexport { a };\n`,
    ]);
    world.github.faults.add({
      kind: "rejectAnchors",
      bad: ({ path, line }) => path === "seven/f4.ts" && line !== undefined,
    });
    const { number } = await openPull(world, Object.fromEntries(faults), { branch: "seven" });
    await world.settled();
    const pull = world.github.pullRequest("acme/shop", number);
    expect(pull.pendingReviews).toEqual([]);
    const placed = pull.reviewComments.map(({ path, subjectType }) => [path, subjectType]).sort();
    expect(placed).toEqual(faults.map(([path]) => [path, path === "seven/f4.ts" ? "file" : "line"]));
    expect(pull.checkRuns[0]?.conclusion).toBe("failure");
  });

  it("GH-11a: a fetch that never succeeds ends in a check that says so, and a re-run begins anew", async () => {
    const broken = world.github.faults.add({ kind: "status", status: 500, match: FETCH });
    const { number } = await openPull(world, { "broken.ts": CLEAN }, { branch: "broken" });
    await world.settled();
    const [check] = world.github.pullRequest("acme/shop", number).checkRuns;
    expect(check?.conclusion).toBe("action_required");
    expect(check?.title).toMatch(/^Not reviewed: /);
    broken.remove();
    world.github.rerequestCheckRun("acme/shop", check!.id, "ana");
    await world.settled();
    expect(checks(world, number)).toEqual([["success", "Clean: 1 file, 3 added lines"]]);
    const { store } = world.forge!;
    await store.queue.together([{ sql: "delete from jobs where state = 'dead'", args: [] }]);
  });
});

describe("an App that lacks a permission", () => {
  const ALL = {
    ...{ metadata: "read", contents: "read", checks: "write", pull_requests: "write" },
  };

  async function reviewWith(permissions: Record<string, string>) {
    // An event can only be asked for with its permission.
    const lacking = await createWorld({ permissions, events: ["pull_request"] });
    try {
      const { number } = await openPull(lacking, { "a.ts": FAULTY }, { branch: "topic" });
      await lacking.settled();
      const pull = lacking.github.pullRequest("acme/shop", number);
      const failed = (await failedEffects(lacking.forge!)).map(({ kind }) => kind);
      return { pull, failed, findings: lacking.github.referee.findings };
    } finally {
      await lacking.end();
    }
  }

  it("GH-11: without writing pull requests everything is told by the check", async () => {
    const { pull, failed, findings } = await reviewWith({ ...ALL, pull_requests: "read" });
    expect(findings).toEqual([]);
    expect(failed).toEqual(["review.post"]);
    expect(pull.checkRuns.map(({ conclusion, annotations }) => [conclusion, annotations.length])).toEqual([
      ["failure", 2],
    ]);
  });

  it("GH-10: without writing checks the review is posted all the same", async () => {
    const { checks: _, ...rest } = ALL;
    const { pull, failed, findings } = await reviewWith(rest);
    expect(findings).toEqual([]);
    expect(new Set(failed)).toEqual(new Set(["check.open", "check.start", "check.complete"]));
    expect(pull.reviewComments).toHaveLength(2);
  });

  it("GH-11a: without reading contents the check says what is missing", async () => {
    const { contents: _, ...rest } = ALL;
    const { pull, findings } = await reviewWith(rest);
    expect(findings).toEqual([]);
    expect(pull.checkRuns.map(({ conclusion }) => conclusion)).toEqual(["action_required"]);
    expect(pull.checkRuns[0]?.title).toContain("GitHub does not let Forge read this");
    expect(pull.reviews).toEqual([]);
  });
});
