import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { closeServer } from "../../simulator/close-server.ts";
import { evaluate } from "../../simulator/facts/workflow-files.ts";
import type { RunningJob } from "../../simulator/running.ts";
import { until } from "../until.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

const SHOP = "acme/shop";
const WORKFLOW = ".github/workflows/deploy.yml";
const EXAMPLES = "examples/deploy";
/** Minutes become moments, and nothing else of an example is changed. */
const AT_ONCE = { bake_minutes: 0, ask_minutes: 0, probe_seconds: 1, watch_minutes: 0.02 };
const read = (path: string) => readFileSync(join(EXAMPLES, path), "utf8");

let world: World;
let folder: string;
let service: Server;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
  await closeServer(service);
  rmSync(folder, { recursive: true, force: true });
});

interface Service {
  /** The commit that answers; none as long as nothing is deployed. */
  running(): string | undefined;
  /** Commits that do not work. */
  readonly broken: Set<string>;
}

/** The repository of an example, whose service says at its health endpoint which commit runs. */
async function begin(example: string, running: Service["running"], environment: Record<string, string> = {}) {
  const broken = new Set<string>();
  service = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    const commit = running();
    response.statusCode = commit === undefined || broken.has(commit) ? 500 : 200;
    response.end(JSON.stringify({ commit }));
  });
  await new Promise<void>((done) => service.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/healthz`;
  const sources = join(folder, "sources.json");
  writeFileSync(sources, read("health/sources.json").replace("https://shop.example.com/healthz", address));
  const settings = parse(read(`${example}/forge.yml`)) as { deploy: { production: object } };
  Object.assign(settings.deploy.production, AT_ONCE);
  const workflow = `${example}/deploy.yml`;
  const hasWorkflow = existsSync(join(EXAMPLES, workflow));
  const files = { ".github/forge.yml": stringify(settings), ...(hasWorkflow ? { [WORKFLOW]: read(workflow) } : {}) };
  world = await createWorld({ files, environment: { FORGE_SOURCES: sources, ...environment } });
  if (hasWorkflow) {
    world.github.workflows(SHOP).conduct("silent");
    world.github.workflows(SHOP).on(WORKFLOW, (job) => runSteps(read(workflow), job));
  }
  return broken;
}

interface Step {
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The commands of a workflow's job in a real shell. What it says by `gh` is what it says. */
async function runSteps(workflow: string, job: RunningJob): Promise<void> {
  const { jobs } = parse(workflow) as { jobs: { deploy: Step & { steps: Step[] } } };
  const deployment = { id: job.deploymentId, environment: job.environment, sha: job.sha, payload: job.payload };
  const github = {
    ...{ event: { deployment }, repository: SHOP, token: "t", server_url: "https://github.com" },
    run_id: `${job.runId}`,
  };
  const filled = (env: Step["env"] = {}) =>
    Object.fromEntries(
      Object.entries(env).map(([name, text]) => [name, evaluate(text, { github, inputs: job.inputs })]),
    );
  const [path, wanted] = jobs.deploy.if?.split(" == ") ?? [];
  if (path !== undefined) expect(evaluate(`\${{ ${path} }}`, { github })).toBe(wanted);
  for (const step of jobs.deploy.steps) {
    if (step.run === undefined || step.if === "failure()") continue;
    const env = { PATH: `${folder}/bin:${process.env.PATH}`, ...filled(jobs.deploy.env), ...filled(step.env) };
    await promisify(execFile)("bash", ["-e", "-c", step.run], { cwd: folder, env });
    const said = /^api (\S+) -f state=(\w+)/.exec(readFileSync(join(folder, "said"), "utf8"));
    writeFileSync(join(folder, "said"), "");
    if (said === null) continue;
    expect(said[1]).toBe(`repos/${SHOP}/deployments/${job.deploymentId}/statuses`);
    job.say(said[2] as "in_progress" | "success");
  }
}

/** A machine with `gh`, and the `deploy.sh` of a service, which logs its arguments. */
function standUp(): () => string[] {
  folder = mkdtempSync(join(tmpdir(), "forge-examples-"));
  mkdirSync(join(folder, "bin"));
  const program = (path: string, text: string) =>
    writeFileSync(join(folder, path), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program("bin/gh", `echo "$@" >'${folder}/said'`);
  program("deploy.sh", `echo "$@" >>'${folder}/deployed'`);
  for (const name of ["said", "deployed"]) writeFileSync(join(folder, name), "");
  return () => readFileSync(join(folder, "deployed"), "utf8").split("\n").filter(Boolean);
}

const says = (number: number, text: string) =>
  world.github.pullRequest(SHOP, number).comments.some(({ by, body }) => by === "forge[bot]" && body.includes(text));

/** Merges a change, and lets it go to production. */
async function release(name: string, isKnown = (_sha: string) => {}): Promise<{ number: number; sha: string }> {
  const { number } = await openPull(world, { [`src/${name}.ts`]: CLEAN }, { branch: name, title: `Add ${name}` });
  await world.settled();
  const sha = await world.github.mergePullRequest(SHOP, number, "ana");
  isKnown(sha);
  await until(() => says(number, "be deployed to production?"));
  world.github.comment(SHOP, number, { body: "/forge approve it was looked at", by: "ana" });
  return { number, sha };
}

it.each(["deployment", "workflow-dispatch"])(
  "DOC-2, DEP-2: the example for %s deploys step by step, and goes back from a version that does not answer",
  async (example) => {
    const deployed = standUp();
    const broken = await begin(example, () => deployed().at(-1)?.split(" ")[2]);
    const good = await release("count");
    await until(() => says(good.number, "runs in production"));
    await world.settled();
    const bad = await release("label", (sha) => broken.add(sha));
    await until(() => says(bad.number, "**Rolled back**: production runs"));
    const shares = example === "deployment" ? ["50", "100"] : ["100"];
    expect(deployed()).toEqual([
      ...shares.map((share) => `production deploy ${good.sha} ${share}`),
      `production deploy ${bad.sha} ${shares[0]}`,
      `production rollback ${good.sha} 100`,
    ]);
    if (example !== "deployment") return;
    const [documented] = [...readFileSync("docs/guides/deploying.md", "utf8").matchAll(/^```json\n(.*?)^```/gms)];
    const sent = world.github.deployments(SHOP).map(({ payload }) => fieldsOf((payload as { forge: object }).forge));
    const said = fieldsOf((JSON.parse(documented![1]!) as { forge: object }).forge);
    expect(sent).toEqual(sent.map(() => said));
  },
);

const fieldsOf = (forge: object) => Object.keys(forge).sort();

it("DOC-2, DEP-2: the example of a program puts a static site in place, and the last one back", async () => {
  standUp();
  const [root, source] = [join(folder, "site"), join(folder, "source.git")];
  const current = join(root, "production", "current");
  const running = () => (existsSync(current) ? basename(readlinkSync(current)) : undefined);
  const variables = { DEPLOY_ROOT: root, DEPLOY_SOURCE: source, DEPLOY_REPOSITORY: SHOP };
  Object.assign(process.env, variables);
  try {
    const program = join(folder, "deploy-step.mjs");
    // Where this machine has its Node is no matter of the example.
    const text = read("program/deploy-step.mjs").replace("/usr/bin/env node", process.execPath);
    writeFileSync(program, text, { mode: 0o755 });
    const broken = await begin("program", running, { FORGE_DEPLOY_PROGRAM: program });
    execFileSync("git", ["clone", "--quiet", "--mirror", world.github.gitDirectory(SHOP), source]);
    const good = await release("count");
    await until(() => says(good.number, "runs in production"));
    expect(running()).toBe(good.sha);
    expect(readFileSync(join(current, "src/count.ts"), "utf8")).toBe(CLEAN);
    await world.settled();
    const bad = await release("label", (sha) => broken.add(sha));
    await until(() => says(bad.number, "**Rolled back**: production runs"));
    expect(running()).toBe(good.sha);
    // Another environment has its own place, and another repository none.
    const step = {
      action: "deploy",
      repository: SHOP,
      environment: "staging",
      sha: bad.sha,
      marker: { run: "r", step: 0 },
    };
    const say = (change: object) =>
      execFileSync(program, { input: JSON.stringify({ ...step, ...change }), encoding: "utf8", stdio: "pipe" });
    expect(say({})).toBe('{"state":"done"}\n');
    expect(basename(readlinkSync(join(root, "staging", "current")))).toBe(bad.sha);
    expect(running()).toBe(good.sha);
    expect(() => say({ repository: "acme/other" })).toThrow("acme/other does not deploy here");
    expect(() => say({ environment: "../production" })).toThrow("environment is no name of a folder");
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
});
