import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Way } from "../../../src/domain/deployments.ts";
import { nextRunAt } from "../../../src/store/jobs/claim-job.ts";
import { countJobs, countJobsByKind } from "../../../src/store/jobs/read-jobs.ts";
import type { Store } from "../../../src/store/store.ts";
import { until } from "../../until.ts";
import { type ChaosWorld, createChaosWorld } from "../chaos-world.ts";
import { untilReady } from "../forge-process.ts";
import { awaitedDelivery } from "../implementation/implement-world.ts";
import type { Order, Point } from "../points.ts";
import { type ScriptedMetrics, startMetrics } from "./metrics.ts";
import { repositoryFiles, writeProgram } from "./shop.ts";

export const REPOSITORY = "acme-0/shop";
export const WORKFLOW = ".github/workflows/deploy.yml";

/** The shop on GitHub with what deploys it, its metrics, and Forge in a process that can be killed. */
export interface DeployWorld {
  readonly way: Way;
  readonly chaos: ChaosWorld;
  readonly metrics: ScriptedMetrics;
  /** Steps that the operator's program was told to do, where it deploys. */
  readonly programmed: () => readonly string[];
  /** Starts what does not run, and tells what does; it dies at the point. */
  start(killAt?: Point): Promise<void>;
  /** Resolves with true when Forge died, else when nothing is left to be done soon, or `enough` says so. */
  rest(enough?: () => boolean): Promise<boolean>;
  end(): Promise<void>;
}

export async function createDeployWorld(way: Way): Promise<DeployWorld> {
  const folder = mkdtempSync(join(tmpdir(), "forge-deploying-"));
  const metrics = await startMetrics();
  const sources = join(folder, "sources.json");
  const production = { prometheus: { url: metrics.url } };
  writeFileSync(sources, JSON.stringify({ repositories: { [REPOSITORY]: { production } } }));
  const log = join(folder, "log");
  const done = join(folder, "done");
  mkdirSync(done);
  writeFileSync(log, "");
  const program = join(folder, "deploy.mjs");
  writeProgram(program, { done, log });
  const chaos = await createChaosWorld({
    organisations: 1,
    variables: { FORGE_SOURCES: sources, ...(way === "program" ? { FORGE_DEPLOY_PROGRAM: program } : {}) },
  });
  const { github } = chaos;
  await github.commit(REPOSITORY, "main", { files: repositoryFiles(way, WORKFLOW), message: "Begin", author: "ana" });
  // A workflow with a script says on its deployment how it goes.
  github.workflows(REPOSITORY).on(WORKFLOW, async () => {});
  await github.idle();
  await chaos.age(120_000);
  let requestsBefore = 0;
  return {
    ...{ way, chaos, metrics },
    programmed: () => readFileSync(log, "utf8").split("\n").filter(Boolean),
    start: async (killAt) => {
      const order: Order = killAt ? { killAt, asks: true } : {};
      if (chaos.forge?.isAlive()) return chaos.forge.order(order);
      requestsBefore = github.requests.length;
      const started = chaos.launch({ order, mayDie: () => untilNobodyLooks(chaos) });
      // One that is to die while it starts never gets ready.
      await untilReady(started, chaos.port).catch((error) => {
        if (started.child.signalCode !== "SIGKILL") throw error;
      });
    },
    rest: (enough = () => false) => rest(chaos, () => requestsBefore, enough),
    end: async () => {
      await chaos.end();
      await metrics.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const LIMIT_MS = 300_000;
/** Instead of five minutes. */
const NEXT_SWEEP_MS = 10_000;

/** Looks again and again, because several programs have to come to rest together. */
async function rest(chaos: ChaosWorld, requestsBefore: () => number, enough: () => boolean): Promise<boolean> {
  const { github, forge, read } = chaos;
  const deadline = Date.now() + LIMIT_MS;
  const sweep = Date.now() + NEXT_SWEEP_MS;
  for (let quiet = 0; quiet < 3; ) {
    await github.idle();
    const hasLooked = github.requests
      .slice(requestsBefore())
      .some(({ operation, status }) => operation === "apps/list-webhook-deliveries" && status > 0);
    const busy = await read(busyWith).catch((error: Error) => error.message);
    const untold = hasLooked
      ? await awaitedDelivery(chaos, Date.now() > sweep)
      : "nobody has asked for missed deliveries";
    const awaited = busy ?? untold;
    quiet = awaited === undefined ? quiet + 1 : 0;
    if (forge.child.signalCode === "SIGKILL") return true;
    if (!forge.isAlive()) throw new Error(`Forge ended by itself:\n${forge.output().slice(-3_000)}`);
    if (untold === undefined && enough() && !(await read(isLookedAt))) return false;
    if (Date.now() > deadline)
      throw new Error(`not at rest after ${LIMIT_MS} ms: ${awaited}\n${forge.output().slice(-3_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return false;
}

/**
 * Forge dies at a write to GitHub only while no worker looks at a deployment. Otherwise two deaths in a row can meet the same look. It caused
 * neither and got no further in between, and the queue sets it aside as the cause of both.
 */
async function untilNobodyLooks({ read }: ChaosWorld): Promise<void> {
  await until(async () => !(await read(isLookedAt)));
}

/** Whether a worker is looking at a deployment. */
async function isLookedAt(store: Store): Promise<boolean> {
  const { counts } = await countJobsByKind(store, new Date().toISOString());
  return counts.some(({ kind, state }) => kind === "deploy" && state === "running");
}

/** What there is to be done now or soon; undefined when there is nothing. */
async function busyWith(store: Store): Promise<string | undefined> {
  const { running } = await countJobs(store);
  if (running > 0) return `${running} jobs are running`;
  const next = await nextRunAt(store);
  return next !== undefined && Date.parse(next) < Date.now() + 30_000 ? `a job is due at ${next}` : undefined;
}
