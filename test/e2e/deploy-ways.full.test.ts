import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { freePort } from "../../simulator/free-port.ts";
import { WAYS } from "../../src/domain/deployments.ts";
import { type ScriptedMetrics, startMetrics } from "../chaos/deployment/metrics.ts";
import { repositoryFiles, writeProgram } from "../chaos/deployment/shop.ts";
import { until } from "../until.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

const SHOP = "acme/shop";
const WORKFLOW = ".github/workflows/deploy.yml";

let world: World;
let metrics: ScriptedMetrics;
let folder: string;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
  await metrics.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Beginning {
  /** What the operator's program is, instead of one that does what it says. */
  readonly program?: string;
  /** Where both environments say how they are, instead of metrics. */
  readonly health?: string;
  /** Merges go straight to production. */
  readonly straight?: boolean;
}

/** Metrics, a program of the operator's, and a repository whose merges go to staging and from there to production. */
async function begin(way: (typeof WAYS)[number], { program, health, straight = false }: Beginning = {}) {
  folder = mkdtempSync(join(tmpdir(), "forge-ways-"));
  metrics = await startMetrics();
  const [sources, log, done, file] = ["sources.json", "log", "done", "deploy.mjs"].map((name) => join(folder, name));
  const watched = health === undefined ? { prometheus: { url: metrics.url } } : { health: [{ url: health }] };
  writeFileSync(sources!, JSON.stringify({ repositories: { [SHOP]: { staging: watched, production: watched } } }));
  writeFileSync(log!, "");
  mkdirSync(done!);
  if (program === undefined) writeProgram(file!, { done: done!, log: log! });
  else writeFileSync(file!, `#!${process.execPath}\n${program}`, { mode: 0o755 });
  const files = repositoryFiles(way, WORKFLOW);
  const text = files[".github/forge.yml"]!;
  const staging = straight ? "" : stagingLike(text);
  const environment = { FORGE_SOURCES: sources!, FORGE_DEPLOY_PROGRAM: file! };
  world = await createWorld({ files: { ...files, ".github/forge.yml": `${text}${staging}` }, environment });
  world.github.workflows(SHOP).on(WORKFLOW, async () => {});
  return () => readFileSync(log!, "utf8").split("\n").filter(Boolean);
}

/** Settings of staging after those of production, in one step: what has any, gets what is merged first. */
function stagingLike(text: string): string {
  return text.slice(text.indexOf("  production:")).replace("production", "staging").replace("[50, 100]", "[100]");
}

const comments = (number: number) => {
  const all = world.github.pullRequest(SHOP, number).comments;
  return all.filter(({ by }) => by === "forge[bot]").map(({ body }) => body);
};
const says = (number: number, text: string) => comments(number).some((body) => body.includes(text));
const heard = (number: number, text: string) => until(() => says(number, text));
const say = (number: number, body: string) => world.github.comment(SHOP, number, { body, by: "ana" });

const runs = () =>
  world.github
    .workflows(SHOP)
    .runs()
    .map(({ conclusion }) => conclusion);

/** What was opened after a pull request. */
function opened(last: number) {
  const find = <T>(look: () => T): T[] => {
    try {
      return [look()];
    } catch {
      return [];
    }
  };
  return [last + 1, last + 2].flatMap((number) => [
    ...find(() => world.github.issue(SHOP, number)),
    ...find(() => world.github.pullRequest(SHOP, number)),
  ]);
}

async function merged(name: string) {
  const { number } = await openPull(world, { [`src/${name}.ts`]: CLEAN }, { branch: name, title: `Add ${name}` });
  await world.settled();
  return { number, sha: await world.github.mergePullRequest(SHOP, number, "ana") };
}

async function letGo(number: number, environment: string): Promise<void> {
  await heard(number, `be deployed to ${environment}?`);
  const gates = comments(number).flatMap((body) =>
    body.includes(`be deployed to ${environment}?`) ? (/\/forge approve (G-\d+)/.exec(body)?.[1] ?? []) : [],
  );
  say(number, `/forge approve ${gates.at(-1)} it was looked at`);
}

/** A first version has none before it to compare it with, so a person lets each step go on. */
async function promote(number: number, environment: string, step: string): Promise<void> {
  const isAsked = (body: string) =>
    [` to ${environment}** · ${step}`, "neither continues nor rolls back by itself"].every((text) =>
      body.includes(text),
    );
  await until(() => comments(number).some(isAsked));
  say(number, `/forge promote ${environment} ${step.replace("%", "percent")} was looked at`);
}

it.each(WAYS.map((way) => [way, way === "deployment" ? "from staging to production" : "to production"] as const))(
  "DEP-1, DEP-2: by way of %s a merge goes %s behind a gate and in steps, and back where it is worse",
  async (way) => {
    // The path from staging to production is the same by every way, so one of them takes it.
    const straight = way !== "deployment";
    const programmed = await begin(way, { straight });
    const good = await merged("count");
    if (!straight) {
      await letGo(good.number, "staging");
      await promote(good.number, "staging", "100 % of the traffic");
      await heard(good.number, "runs in staging");
    }
    await letGo(good.number, "production");
    await promote(good.number, "production", "step 1 of 2");
    await promote(good.number, "production", "step 2 of 2");
    await heard(good.number, "runs in production");

    await world.settled();
    const bad = await merged("label");
    if (!straight) {
      await letGo(bad.number, "staging");
      await heard(bad.number, "runs in staging, was watched to the end");
    }
    metrics.bad.add(bad.sha);
    await letGo(bad.number, "production");
    await heard(bad.number, "**Rolled back**: production runs");
    await heard(bad.number, "**Production is held**");
    await world.settled();
    // The issue has the evidence, the pull request takes it back.
    const pull = opened(bad.number).find(({ title }) => title.startsWith("Revert"));
    expect(pull).toMatchObject({ by: "forge[bot]", state: "open" });
    const issue = opened(bad.number).find(({ title }) => title.includes("was rolled back in production"));
    expect(issue?.body).toContain("| error rate | 20 % | 0.2 % | **worse**, 100 times |");
    const staged = (sha: string) => (straight ? [] : [`deploy ${sha} 100`]);
    const expected = [
      ...[...staged(good.sha), `deploy ${good.sha} 50`, `deploy ${good.sha} 100`],
      ...[...staged(bad.sha), `deploy ${bad.sha} 50`, `rollback ${good.sha} 100`],
    ];
    if (way === "program") expect(programmed()).toEqual(expected);
    else expect(runs()).toEqual(expected.map(() => "success"));
  },
);

it("DEP-1: where the workflow of a first version fails, a person has to act, and production gets nothing", async () => {
  await begin("deployment");
  world.github.workflows(SHOP).conduct("fail", { path: WORKFLOW, times: 1 });
  const { number } = await merged("count");
  await letGo(number, "staging");
  await heard(number, "**Not rolled back: staging has no earlier version to go back to. A person has to act now.**");
  await world.settled();
  expect(runs()).toEqual(["failure"]);
  expect(says(number, "to production")).toBe(false);
});

it.each([
  ["is never there", '{ "state": "absent" }', "**Not deployed to staging**"],
  ["failed", '{ "state": "failed", "detail": "no room left" }', "no room left"],
])("DEP-2: a program that deploys, and says that it %s, is not believed to have deployed", async (_, answer, words) => {
  await begin("program", { program: `console.log(${JSON.stringify(answer)});\n` });
  const { number } = await merged("count");
  await letGo(number, "staging");
  if (answer.includes("absent")) {
    await heard(number, "it waits to begin");
    world.clock.advance(11 * 60_000);
  }
  await heard(number, words);
});

it("DEP-2, DEP-3: a program that says done though nothing is there is not believed: nothing answers, and production gets nothing", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  await begin("program", { program: 'console.log(JSON.stringify({ state: "done" }));\n', health: nobody });
  const { number, sha } = await merged("count");
  await letGo(number, "staging");
  await heard(number, "**Not rolled back: staging has no earlier version to go back to. A person has to act now.**");
  expect(says(number, `\`${sha.slice(0, 7)}\` does not work`)).toBe(true);
  await heard(number, "**Staging is held**");
  await world.settled();
  expect(says(number, "to production")).toBe(false);
});
