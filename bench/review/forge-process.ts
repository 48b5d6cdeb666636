import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { freePort } from "../../simulator/free-port.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { watchResident } from "../resident-memory.ts";

/** Forge as a process of its own, started as in production, on a GitHub in this process. */
export interface Stage {
  readonly github: Simulator;
  /** Of Forge. */
  readonly port: number;
  /** `acme/shop` as Forge knows it: the same in every stage. */
  readonly repository: { readonly id: number; readonly installationId: number };
  /** Process id. */
  readonly pid: number;
  /** Milliseconds from its start until it said that it is ready. */
  readonly readyMs: number;
  /** From now on. @returns ends it, and gives the most that Forge and its children held together, in MB; undefined but on Linux */
  watchMemory(): () => number | undefined;
  /** @param look is called when Forge has ended and its data is still there */
  end(look?: () => void): Promise<void>;
}

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});

export interface StageOptions {
  /** Of the webhook. */
  readonly secret?: string;
  /** How many jobs at a time; Forge's default when left out. */
  readonly concurrency?: number;
  /** Of the repository `acme/shop`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of Forge, besides the usual. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Puts something into the folder of Forge's data before it starts; the database is `forge.db` there. */
  readonly prepare?: (directory: string) => Promise<void> | void;
  /** Writes the file of sources into the folder of Forge's data, and says where. */
  readonly sources?: (directory: string) => string;
  /** A module that is loaded into the process of Forge before all others; its path. */
  readonly preload?: string;
}

export async function openStage({
  secret = "a long secret for benches",
  concurrency,
  files = { "README.md": "# Shop\n" },
  environment = {},
  prepare,
  sources,
  preload,
}: StageOptions = {}): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), "forge-bench-"));
  // The referee would be measured too.
  const github = await startSimulator({ referee: false });
  github.createAccount("ana");
  github.createAccount("acme", "Organization", { members: { ana: "admin" } });
  const { id } = await github.createRepository("acme", "shop", { private: false, files });
  const port = await freePort();
  const manifest = parse(readFileSync("app.yml", "utf8"));
  const app = github.createApp({
    appId: 77,
    slug: "forge",
    privateKey,
    webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
    webhookSecret: secret,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
  });
  await prepare?.(directory);
  const began = performance.now();
  const forge = spawn(
    process.execPath,
    [...(preload === undefined ? [] : ["--import", preload]), "src/main.ts", "start"],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        PATH: process.env.PATH ?? "",
        APP_ID: "77",
        PRIVATE_KEY: privateKey,
        WEBHOOK_SECRET: secret,
        GHE_HOST: new URL(github.origin).host,
        GHE_PROTOCOL: "http",
        PORT: String(port),
        DATABASE_URL: `file:${join(directory, "forge.db")}`,
        FORGE_DATA: directory,
        FORGE_DEBOUNCE_SECONDS: "0",
        ...(concurrency === undefined ? {} : { FORGE_CONCURRENCY: String(concurrency) }),
        FORGE_OSV_URL: "",
        ...(sources ? { FORGE_SOURCES: sources(directory) } : {}),
        ...environment,
      },
    },
  );
  await untilReady(forge, port);
  const readyMs = performance.now() - began;
  const installation = github.installApp(app, "acme");
  await github.idle();
  return {
    github,
    port,
    repository: { id, installationId: installation.id },
    pid: forge.pid!,
    readyMs,
    watchMemory: () => watchResident(forge.pid!),
    end: async (look) => {
      const ended = once(forge, "exit");
      forge.kill("SIGTERM");
      await ended;
      look?.();
      await github.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function untilReady(forge: ChildProcess, port: number): Promise<void> {
  while (forge.exitCode === null) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Forge ended before it was ready");
}
