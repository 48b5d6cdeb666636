import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLEAN, openPull } from "../e2e/pulls.ts";
import type { World } from "../e2e/world.ts";
import { until } from "../until.ts";
import type { Places } from "./tell-stories.ts";

const SHOP = "acme/shop";
const GUARDED = "acme/guarded";

const environment = (name: string) =>
  `  ${name}:\n    way: program\n    steps: [100]\n    bake_minutes: 0\n    ask_minutes: 0\n    probe_seconds: 1\n    start_minutes: 1440\n    finish_minutes: 1440\n    watch_minutes: 0.02\n`;

/** Merges go to staging, and from there to production, by the operator's program. */
export const DEPLOYED = {
  ".github/forge.yml": `review:\n  ai: never\ndeploy:\n  after_merge: production\n${environment("staging")}${environment("production")}`,
};

/** A repository whose own workflow deploys, and asks Forge whether it may. */
export const ASKING = {
  ".github/forge.yml": "review:\n  ai: never\n",
  ".github/workflows/deploy.yml": "on: workflow_dispatch\njobs:\n  deploy: { environment: production }\n",
};

/** Writes the deploy program of an operator into a folder. Its answer for each step is set with `says`. */
export function operatorsProgram(folder: string) {
  const [file, said] = [join(folder, "deploy.mjs"), join(folder, "said")];
  const text = `#!${process.execPath}
import { readFileSync } from "node:fs";
readFileSync(0);
console.log(JSON.stringify({ state: readFileSync(${JSON.stringify(said)}, "utf8") }));
`;
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  const says = (state: "running" | "done") => writeFileSync(said, state);
  return { file, says };
}

/** What the comments of a pull request say. */
export function said(world: World, number: number): readonly string[] {
  const all = world.github.pullRequest(SHOP, number).comments;
  return all.filter(({ by }) => by === "forge[bot]").map(({ body }) => body);
}

/** Resolves when one comment of a pull request says all of these. */
export function heard(world: World, number: number, ...texts: readonly string[]): Promise<void> {
  return until(() => said(world, number).some((body) => texts.every((text) => body.includes(text))));
}

/** Says yes to the question whether what was merged goes to this environment, once it is asked. */
export async function letGo(world: World, number: number, to: string): Promise<void> {
  const question = `be deployed to ${to}?`;
  await heard(world, number, question);
  const gates = said(world, number).flatMap((body) =>
    body.includes(question) ? (/\/forge approve (G-\d+)/.exec(body)?.[1] ?? []) : [],
  );
  world.github.comment(SHOP, number, { body: `/forge approve ${gates.at(-1)} it was looked at`, by: "ana" });
}

/**
 * Leaves production at a question that nobody has answered, staging in the middle of a step with a hold on what comes next and the next one
 * queued, and the answer to a workflow of another repository in the log.
 */
export async function tellDeployments(world: World, program: ReturnType<typeof operatorsProgram>): Promise<Places> {
  const { github } = world;
  const merge = async (name: string) => {
    const { number } = await openPull(world, { [`src/${name}.ts`]: CLEAN }, { branch: name, title: `Add ${name}` });
    await world.settled();
    await github.mergePullRequest(SHOP, number, "ana");
    return number;
  };
  await world.settled();
  await github.dispatch(GUARDED, "deploy.yml", "ana");
  await until(() => github.requests.some(({ operation }) => operation === "actions/review-custom-gates-for-run"));
  // Nobody knows what runs there, so an administrator starts it.
  github.bypassRules(github.workflows(GUARDED).runs().at(-1)?.id ?? 0, "ana");
  await world.settled();

  program.says("done");
  const first = await merge("first");
  await letGo(world, first, "staging");
  await heard(world, first, "runs in staging");
  await heard(world, first, "be deployed to production?");
  await world.settled();

  program.says("running");
  const second = await merge("second");
  await letGo(world, second, "staging");
  const { store } = world.forge!;
  const many = async (type: string) => {
    const rows = await store.read.all<{ type: string }>("select type from events");
    return rows.filter((row) => row.type === type).length;
  };
  await until(async () => (await many("deployment.started")) === 2);
  // The step is under way, so the world does not come to rest.
  const third = (await openPull(world, { "src/third.ts": CLEAN }, { branch: "third", title: "Add third" })).number;
  await github.mergePullRequest(SHOP, third, "ana");
  await until(async () => (await many("environment.queued")) > 0);
  github.comment(SHOP, second, { body: "/forge hold staging a sale runs", by: "ana" });
  await until(async () => (await many("environment.held")) === 1);
  await github.idle();
  return {
    production: { repository: SHOP, number: first },
    staging: { repository: SHOP, number: second },
    queued: { repository: SHOP, number: third },
    rule: { repository: GUARDED, number: 2 },
  };
}
