import { expect, it } from "vitest";
import { readLedger } from "../../src/store/runs/ledger.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, FAULTY, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

const GRANTED = {
  metadata: "read",
  checks: "write",
  pull_requests: "write",
  contents: "write",
  merge_queues: "read",
};

const EVENTS = ["pull_request"];

async function push(source: string) {
  const files = { "src/same.ts": source };
  const pushed = await world.github.commit("acme/shop", "topic", { files, message: "Change", author: "ana" });
  await world.settled();
  return pushed;
}

/** What stands in the conversations that Forge began: whether resolved, and its answers. */
function threads() {
  const { reviewComments } = world.github.pullRequest("acme/shop", 1);
  const first = reviewComments.filter(({ inReplyTo }) => inReplyTo === null);
  return first.map(({ id, threadResolved }) => {
    const replies = reviewComments.filter(({ inReplyTo }) => inReplyTo === id);
    return [threadResolved, ...replies.map(({ body }) => body.split("\n")[0])];
  });
}

it("GH-3a: a fix resolves the threads of its findings and names the commit; what comes back opens its own thread again", async () => {
  world = await createWorld({ permissions: GRANTED, events: EVENTS });
  await openPull(world, { "src/same.ts": FAULTY }, { branch: "topic" });
  await world.settled();
  expect(threads().length).toBeGreaterThan(0);
  expect(new Set(threads().map(String))).toEqual(new Set(["false"]));

  await push(CLEAN);
  const [fix] = world.github.pullRequest("acme/shop", 1).heads.slice(-1);
  expect(new Set(threads().map(String))).toEqual(new Set([`true,Fixed in \`${fix!.slice(0, 7)}\`.`]));

  await push(FAULTY);
  const [again] = world.github.pullRequest("acme/shop", 1).heads.slice(-1);
  const told = `false,Fixed in \`${fix!.slice(0, 7)}\`.,Back since \`${again!.slice(0, 7)}\`.`;
  expect(new Set(threads().map(String))).toEqual(new Set([told]));
  expect(world.github.pullRequest("acme/shop", 1).reviews.filter(({ body }) => body !== "")).toHaveLength(1);
});

it("GH-3a: what was found in a file that is deleted since is outdated, and nobody is told that it was fixed", async () => {
  world = await createWorld({ permissions: GRANTED, events: EVENTS });
  await openPull(world, { "src/same.ts": FAULTY, "src/other.ts": CLEAN }, { branch: "topic" });
  await world.settled();
  await world.github.commit("acme/shop", "topic", {
    files: { "src/same.ts": null },
    message: "Drop it",
    author: "ana",
  });
  await world.settled();
  const { heads, checkRuns } = world.github.pullRequest("acme/shop", 1);
  const since = `Outdated: its file is not part of this change since \`${heads.at(-1)!.slice(0, 7)}\`.`;
  expect(new Set(threads().map(String))).toEqual(new Set([`true,${since}`]));
  expect(checkRuns[0]?.conclusion).toBe("success");
  const ledger = await readLedger(world.forge!.store, (await listRuns(world.forge!.store, { limit: 1 }))[0]!.subject);
  expect(new Set(ledger.map(({ state }) => state))).toEqual(new Set(["outdated"]));
});

it("GH-16: where the App may only read contents the thread is told and stays open", async () => {
  world = await createWorld({ permissions: { ...GRANTED, contents: "read" }, events: EVENTS });
  await openPull(world, { "src/same.ts": FAULTY }, { branch: "topic" });
  await world.settled();
  await push(CLEAN);
  for (const [resolved, ...said] of threads()) {
    expect(resolved).toBe(false);
    expect(said).toEqual([expect.stringMatching(/^Fixed in `[0-9a-f]{7}`\. Resolve this thread\.$/)]);
  }
});
