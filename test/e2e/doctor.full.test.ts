import { afterEach, expect, it } from "vitest";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { examine } from "../../src/app/examine.ts";
import { openSandbox } from "../../src/workspace/sandbox/open-sandbox.ts";
import { createWorld, type World } from "./world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

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

it("OPS-1: doctor asks each model and looks whether the sandbox holds", async () => {
  const answering = await startScriptedModel(() => ({ text: "Hello." }));
  const refusing = await startScriptedModel([]);
  const found = async (environment: Readonly<Record<string, string>>) => {
    const all: Record<string, string> = {};
    for await (const { what, state, detail } of examine(environment)) all[what] = `${state}: ${detail}`;
    return all;
  };
  const models = { FORGE_MODEL: "claude-hard", FORGE_FAST_MODEL: "claude-quick" };
  const good = await found({ ...answering.environment, ...models });
  for (const name of Object.values(models))
    expect(good[`model anthropic/${name}`]).toMatch(/^ok: answers, in \d+\.\d s, for \$\d+\.\d{6}/);
  expect(answering.asked.map(({ model }) => model)).toEqual(Object.values(models));
  expect(good.sandbox).toMatch("unavailable" in (await openSandbox()) ? /^warning: / : /^(?:ok|warning): holds/);
  const bad = await found({ ...refusing.environment, ...models });
  expect(bad["model anthropic/claude-hard"]).toMatch(/^wrong: .*The script is at its end/);
  expect((await found({})).models).toBe("ok: No model is set up: neither a key nor an address of a provider is given.");
  await answering.stop();
  await refusing.stop();
});
