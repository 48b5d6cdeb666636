import { afterEach, expect, it } from "vitest";
import { examine } from "../../src/app/examine.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.end());

async function examined(environment: Readonly<Record<string, string>>) {
  const found: Record<string, string> = {};
  for await (const { what, state } of examine(environment)) found[what] = state;
  return found;
}

function environment({ config }: World): Record<string, string> {
  return {
    APP_ID: String(config.app.id),
    PRIVATE_KEY: config.app.privateKey,
    WEBHOOK_SECRET: config.webhookSecrets[0]!,
    GHE_HOST: new URL(config.github.origin).host,
    GHE_PROTOCOL: "http",
    DATABASE_URL: config.database.url,
    FORGE_DATA: config.dataDirectory,
    FORGE_MIRROR_GB: "0.001",
  };
}

it("OPS-1: doctor finds everything in order beside a running Forge", async () => {
  world = await createWorld();
  expect(await examined(environment(world))).toMatchObject({
    git: "ok",
    configuration: "ok",
    disk: "ok",
    database: "ok",
    App: "ok",
    permissions: "ok",
    events: "ok",
  });
});

it("OPS-1: doctor names a wrong key and stops guessing there", async () => {
  world = await createWorld({ start: false });
  expect(await examined({ ...environment(world), APP_ID: "78" })).toMatchObject({ configuration: "ok", App: "wrong" });
  expect(await examined({})).toMatchObject({ git: "ok", configuration: "wrong" });
});
