import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { parse } from "yaml";
import { freePort } from "../../simulator/free-port.ts";
import type { App, Installation } from "../../simulator/records.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { type Config, readConfig } from "../../src/app/config.ts";
import { type Forge, startForge } from "../../src/app/forge.ts";
import { createLog } from "../../src/app/run-server.ts";
import { listDeadJobs } from "../store/list-dead-jobs.ts";
import { createMovingClock, type MovingClock } from "./moving-clock.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
export const SECRET = "a long secret for tests";

/** GitHub on this machine with an organisation, a repository `acme/shop`, and Forge installed on it with the permissions of app.yml. */
export interface World {
  readonly github: Simulator;
  readonly config: Config;
  readonly directory: string;
  readonly clock: MovingClock;
  readonly app: App;
  /** On all repositories of acme. */
  readonly installation: Installation;
  forge: Forge | undefined;
  start(): Promise<Forge>;
  stop(): Promise<void>;
  /** Resolves when every webhook was answered and Forge has nothing left to do; what it put off by minutes is brought forward. */
  settled(): Promise<void>;
  /** Fails when Forge asked GitHub for something wrong, gave up a job, or could not write something. */
  expectGoodManners(): Promise<void>;
  end(): Promise<void>;
}

export interface WorldOptions {
  /** Of the repository; `shop` when left out. */
  readonly name?: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether Forge runs from the beginning. */
  readonly start?: boolean;
  /** Instead of those of app.yml. */
  readonly permissions?: Readonly<Record<string, string>>;
  readonly events?: readonly string[];
  readonly requestTimeoutMs?: number;
  /** Whether people can sign in to the pages. */
  readonly signIn?: boolean;
  /** A folder with a GitHub and a database to go on with, as it was at that moment, instead of a new one with a repository. */
  readonly kept?: { readonly folder: string; readonly at: string };
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { name = "shop", files = {}, environment = {}, start = true, requestTimeoutMs } = options;
  const directory = mkdtempSync(join(tmpdir(), "forge-e2e-"));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const webhookUrl = `${address}/api/github/webhooks`;
  const { kept } = options;
  const github = kept ? await openKept(kept.folder, directory, webhookUrl) : await createShop(name, files);
  const manifest = parse(readFileSync("app.yml", "utf8"));
  const app = kept
    ? github.installationOf("forge", "acme").app
    : github.createApp({
        appId: 77,
        slug: "forge",
        privateKey,
        webhookUrl,
        webhookSecret: SECRET,
        permissions: options.permissions ?? manifest.default_permissions,
        events: options.events ?? manifest.default_events,
        callbackUrls: [`${address}/auth/callback`],
      });
  const variables = {
    APP_ID: "77",
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: SECRET,
    GHE_HOST: new URL(github.origin).host,
    GHE_PROTOCOL: "http",
    PORT: String(port),
    LOG_LEVEL: process.env.FORGE_TEST_LOG ?? "silent",
    DATABASE_URL: `file:${join(directory, "forge.db")}`,
    FORGE_DATA: directory,
    FORGE_DEBOUNCE_SECONDS: "0",
    FORGE_OSV_URL: "",
    // The same small files come again in every world.
    FORGE_CACHE: join(tmpdir(), `forge-test-cache-${process.pid}`),
    ...(options.signIn
      ? { GITHUB_CLIENT_ID: app.clientId, GITHUB_CLIENT_SECRET: app.clientSecret, FORGE_URL: address }
      : {}),
    ...environment,
  };
  const config = readConfig(variables);
  const clock = createMovingClock();
  if (kept) clock.advance(Date.parse(kept.at) - Date.now());
  const launch = () => {
    const timeout = requestTimeoutMs === undefined ? {} : { requestTimeoutMs };
    return startForge({ config, log: createLog(config), role: "both", clock, ...timeout });
  };
  const first = start ? await launch() : undefined;
  const world: World = {
    github,
    config,
    directory,
    clock,
    app,
    installation: kept ? github.installationOf("forge", "acme") : github.installApp(app, "acme"),
    forge: first,
    start: async () => {
      world.forge = await launch();
      return world.forge;
    },
    stop: async () => {
      await world.forge?.stop();
      world.forge = undefined;
    },
    settled: () => settle(world),
    expectGoodManners: async () => {
      assert.deepEqual(github.referee.findings, []);
      if (!world.forge) return;
      assert.deepEqual(await listDeadJobs(world.forge.store), []);
      assert.deepEqual(await failedEffects(world.forge), []);
    },
    end: async () => {
      await world.stop();
      await github.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return world;
}

/**
 * GitHub gives a webhook up after ten seconds and does not send it again by itself. On a busy machine that would be a command that nobody
 * gave, and rest to whoever waits for what comes of it.
 */
const WEBHOOK_TIMEOUT_MS = 300_000;

async function createShop(name: string, files: Readonly<Record<string, string | Buffer>>): Promise<Simulator> {
  const github = await startSimulator({ webhookTimeoutMs: WEBHOOK_TIMEOUT_MS });
  github.createAccount("ana");
  github.createAccount("ben");
  github.createAccount("acme", "Organization", { members: { ana: "admin" } });
  await github.createRepository("acme", name, {
    private: false,
    files: { "README.md": "# Shop\n", ...files },
    collaborators: { ana: "admin", ben: "write" },
  });
  return github;
}

/** The GitHub of a folder, with its database put where Forge will look for it. */
function openKept(folder: string, directory: string, webhookUrl: string): Promise<Simulator> {
  writeFileSync(join(directory, "forge.db"), gunzipSync(readFileSync(join(folder, "forge.db.gz"))));
  const publicKey = createPublicKey(privateKey);
  const apps = [{ slug: "forge", publicKey, webhookUrl, webhookSecret: SECRET }];
  return startSimulator({ webhookTimeoutMs: WEBHOOK_TIMEOUT_MS, kept: { folder, apps } });
}

/** What is put off for longer than this is not waited for: a missing permission, say, which people have to mend. */
const PATIENCE_MS = 5 * 60_000;

/** Looks again and again, because two programs have to come to rest together; a test that never settles runs into its time limit. */
async function settle({ github, forge, clock }: World): Promise<void> {
  if (!forge) return github.idle();
  for (let quiet = 0; quiet < 2; ) {
    await github.idle();
    // In one look: between two of them one job can end and the next one begin.
    const { running, next } = (await forge.store.read.get<{ running: number; next: string | null }>(sql`
      select count(case when state = 'running' then 1 end) as running, min(case when state = 'queued' then run_at end) as next from jobs`))!;
    const waitMs = next === null ? Number.POSITIVE_INFINITY : Date.parse(next) - clock.now().getTime();
    quiet = running > 0 || waitMs < PATIENCE_MS ? 0 : quiet + 1;
    if (running === 0 && waitMs > 0 && waitMs < PATIENCE_MS) clock.advance(waitMs + 1);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

export function failedEffects({ store }: Forge): Promise<{ kind: string; error: string }[]> {
  return store.read.all(sql`select kind, error from effects where state = 'failed'`);
}
