import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { readQueue } from "../../src/store/jobs/read-queue.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { until } from "../until.ts";
import { openPull } from "./pulls.ts";
import { worldWithModel } from "./with-model.ts";
import { createWorld } from "./world.ts";

const at = worldWithModel();

const reads = (path: string): ScriptedReply => ({ calls: [{ name: "read_file", input: { path } }] });
const DONE: ScriptedReply = { calls: [{ name: "complete", input: { summary: "Counts.", findings: [] } }] };

function check() {
  return at.world.github.pullRequest("acme/shop", 1).checkRuns[0];
}

/** Waits, as the model does while it thinks, until the check says more than that the review goes on. */
async function titleThatMoved(): Promise<string> {
  await until(() => !["Reviewing", "Queued"].includes(check()?.title ?? ""));
  return check()?.title ?? "";
}

/** Short enough that the worker still has its job, which it holds for 15 s and says so every 5. */
const STEP_MS = 9_000;

/** A moment passes, and each worker has its job for longer than another one. */
async function aMoment({ clock, forge } = at.world): Promise<void> {
  clock.advance(STEP_MS);
  const next = new Date(clock.now().getTime() + STEP_MS).toISOString();
  await until(async () => (await readQueue(forge!.store, next)).workers.every(({ leaseUntil }) => leaseUntil > next));
}

it("GH-12: a review that takes minutes says on its check what it does, and its end replaces that", async () => {
  const titles: string[] = [];
  await at.begin(
    async ({ turn }) => {
      if (turn === 0) return reads("README.md");
      if (turn > 1) {
        titles.push(await titleThatMoved());
        return DONE;
      }
      for (let passed = 0; passed <= 60_000; passed += STEP_MS) await aMoment();
      return reads("src/a.ts");
    },
    { ".github/forge.yml": "review:\n  ai: always\n" },
  );
  await openPull(at.world, { "src/a.ts": "export const a = 1;\n" }, { branch: "topic" });
  await at.world.settled();
  expect(titles).toEqual([
    expect.stringMatching(/^Reviewing: (?:reading (?:2 files|src\/a\.ts)|asking \S+ about the change, 2 files read)$/),
  ]);
  expect(check()).toMatchObject({ status: "completed", conclusion: "success" });
  const { store } = at.world.forge!;
  const [run] = await listRuns(store, { limit: 1 });
  const told = (await readEvents(store, run!.traceId)).filter(({ type }) => type === "review.progressed");
  expect(told).toHaveLength(1);
});

/** Waits until the sandbox's copy of the repository has a file `go`. */
const PATIENT = `import { existsSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import "./price.js";
test("waits", async () => {
  while (!existsSync("go")) await setTimeout(20);
});
`;

describeInSandbox("GH-12: the tests of a pull request of people", () => {
  it("say on their check what they do, and their end replaces that", async () => {
    const files = {
      "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
      ".github/forge.yml": "review:\n  tests: always\n",
    };
    const world = await createWorld({ files });
    try {
      const pull = { "price.js": "export const price = 1;\n", "price.test.js": PATIENT };
      await openPull(world, pull, { branch: "topic" });
      const tests = () => world.github.pullRequest("acme/shop", 1).checkRuns.find(({ name }) => name === "forge/tests");
      await until(() => tests()?.title === "Testing");
      await until(async () => {
        await aMoment(world);
        return tests()?.title !== "Testing";
      });
      const told = tests();
      for (const path of readdirSync(world.directory, { recursive: true, encoding: "utf8" })) {
        if (path.endsWith("price.test.js")) writeFileSync(join(world.directory, dirname(path), "go"), "");
      }
      expect(told).toMatchObject({ status: "in_progress", title: "Testing: running the tests in 1 file" });
      await world.settled();
      expect(tests()).toMatchObject({ status: "completed", conclusion: "success" });
      await world.expectGoodManners();
    } finally {
      await world.end();
    }
  });
});
