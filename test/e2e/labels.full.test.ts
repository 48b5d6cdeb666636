import { expect, it } from "vitest";
import { endEach } from "./end-world.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

const sent = (repository = "acme/shop") =>
  world.github.requests
    .filter(({ method, path }) => method === "POST" && path === `/repos/${repository}/labels`)
    .map(({ body }) => (body as { name: string }).name);

it("GH-9: an installation gets the labels that Forge uses once, and nothing else", async () => {
  world = await createWorld();
  world.github.faults.add({ kind: "lostResponse", match: { operation: "issues/create-label" }, times: 1 });
  world.github.faults.add({ kind: "rateLimit", retryAfter: 2, match: { operation: "issues/get-label" }, times: 1 });
  await world.settled();
  expect(sent()).toEqual(["forge:implement", "forge:skip"]);
  world.github.redeliver(world.github.deliveries.find(({ event }) => event === "installation")!.id);
  await world.settled();
  expect(sent()).toHaveLength(2);
  const writes = world.github.requests.filter(({ method, path }) => method !== "GET" && path.startsWith("/repos/"));
  expect(new Set(writes.map(({ path }) => path))).toEqual(new Set(["/repos/acme/shop/labels"]));
});

it("GH-9: a repository that is added later gets them too; labels that are there stay", async () => {
  world = await createWorld();
  world.github.createAccount("globex", "Organization", { members: { ana: "admin" } });
  for (const name of ["one", "two"]) {
    await world.github.createRepository("globex", name, { files: { "README.md": "# Here\n" } });
  }
  const { number } = world.github.openIssue("globex/two", { title: "Labelled", by: "ana" });
  await world.github.addLabel("globex/two", number, "Forge:Skip", "ana");
  const installation = world.github.installApp(world.app, "globex", { repositories: ["one"] });
  await world.settled();
  expect(sent("globex/two")).toEqual([]);
  world.github.addRepositories(installation, ["two"]);
  await world.settled();
  expect(sent("globex/one")).toHaveLength(2);
  expect(sent("globex/two")).toEqual(["forge:implement"]);
});

it("GH-16: without the permission there are no labels, and no other harm", async () => {
  const permissions = { metadata: "read", checks: "write", contents: "read", pull_requests: "write", issues: "read" };
  world = await createWorld({ permissions, events: ["pull_request"] });
  await world.settled();
  expect(sent()).toEqual([]);
});
