import { spawnSync } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { freePort } from "../../../simulator/free-port.ts";
import { type Asked, type ScriptedReply, startScriptedModel } from "../../../simulator/models/scripted-model.ts";
import type { App } from "../../../simulator/records.ts";
import { type Simulator, startSimulator } from "../../../simulator/start-simulator.ts";
import { nextRunAt } from "../../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../../src/store/jobs/read-jobs.ts";
import { closeStore, openStore, openStoreReadOnly } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { goodMind } from "../../e2e/implementer.ts";
import { DOOR_SECRET, STORM_SOURCES } from "../door/storm.ts";
import { startProgram, type WatchedProgram } from "./watched-program.ts";

export type Mind = (asked: Asked) => ScriptedReply | Promise<ScriptedReply>;

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});

/** Folders of the machine that Forge runs on; each is told from the others by where it stands. */
export interface Places {
  readonly root: string;
  readonly home: string;
  readonly temporary: string;
  readonly data: string;
  /** Nothing may be written here, nor read: its file holds a secret. */
  readonly canary: string;
}

/** The key of the model: the same in every world, so that payloads can write it in ways of their own. */
export const MODEL_KEY = ["canary-model", "f3a9_c51e2d84b06", "77e0d19b"].join("-");

/** GitHub, a model and Forge in a process of its own that is watched, on a machine on which everything forbidden leaves a trace. */
export interface HostileWorld {
  readonly github: Simulator;
  readonly app: App;
  readonly places: Places;
  readonly port: number;
  readonly webhookSecret: string;
  /** What Forge knows and nobody else may: of its environment, its home and its configuration. */
  readonly secrets: readonly string[];
  /** What the model does; goes about its work honestly and finds nothing unless said otherwise. */
  mind: Mind;
  readonly asked: readonly Asked[];
  program: WatchedProgram;
  /** After a kill: resolves when it takes webhooks. */
  start(): Promise<void>;
  /** Resolves when nothing is left to be done within 30 seconds; with what was still to be done when that never comes. */
  settled(): Promise<string | undefined>;
  read<T>(look: (store: Store) => Promise<T>): Promise<T>;
  /** Stops the program, writes to its database, and starts it again. */
  write(change: (store: Store) => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

/** Whoever is not at rest by then never will be: an end to the waiting, no measure. */
const RESTLESS_MS = 600_000;

export async function createHostileWorld(): Promise<HostileWorld> {
  const places = layOut();
  const github = await startSimulator();
  const port = await freePort();
  const secret = (of: string) => `canary-${of}-${randomBytes(12).toString("hex")}`;
  const [environmentWord, homeWord, webhookSecret] = ["environment", "home", "webhook"].map(secret);
  for (const folder of [places.home, places.canary]) writeFileSync(join(folder, "secret.txt"), `${homeWord}\n`);
  const manifest = parse(readFileSync("app.yml", "utf8"));
  const app = github.createApp({
    appId: 77,
    slug: "forge",
    privateKey,
    webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
    webhookSecret: webhookSecret!,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
  });
  for (const person of ["ana", "ben", "mallory"]) github.createAccount(person);
  const asked: Asked[] = [];
  const model = await startScriptedModel((question) => {
    asked.push(question);
    return world.mind(question);
  });
  const sources = join(places.root, "sources.json");
  writeFileSync(sources, STORM_SOURCES);
  const databaseUrl = `file:${join(places.data, "forge.db")}`;
  const variables = {
    APP_ID: "77",
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret!,
    GHE_HOST: new URL(github.origin).host,
    GHE_PROTOCOL: "http",
    PORT: String(port),
    LOG_LEVEL: "info",
    DATABASE_URL: databaseUrl,
    FORGE_DATA: places.data,
    FORGE_DEBOUNCE_SECONDS: "0",
    FORGE_OSV_URL: "",
    FORGE_DAY_USD: "10000",
    FORGE_MODEL_TIMEOUT_SECONDS: "60",
    ANTHROPIC_BASE_URL: model.anthropicUrl,
    ANTHROPIC_API_KEY: MODEL_KEY,
    FORGE_SOURCES: sources,
    FORGE_DOOR: DOOR_SECRET,
    FORGE_CANARY: environmentWord!,
    HOME: places.home,
    TMPDIR: places.temporary,
  };
  let requestsBefore = 0;
  let reader: Store | undefined;
  const world: HostileWorld = {
    ...{ github, app, places, port, webhookSecret: webhookSecret!, asked, mind: goodMind },
    secrets: [
      environmentWord!,
      homeWord!,
      webhookSecret!,
      MODEL_KEY,
      DOOR_SECRET,
      ...privateKey.split("\n").filter((line) => line.length === 64),
    ],
    // Replaced by the first start, before anybody is given the world.
    program: undefined as unknown as WatchedProgram,
    start: async () => {
      requestsBefore = github.requests.length;
      world.program = await startProgram(variables, port);
    },
    settled: () => settle(world, () => hasLookedAround(world, requestsBefore)),
    read: async (look) => {
      reader ??= await openStoreReadOnly(databaseUrl);
      return look(reader);
    },
    write: async (change) => {
      // One process owns the file.
      await world.program.kill();
      const store = await openStore({ url: databaseUrl });
      await change(store).finally(() => closeStore(store));
      await world.start();
    },
    end: async () => {
      await world.program?.kill();
      if (reader) await closeStore(reader);
      await github.stop();
      await model.stop();
      // The system's own goes down where Node's does not, and whatever stays is nobody's concern any more.
      spawnSync("rm", ["-rf", places.root, places.canary]);
    },
  };
  await world.start();
  return world;
}

function layOut(): Places {
  const root = mkdtempSync(join(tmpdir(), "forge-hostile-"));
  // Payloads name it, so that it says nothing of where Forge is.
  const canary = mkdtempSync(join(tmpdir(), "canary-"));
  const [home, temporary, data] = ["home", "temporary", "data"].map((name) => join(root, name));
  for (const folder of [home, temporary, data]) mkdirSync(folder!);
  return { root, home: home!, temporary: temporary!, data: data!, canary };
}

/** Looks again and again, because several programs have to come to rest together. */
async function settle(world: HostileWorld, hasBegun: () => boolean): Promise<string | undefined> {
  const deadline = Date.now() + RESTLESS_MS;
  for (let quiet = 0; quiet < 3; ) {
    await world.github.idle();
    const busy = await world.read(async (store) => {
      const { running } = await countJobs(store);
      const next = await nextRunAt(store);
      if (!hasBegun()) return "it has not looked around since it started";
      if (learnsFrom(world.places.data)) return "it reads a history";
      if (running > 0) return `${running} jobs are running`;
      return next !== undefined && Date.parse(next) < Date.now() + 30_000 ? `a job is due at ${next}` : undefined;
    });
    quiet = busy === undefined ? quiet + 1 : 0;
    if (!world.program.isAlive()) return "it ended by itself";
    if (Date.now() > deadline) return busy;
    await new Promise((resolve) => setTimeout(resolve, quiet > 0 ? 15 : 60));
  }
  return undefined;
}

/** Whether a chore is at work on a repository's history, which is no job of the queue. */
function learnsFrom(data: string): boolean {
  return globSync("scratch/*/history-*", { cwd: data }).length > 0;
}

/** At its start Forge tests the sandbox, and asks for deliveries that it missed. */
function hasLookedAround({ github, program }: HostileWorld, since: number): boolean {
  const hasAsked = github.requests
    .slice(since)
    .some(({ operation, status }) => operation === "apps/list-webhook-deliveries" && status > 0);
  return hasAsked && /sandbox (?:tested|could not be tested)/.test(program.output());
}
