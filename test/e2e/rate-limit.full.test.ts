import { expect, it } from "vitest";
import { until } from "../until.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, checks, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

it("GH-13: a used-up rate limit pauses the whole installation and no other, and all goes on when it is over", async () => {
  world = await createWorld();
  const { github } = world;
  const files = { "README.md": "# More\n" };
  await github.createRepository("acme", "other", { files, collaborators: { ana: "admin" } });
  github.createAccount("globex", "Organization", { members: { ana: "admin" } });
  await github.createRepository("globex", "site", { files, collaborators: { ana: "admin" } });
  github.installApp(world.app, "globex");
  await world.settled();

  const match = { operation: "pulls/get", path: /\/acme\// };
  const limit = github.faults.add({ kind: "rateLimit", status: 429, retryAfter: 120, match, times: 1 });
  const shop = await openPull(world, { "shop.ts": CLEAN }, { branch: "topic" });
  await until(() => limit.hits === 1);
  await github.idle();
  const before = github.requests.length;
  const other = await openPull(world, { "other.ts": CLEAN }, { branch: "topic", repository: "acme/other" });
  const site = await openPull(world, { "site.ts": CLEAN }, { branch: "topic", repository: "globex/site" });
  await until(() => checks(world, site.number, "globex/site")[0]?.[0] === "success");
  const asked = github.requests.slice(before).filter(({ path }) => path.startsWith("/repos/acme/other"));
  expect(asked.map(({ operation }) => operation)).toEqual([]);

  await world.settled();
  const ends = [checks(world, shop.number), checks(world, other.number, "acme/other")];
  expect(ends).toEqual(ends.map(() => [["success", "Clean: 1 file, 3 added lines"]]));
  const tries = github.requests.filter(
    ({ operation, path }) => operation === "pulls/get" && path.includes("/acme/shop"),
  );
  expect(tries.map(({ status }) => status)).toEqual([429, 200]);
});
