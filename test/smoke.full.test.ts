import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { children, environment, forge, port } from "./needs/program.ts";
import { STARTED } from "./needs/started.ts";

describe("the program", () => {
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
    expect(await none.out).toMatch(/^ {2}doctor /m);
    const wrong = forge(["start", "--role", "cook"]);
    expect((await wrong.exit)[0]).toBe(64);
    expect(await wrong.err).toContain("--role is one of both, web, worker");
  });
});
