import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach } from "vitest";
import { STARTED } from "./started.ts";

const directory = mkdtempSync(join(tmpdir(), "forge-smoke-"));
/** Killed after each test. */
export const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** The program as people start it: vitest accepts syntax that Node refuses, a process of its own does not. */
export function forge(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["src/main.ts", ...args], {
    env: { ...STARTED, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return { child, out: text(child.stdout), err: text(child.stderr), exit: once(child, "exit") };
}

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
/** All that Forge needs, for a database of its own. */
export const environment = () => ({
  APP_ID: "77",
  PRIVATE_KEY: privateKey.replaceAll("\n", "\\n"),
  WEBHOOK_SECRET: "a long secret for tests",
  // Nothing listens there: Forge starts all the same, and asks again later.
  GHE_HOST: "127.0.0.1:9",
  GHE_PROTOCOL: "http",
  PORT: "0",
  DATABASE_URL: `file:${join(directory, "data", "forge.db")}`,
  FORGE_DATA: join(directory, "data"),
  FORGE_SHUTDOWN_SECONDS: "1",
});

/** Reads the log until the line that says where it listens. */
export async function port(child: ChildProcess): Promise<number> {
  let seen = "";
  for await (const chunk of child.stdout!) {
    seen += String(chunk);
    const line = seen.split("\n").find((it) => it.includes("forge is running"));
    if (line) return JSON.parse(line).port;
  }
  throw new Error(`it ended before it ran: ${seen}`);
}
