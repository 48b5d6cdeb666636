import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { STARTED } from "./needs/started.ts";

const directory = mkdtempSync(join(tmpdir(), "forge-smoke-"));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** The program as people start it: vitest accepts syntax that Node refuses, a process of its own does not. */
function forge(args: readonly string[], environment: Record<string, string> = {}) {
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
const environment = () => ({
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
async function port(child: ChildProcess): Promise<number> {
  let seen = "";
  for await (const chunk of child.stdout!) {
    seen += String(chunk);
    const line = seen.split("\n").find((it) => it.includes("forge is running"));
    if (line) return JSON.parse(line).port;
  }
  throw new Error(`it ended before it ran: ${seen}`);
}

describe("the program", () => {
  it("starts under plain Node, answers a ping, and ends on SIGTERM (OPS-3)", async () => {
    const child = spawn(process.execPath, ["src/main.ts", "start"], {
      env: { ...STARTED, ...environment() },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const origin = `http://127.0.0.1:${await port(child)}`;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect((await fetch(`${origin}/api/github/webhooks`, { method: "POST" })).status).toBeGreaterThanOrEqual(400);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });

  it("CONF-2: says in one message what is missing, and does not start", async () => {
    const { err, exit } = forge(["start"], { APP_ID: "77" });
    expect((await exit)[0]).toBe(1);
    expect(await err).toMatch(
      /APP_ID set, WEBHOOK_SECRET, PRIVATE_KEY or PRIVATE_KEY_PATH missing[\s\S]*\.env\.example/,
    );
    expect(await err).not.toContain("    at ");
  });

  it("a second process on the same database refuses, and the first goes on", async () => {
    const variables = environment();
    const first = spawn(process.execPath, ["src/main.ts", "start"], {
      env: { ...STARTED, ...variables },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(first);
    const listening = await port(first);
    const second = forge(["start"], variables);
    expect((await second.exit)[0]).toBe(1);
    expect(await second.err).toContain(String(first.pid));
    expect((await fetch(`http://127.0.0.1:${listening}/healthz`)).status).toBe(200);
  });

  it("without a command it shows the commands; wrong usage is exit code 64", async () => {
    const none = forge([]);
    expect((await none.exit)[0]).toBe(64);
    expect(await none.out).toContain("forge doctor");
    const wrong = forge(["start", "--role", "cook"]);
    expect((await wrong.exit)[0]).toBe(64);
    expect(await wrong.err).toContain("--role is one of both, web, worker");
  });
});
