import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { shareWorld } from "./end-world.ts";
import { CLEAN, checks, FAULTY, holdReview, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
shareWorld(createWorld, async (made) => {
  world = made;
  world.github.createAccount("eve");
  world.github.createAccount("globex", "Organization", { members: { ana: "admin" } });
  await world.settled();
});

const HELD = { branch: "topic" };

async function create(fullName: string, files: Record<string, string> = { "README.md": "# Here\n" }) {
  const [owner = "", name = ""] = fullName.split("/");
  await world.github.createRepository(owner, name, { files, collaborators: { ana: "admin" } });
  return fullName;
}

async function statuses(repository: string) {
  const name = repository.split("/")[1];
  const rows = await world.forge!.store.read.all<{ status: string }>(
    sql`select status from runs where json_extract(subject, '$.repository.name') = ${name} order by started_at, trace_id`,
  );
  return rows.map(({ status }) => status);
}

async function untilCancelled(repository: string) {
  await until(async () => (await statuses(repository)).includes("cancelled"));
  await world.settled();
}

async function restart() {
  await world.stop();
  await world.start();
}

describe("where a head may be", () => {
  it("GH-2: a fork's head is fetched by the pull request's reference, also when the fork is gone", async () => {
    const repository = await create("acme/public");
    await world.github.fork(repository, "eve");
    const { number } = await openPull(
      world,
      { "a.ts": FAULTY },
      { repository, branch: "patch", by: "eve", fork: "eve" },
    );
    await world.settled();
    expect(checks(world, number, repository)).toEqual([
      ["failure", "2 blocking errors: assignment to constant, self-comparison"],
    ]);
    world.github.deleteRepository("eve/public");
    expect(world.github.pullRequest(repository, number).headRepository).toBeNull();
    await restart();
    world.github.rerequestCheckRun(repository, world.github.pullRequest(repository, number).checkRuns[0]!.id, "ana");
    await world.settled();
    const pull = world.github.pullRequest(repository, number);
    expect(pull.allCheckRuns.map(({ conclusion }) => conclusion)).toEqual(["failure", "failure"]);
    expect(pull.reviews).toHaveLength(1);
  });

  it("GH-2: a repository without its default branch is reviewed with the defaults", async () => {
    await world.github.createRepository("acme", "headless", { collaborators: { ana: "admin" } });
    const repository = "acme/headless";
    await world.github.commit(repository, "develop", { files: { "a.ts": CLEAN }, message: "Begin", author: "ana" });
    const { number } = await openPull(world, { "b.ts": CLEAN }, { repository, branch: "b", base: "develop" });
    await world.settled();
    expect(checks(world, number, repository)).toEqual([["success", "Clean: 1 file, 3 added lines"]]);
  });

  it("SEC-3: a branch's name is never an option, a command or a mention", async () => {
    const repository = await create("acme/names");
    const names = [
      "--upload-pack=touch$IFS./owned",
      "-x",
      "quo\"te'",
      "ünï/分支",
      "a;touch`owned`$(touch$IFS./owned)",
      "line\u2028\u0085break",
      "@everyone-fixes-#1",
      "<!--x-->|pipe",
    ];
    const pulls = [];
    for (const [index, branch] of names.entries()) {
      const base = `${branch}-base`;
      const grow = { files: { "base.ts": CLEAN }, message: "Base", author: "ana" };
      const from = await world.github.commit(repository, base, grow);
      const files = { [`f${index}.ts`]: CLEAN };
      pulls.push(await openPull(world, files, { repository, branch, base, from, title: branch }));
    }
    await world.settled();
    const titles = pulls.map(({ number }) => checks(world, number, repository));
    expect(titles).toEqual(names.map(() => [["success", "Clean: 1 file, 3 added lines"]]));
    expect(existsSync("owned")).toBe(false);
  });
});

describe("what goes away during a review", () => {
  it("GH-12a: a deleted repository ends its run and nothing is written", async () => {
    const repository = await create("acme/deleted");
    const held = holdReview(world);
    await openPull(world, { "a.ts": FAULTY }, { ...HELD, repository });
    await held;
    world.github.deleteRepository(repository);
    await untilCancelled(repository);
    expect(await statuses(repository)).toEqual(["cancelled"]);
  });

  it("GH-12a: a repository whose deletion nobody announced ends its run as well", async () => {
    const repository = await create("acme/vanished");
    world.github.faults.add({ kind: "drop", match: { event: "repository" }, times: 1 });
    world.github.faults.add({ kind: "drop", match: { event: "pull_request" }, times: 1 });
    await openPull(world, { "a.ts": FAULTY }, { ...HELD, repository });
    await world.settled();
    const lost = world.github.deliveries.find(({ event, statusCode }) => event === "pull_request" && statusCode === 0);
    world.github.deleteRepository(repository);
    world.github.redeliver(lost!.id);
    await world.settled();
    expect(await statuses(repository)).toEqual(["cancelled"]);
  });

  it("GH-9: a transferred repository ends here and is taken up by the new owner's installation", async () => {
    const repository = await create("acme/moving");
    const there = world.github.installApp(world.app, "globex");
    const held = holdReview(world);
    const { number } = await openPull(world, { "a.ts": FAULTY }, { ...HELD, repository });
    await held;
    world.github.transferRepository(repository, "globex");
    await untilCancelled(repository);
    await restart();
    await until(() => world.github.pullRequest("globex/moving", number).reviews.length > 0);
    await world.settled();
    expect(checks(world, number, "globex/moving")).toEqual([
      ["failure", "2 blocking errors: assignment to constant, self-comparison"],
    ]);
    world.github.uninstall(there);
    await world.settled();
  });

  it("GH-9: a suspended installation is left alone, and its heads are taken when it is back", async () => {
    const repository = await create("acme/paused");
    const held = holdReview(world);
    const { number } = await openPull(world, { "a.ts": FAULTY }, { ...HELD, repository });
    await held;
    world.github.suspendInstallation(world.installation);
    await untilCancelled(repository);
    const written = world.github.requests.length;
    await restart();
    await world.settled();
    const since = world.github.requests.slice(written).filter(({ path }) => path.startsWith("/repos/"));
    expect(since).toEqual([]);
    world.github.unsuspendInstallation(world.installation);
    await restart();
    await until(() => world.github.pullRequest(repository, number).reviews.length > 0);
    await world.settled();
    expect(world.github.pullRequest(repository, number).checkRuns[0]?.conclusion).toBe("failure");
  });

  it("GH-9: a removed repository and an uninstalled App end what is under way and nothing is written any more", async () => {
    const kept = await create("globex/kept");
    const removed = await create("globex/removed");
    const installation = world.github.installApp(world.app, "globex", { repositories: ["kept", "removed"] });
    for (const repository of [removed, kept]) {
      const held = holdReview(world);
      await openPull(world, { "a.ts": FAULTY }, { ...HELD, repository });
      await held;
      const written = world.github.requests.length;
      if (repository === removed) world.github.removeRepositories(installation, ["removed"]);
      else world.github.uninstall(installation);
      await untilCancelled(repository);
      expect(await statuses(repository)).toEqual(["cancelled"]);
      const since = world.github.requests
        .slice(written)
        .filter(({ method, path }) => method !== "GET" && path.startsWith("/repos/"));
      expect(since).toEqual([]);
    }
  });
});

describe("what was missed", () => {
  it("PIPE-7: a head whose webhooks were all lost is found by looking", async () => {
    const repository = await create("acme/unheard");
    const lost = world.github.faults.add({ kind: "drop" });
    const { number } = await openPull(world, { "a.ts": FAULTY }, { ...HELD, repository });
    await world.settled();
    lost.remove();
    expect(checks(world, number, repository)).toEqual([]);
    await restart();
    await until(() => world.github.pullRequest(repository, number).reviews.length > 0);
    await world.settled();
    expect(checks(world, number, repository)).toEqual([
      ["failure", "2 blocking errors: assignment to constant, self-comparison"],
    ]);
    await restart();
    await world.settled();
    expect(world.github.pullRequest(repository, number).allCheckRuns).toHaveLength(1);
  });

  it("SEC-7: what was delivered while Forge was down is asked for again", async () => {
    const repository = await create("acme/down");
    const { number } = await openPull(world, { "a.ts": CLEAN }, { ...HELD, repository });
    await world.settled();
    await world.stop();
    world.github.rerequestCheckRun(repository, world.github.pullRequest(repository, number).checkRuns[0]!.id, "ana");
    await world.github.idle();
    world.clock.advance(2 * 60_000);
    await world.start();
    await until(() => world.github.pullRequest(repository, number).allCheckRuns.length === 2);
    await world.settled();
    const conclusions = world.github.pullRequest(repository, number).allCheckRuns.map(({ conclusion }) => conclusion);
    expect(conclusions).toEqual(["success", "success"]);
  });
});
