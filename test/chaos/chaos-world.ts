import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { freePort } from "../../simulator/free-port.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { nextRunAt } from "../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { closeStore, openStoreReadOnly } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { ageWorld } from "./age-world.ts";
import { type ForgeProcess, type StartOptions, spawnForge, untilReady } from "./forge-process.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
const WEBHOOK_KEY = "a long secret for tests";

export type LaunchOptions = Partial<StartOptions>;

export interface OpenedPull {
  readonly repository: string;
  readonly branch: string;
  readonly number: number;
  readonly headSha: string;
}

/** GitHub on this machine, and Forge as a process of its own that can be killed and started again on the same database. */
export interface ChaosWorld {
  readonly github: Simulator;
  readonly directory: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly webhookSecret: string;
  /** The last one that was started, and when that was, in milliseconds. */
  forge: ForgeProcess;
  launchedAt: number;
  /** Starts a process; resolves when it takes webhooks. */
  start(options?: LaunchOptions): Promise<ForgeProcess>;
  /** Starts a process that may die before it takes webhooks. */
  launch(options?: LaunchOptions): ForgeProcess;
  /** In the organisations `acme-0`, `acme-1`, ... in turn. */
  openPull(files: Readonly<Record<string, string>>): Promise<OpenedPull>;
  /** While nothing runs: makes everything look so much older; while something runs only what GitHub counts and tells. */
  age(milliseconds: number, only?: "writes"): Promise<void>;
  /** Resolves when nothing is left that could be done within 30 seconds; throws after `limitMs`. */
  settled(limitMs?: number): Promise<void>;
  /** Reads the database beside the process. */
  read<T>(look: (store: Store) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

export interface ChaosOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** Folder of the database, when it is to be on another disk. */
  readonly databaseFolder?: string;
  /** A libSQL server instead of a file. */
  readonly databaseUrl?: string;
  /** Forge writes 60 times a minute for an installation, and each organisation is one; 4. */
  readonly organisations?: number;
}

export async function createChaosWorld(options: ChaosOptions = {}): Promise<ChaosWorld> {
  const { variables = {}, databaseFolder, organisations = 4 } = options;
  const directory = mkdtempSync(join(tmpdir(), "forge-chaos-"));
  const databaseUrl = options.databaseUrl ?? `file:${join(databaseFolder ?? directory, "forge.db")}`;
  const github = await startSimulator();
  const port = await freePort();
  const manifest = parse(readFileSync("app.yml", "utf8"));
  github.createAccount("ana");
  const app = github.createApp({
    appId: 77,
    slug: "forge",
    privateKey,
    webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
    webhookSecret: WEBHOOK_KEY,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
  });
  for (let index = 0; index < organisations; index += 1) {
    github.createAccount(`acme-${index}`, "Organization", { members: { ana: "admin" } });
    const seed = { private: false, files: { "README.md": "# Shop\n" }, collaborators: { ana: "admin" } } as const;
    await github.createRepository(`acme-${index}`, "shop", seed);
    github.installApp(app, `acme-${index}`);
  }
  await github.idle();
  const environment = {
    APP_ID: "77",
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: WEBHOOK_KEY,
    GHE_HOST: new URL(github.origin).host,
    GHE_PROTOCOL: "http",
    PORT: String(port),
    LOG_LEVEL: "info",
    DATABASE_URL: databaseUrl,
    FORGE_DATA: directory,
    FORGE_DEBOUNCE_SECONDS: "0",
    ...variables,
  };
  let opened = 0;
  let requestsBefore = 0;
  let reader: Store | undefined;
  const launch: ChaosWorld["launch"] = ({ variables: more = {}, ...options } = {}) => {
    requestsBefore = github.requests.length;
    world.launchedAt = Date.now();
    world.forge = spawnForge({ variables: { ...environment, ...more }, ...options });
    return world.forge;
  };
  const world: ChaosWorld = {
    github,
    directory,
    databaseUrl,
    port,
    variables: environment,
    webhookSecret: WEBHOOK_KEY,
    // Replaced by the first start; nothing asks for it before.
    forge: undefined as unknown as ForgeProcess,
    launchedAt: 0,
    launch,
    start: async (options) => {
      const forge = launch(options);
      await untilReady(forge, port);
      return forge;
    },
    openPull: async (files) => {
      const repository = `acme-${opened % organisations}/shop`;
      const branch = `topic-${opened}`;
      opened += 1;
      await github.commit(repository, branch, { files, message: "Change", author: "ana" });
      const pull = await github.openPullRequest(repository, { title: "Change", head: branch, by: "ana" });
      return { repository, branch, ...pull };
    },
    age: (milliseconds, only) => ageWorld(databaseUrl, github, milliseconds, only),
    settled: (limitMs = 300_000) =>
      settle(world, () => hasLookedAround(github, requestsBefore, organisations), limitMs),
    read: async (look) => {
      reader ??= await openStoreReadOnly(databaseUrl);
      return look(reader);
    },
    end: async () => {
      if (world.forge?.isAlive()) world.forge.child.kill("SIGKILL");
      await world.forge?.ended;
      if (reader) await closeStore(reader);
      await github.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return world;
}

/** Looks again and again, because two programs have to come to rest together. */
async function settle(world: ChaosWorld, hasBegun: () => boolean, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (let quiet = 0; quiet < 3; ) {
    await world.github.idle();
    const busy = await world.read(async (store) => {
      const { running } = await countJobs(store);
      const next = await nextRunAt(store);
      return !hasBegun() || running > 0 || (next !== undefined && Date.parse(next) < Date.now() + 30_000);
    });
    quiet = busy ? 0 : quiet + 1;
    if (!world.forge.isAlive()) throw new Error(`Forge ended by itself:\n${world.forge.output()}`);
    if (Date.now() > deadline) throw new Error(`not settled after ${limitMs} ms:\n${world.forge.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** At its start Forge asks for deliveries that it missed and looks at the open pull requests of every repository. */
function hasLookedAround(github: Simulator, since: number, repositories: number): boolean {
  const answered = github.requests.slice(since).filter(({ status }) => status > 0);
  const times = (operation: string) => answered.filter((request) => request.operation === operation).length;
  return times("apps/list-webhook-deliveries") > 0 && times("pulls/list") >= repositories;
}
