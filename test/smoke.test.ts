import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { children, environment, forge, port } from "./needs/program.ts";
import { STARTED } from "./needs/started.ts";

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
});
