import { afterEach, expect, it } from "vitest";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { examine } from "../../src/app/examine.ts";
import { startLines } from "../../src/app/start-lines.ts";
import { githubUrls } from "../../src/github/github-urls.ts";
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
  });
  const lines: string[] = [];
  for await (const line of startLines(world.config, 3000, "http://127.0.0.1:3000/?token=t")) lines.push(line);
  expect(lines[0]).toMatch(/^Forge \d+\.\d+\.\d+ is running\. Ctrl-C stops it\.$/);
  const found = new Map(lines.slice(1).map((line) => [line.slice(2, 14).trim(), line.slice(15)]));
  expect(found.get("address")).toMatch(/^http:\/\/.*:3000$/);
  expect(found.get("webhooks")).toMatch(/^POST http:\/\/.*:3000\/api\/github\/webhooks$/);
  expect(found.get("this process")).toBe("http://127.0.0.1:3000/?token=t (good once, on this machine, for an hour)");
  expect(found.get("App")).toMatch(/its key is accepted, 1 installation$/);
  expect(found.get("models")).toMatch(/^off: No model is set up/);
  expect(found.get("permissions")).toBe("all there");
  expect(found.get("sandbox")).toBeDefined();
});

it("CLI-3: where GitHub is out of reach, the lines of a start say so once", async () => {
  world = await createWorld({ start: false });
  const config = { ...world.config, github: githubUrls("127.0.0.1:9", "http") };
  const lines: string[] = [];
  for await (const line of startLines(config, undefined)) lines.push(line);
  expect(lines.filter((line) => line.includes("no answer"))).toEqual([
    expect.stringMatching(/^ {2}App {10}wrong: no answer: /),
  ]);
  expect(lines.some((line) => line.includes("webhooks"))).toBe(false);
  expect(lines.at(-1)).toMatch(/^ {2}missing {6}see above; `.* doctor` looks again$/);
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
  expect((await found({})).models).toMatch(/^off: No model is set up: /);
  await answering.stop();
  await refusing.stop();
});
