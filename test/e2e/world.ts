import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { type Forge, startForge } from "../../src/forge.ts";
import { createLog } from "../../src/log.ts";
import { countJobs } from "../../src/store/list-dead-jobs.ts";
import { nextRunAt } from "../../src/store/next-run-at.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
const SECRET = "a long secret for tests";

/** GitHub on this machine with an organisation, a repository `acme/shop`, and Forge installed on it with the permissions of app.yml. */
export interface World {
  readonly github: Simulator;
  readonly config: Config;
  readonly directory: string;
  forge: Forge | undefined;
  start(): Promise<Forge>;
  stop(): Promise<void>;
  /** Resolves when every webhook was answered and Forge has nothing left that it could do now. */
  settled(): Promise<void>;
  end(): Promise<void>;
}

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether Forge runs from the beginning. */
  readonly start?: boolean;
}

export async function createWorld({ files = {}, environment = {}, start = true }: WorldOptions = {}): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), "forge-e2e-"));
  const github = await startSimulator();
  github.createAccount("ana");
  github.createAccount("ben");
  github.createAccount("acme", "Organization", { members: { ana: "admin" } });
  await github.createRepository("acme", "shop", {
    private: false,
    files: { "README.md": "# Shop\n", ...files },
    collaborators: { ana: "admin", ben: "write" },
  });
  const port = await freePort();
  const manifest = parse(readFileSync("app.yml", "utf8"));
  const app = github.createApp({
    appId: 77,
    slug: "forge",
    privateKey,
    webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
    webhookSecret: SECRET,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
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
    ...environment,
  };
  const config = readConfig(variables);
  const world: World = {
    github,
    config,
    directory,
    forge: undefined,
    start: async () => {
      world.forge = await startForge({ config, log: createLog(config), role: "both" });
      return world.forge;
    },
    stop: async () => {
      await world.forge?.stop();
      world.forge = undefined;
    },
    settled: () => settle(world),
    end: async () => {
      await world.stop();
      await github.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  if (start) await world.start();
  github.installApp(app, "acme");
  return world;
}

/** Looks again and again, because two programs have to come to rest together; a test that never settles runs into its time limit. */
async function settle({ github, forge }: World): Promise<void> {
  if (!forge) return github.idle();
  for (let quiet = 0; quiet < 2; ) {
    await github.idle();
    const { running } = await countJobs(forge.store);
    const next = await nextRunAt(forge.store);
    const busy = running > 0 || (next !== undefined && Date.parse(next) < Date.now() + 30_000);
    quiet = busy ? 0 : quiet + 1;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
