import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { until } from "../until.ts";
import { type ChaosOptions, type ChaosWorld, createChaosWorld } from "./chaos-world.ts";
import { type ForgeProcess, spawnForge } from "./forge-process.ts";
import { openPull } from "./stories.ts";
import { outcomeOf, violations } from "./violations.ts";

const LIMIT_MS = 300_000;
const FOUR_COMMENTS = 4;

let world: ChaosWorld;
afterEach(() => world.end());

async function begin(options?: ChaosOptions): Promise<void> {
  world = await createChaosWorld(options);
  await world.age(120_000);
}

async function untilReached(forge: ForgeProcess, name: string): Promise<void> {
  await until(() => {
    if (!forge.isAlive()) throw new Error(`Forge ended:\n${forge.output()}`);
    return forge.reached().some((point) => point.name === name);
  });
}

/** Opens a pull request and expects its whole review. */
async function expectReview(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  const pull = await openPull.tell(world);
  await meanwhile();
  await world.settled();
  const outcome = outcomeOf(world, pull);
  expect([outcome.conclusion, outcome.comments.length]).toEqual(["failure", FOUR_COMMENTS]);
  expect(await violations(world, pull, outcome)).toEqual([]);
}

it(
  "PIPE-7: killed while it makes its tables, Forge makes them at the next start",
  async () => {
    await begin();
    for (const name of ["before commit: tables made", "after commit: tables made", "before commit: owner written"]) {
      expect(await world.launch({ order: { killAt: { name, occurrence: 1 } } }).ended).toBe("SIGKILL");
    }
    await world.start();
    await expectReview();
  },
  LIMIT_MS,
);

it.each([
  { grace: "0", what: "gives the work back at once" },
  { grace: "20", what: "finishes what is under way" },
])(
  "OPS-3: SIGTERM during a review with $grace s of grace $what, and the next start goes on",
  async ({ grace }) => {
    await begin({ variables: { FORGE_SHUTDOWN_SECONDS: grace } });
    const forge = await world.start();
    await world.settled();
    await forge.order({});
    await expectReview(async () => {
      await untilReached(forge, "after commit: events phase.entered");
      forge.child.kill("SIGTERM");
      expect(await forge.ended).toBe(0);
      await world.github.idle();
      await world.age(120_000);
      await world.start();
    });
  },
  LIMIT_MS,
);

it(
  "OPS-1: a second process on the same database file is refused and says why; the first goes on",
  async () => {
    await begin();
    await world.start();
    await expectReview(async () => {
      const second = spawnForge({ variables: { ...world.variables, PORT: "0" }, watched: false });
      expect(await second.ended).not.toBe(0);
      expect(second.output()).toContain("The database file is in use by forge both (pid");
    });
  },
  LIMIT_MS,
);

it(
  "SEC-7: while the disk is full deliveries are refused with 503; with space again they are taken and work goes on",
  async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), "forge-disk-"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk]);
    try {
      await begin(mounted.status === 0 ? { databaseFolder: disk } : {});
      if (mounted.status !== 0) skip("mounting a small disk needs root");
      await world.start();
      await world.settled();
      const ballast = join(disk, "ballast");
      fillDisk(ballast);
      await expectReview(async () => {
        await world.github.idle();
        const refused = world.github.deliveries.filter(({ statusCode }) => statusCode === 503);
        expect(refused.map(({ event }) => event)).toContain("pull_request");
        rmSync(ballast);
        for (const { id } of refused) world.github.redeliver(id);
      });
    } finally {
      spawnSync("umount", ["--lazy", disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);

/** Until not even a page of the database fits. */
function fillDisk(ballast: string): void {
  for (let size = 1_048_576; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}
