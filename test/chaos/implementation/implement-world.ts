import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Asked, type ScriptedModel, startScriptedModel } from "../../../simulator/models/scripted-model.ts";
import { readDelivery } from "../../../src/store/inbox/read-delivery.ts";
import { nextRunAt } from "../../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../../src/store/jobs/read-jobs.ts";
import type { Store } from "../../../src/store/store.ts";
import { startLibsqlServer } from "../../store/libsql-server.ts";
import { until } from "../../until.ts";
import { type ChaosWorld, createChaosWorld } from "../chaos-world.ts";
import { type ForgeProcess, untilReady } from "../forge-process.ts";
import type { Point } from "../points.ts";
import { REPOSITORY } from "./people.ts";
import { mind, momentOf, SHOP_WITH_PACKAGE } from "./shop.ts";

/**
 * Where Forge runs.
 * - `one process`: on a file, always in the same data folder.
 * - `two machines`: two processes on a libSQL server, each in a data folder of its own that is new with every start.
 */
export type Place = "one process" | "two machines";

/** The shop on GitHub, a model that knows what to do, and Forge in one or two processes that can be killed. */
export interface ImplementWorld {
  readonly place: Place;
  readonly chaos: ChaosWorld;
  /** What the model was asked since the beginning, in order. */
  readonly asked: readonly string[];
  readonly processes: readonly ForgeProcess[];
  /** Forgets those that died; how many they were. */
  bury(): number;
  /** Starts what does not run and tells what does; resolves when webhooks are taken. All die at the point, or never without one. */
  start(killAt?: Point): Promise<void>;
  /**
   * Resolves when nothing is left to be done, or with the process that died. Throws after `limitMs`.
   */
  rest(limitMs?: number): Promise<ForgeProcess | undefined>;
  end(): Promise<void>;
}

/** @param server where the program of a libSQL server is, for `two machines` */
export async function createImplementWorld(place: Place, server?: string): Promise<ImplementWorld> {
  const folder = mkdtempSync(join(tmpdir(), "forge-machines-"));
  const database = place === "one process" ? undefined : await startLibsqlServer(server!, folder);
  const asked: string[] = [];
  const model: ScriptedModel = await startScriptedModel((question: Asked) => {
    asked.push(momentOf(question));
    return mind(question);
  });
  const chaos = await createChaosWorld({
    organisations: 1,
    ...(database ? { databaseUrl: `http://127.0.0.1:${database.port}` } : {}),
    variables: {
      ...model.environment,
      FORGE_OSV_URL: "",
      // Of its own: packages that another telling left would not be installed in this one.
      FORGE_CACHE: join(folder, "cache"),
    },
  });
  const { github } = chaos;
  github.createAccount("ben");
  github.setRole(REPOSITORY, "ben", "write");
  await github.commit(REPOSITORY, "main", { files: SHOP_WITH_PACKAGE, message: "Begin", author: "ana" });
  await github.idle();
  await chaos.age(120_000);
  const processes: (ForgeProcess | undefined)[] = place === "one process" ? [undefined] : [undefined, undefined];
  let requestsBefore = 0;
  const launch = (index: number, killAt?: Point) => {
    const variables = place === "one process" ? {} : { FORGE_DATA: mkdtempSync(join(folder, "data-")) };
    return chaos.launch({
      variables,
      ...(index > 0 ? { role: "worker" } : {}),
      ...(killAt ? { order: { killAt } } : {}),
    });
  };
  const world: ImplementWorld = {
    place,
    chaos,
    asked,
    get processes() {
      return processes.filter((each) => each !== undefined);
    },
    bury: () => {
      const dead = world.processes.filter((process) => !process.isAlive());
      for (const [index, process] of processes.entries()) {
        if (process && !process.isAlive()) processes[index] = undefined;
      }
      return dead.length;
    },
    start: async (killAt) => {
      if (world.processes.length < processes.length) requestsBefore = github.requests.length;
      for (const [index, process] of processes.entries()) {
        if (process) {
          await process.order(killAt ? { killAt } : {});
          continue;
        }
        // One after the other: whoever asks for what was missed needs somebody to take it.
        const started = launch(index, killAt);
        processes[index] = started;
        // One that is to die while it starts never gets ready.
        await (index === 0 ? untilReady(started, chaos.port).catch(ignoreDeath(started)) : untilRunning(started));
      }
    },
    rest: (limitMs = 400_000) => {
      const isComplete = () => world.processes.length === processes.length;
      return rest(world, () => github.requests.slice(requestsBefore), isComplete, limitMs);
    },
    end: async () => {
      for (const process of world.processes) {
        process.child.kill("SIGKILL");
        await process.ended;
      }
      await chaos.end();
      await model.stop();
      database?.process.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

function ignoreDeath(process: ForgeProcess) {
  return (error: unknown) => {
    if (process.child.signalCode !== "SIGKILL") throw error;
  };
}

async function untilRunning(process: ForgeProcess): Promise<void> {
  await until(() => !process.isAlive() || process.output().includes("forge is running"));
}

/** Instead of five minutes. */
const NEXT_SWEEP_MS = 10_000;

/** Looks again and again, because several programs have to come to rest together. */
async function rest(
  { chaos, processes }: ImplementWorld,
  requests: () => readonly { readonly operation: string | null; readonly status: number }[],
  isComplete: () => boolean,
  limitMs: number,
): Promise<ForgeProcess | undefined> {
  const deadline = Date.now() + limitMs;
  const sweep = Date.now() + NEXT_SWEEP_MS;
  for (let quiet = 0; quiet < 3; ) {
    await chaos.github.idle();
    const hasLooked = requests().some(({ operation }) => operation === "apps/list-webhook-deliveries");
    const awaited =
      (await chaos.read(busyWith).catch((error: Error) => error.message)) ??
      (hasLooked ? undefined : "nobody has asked for missed deliveries") ??
      (isComplete() ? await awaitedDelivery(chaos, Date.now() > sweep) : undefined);
    quiet = awaited === undefined ? quiet + 1 : 0;
    const dead = processes.find((process) => !process.isAlive());
    if (dead?.child.signalCode === "SIGKILL") return dead;
    if (dead) throw new Error(`Forge ended by itself:\n${dead.output().slice(-3_000)}`);
    if (Date.now() > deadline) {
      const said = processes.map((process) => process.output().slice(-3_000)).join("\n---\n");
      throw new Error(`not at rest after ${limitMs} ms: ${awaited}\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return undefined;
}

/** What there is to be done now or soon; undefined when there is nothing. */
async function busyWith(store: Store): Promise<string | undefined> {
  const { running } = await countJobs(store);
  if (running > 0) return `${running} jobs are running`;
  const next = await nextRunAt(store);
  return next !== undefined && Date.parse(next) < Date.now() + 30_000 ? `a job is due at ${next}` : undefined;
}

/**
 * What GitHub could not deliver and has still to be asked for. The one machine may have made something happen while the other one was starting: too
 * late for what that asks for when it begins. The sweep of five minutes later would, and so does this when it is said to be time.
 */
export async function awaitedDelivery({ github, read }: ChaosWorld, isTime: boolean): Promise<string | undefined> {
  const sent = new Map(github.deliveries.map((delivery) => [delivery.guid, delivery]));
  return read(async (store) => {
    for (const { guid, id, event } of sent.values()) {
      if (await readDelivery(store, guid)) continue;
      if (isTime) github.redeliver(id);
      return `webhook ${event} was not taken`;
    }
    return undefined;
  });
}
