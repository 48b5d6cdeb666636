import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { children, environment } from "../../needs/program.ts";
import { STARTED } from "../../needs/started.ts";

const HANG = new URL("../../needs/hang-on-signal.ts", import.meta.url).href;

type Line = Readonly<Record<string, unknown>> & { readonly pid: number; readonly msg: string };

/** Forge as a process of its own, whose main loop hangs on SIGUSR2. */
function start(options: readonly string[] = []) {
  const child = spawn(process.execPath, ["--import", HANG, "src/main.ts", "start", ...options], {
    env: { ...STARTED, ...environment(), FORGE_HANG_SECONDS: "4" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return { child, exit: once(child, "exit"), next: readLines(child) };
}

/** Reads its log on until a line with this message, which it returns. */
function readLines(child: ChildProcess) {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async (beginning: string): Promise<Line> => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const read = JSON.parse(line.value) as Line;
      if (read.msg.startsWith(beginning)) return read;
    }
    throw new Error(`it ended before it said ${JSON.stringify(beginning)}`);
  };
}

describe("OPS-7: a main loop that hangs", () => {
  it("ends the process with code 70, and the log says where the code was", async () => {
    const { child, exit, next } = start(["--role", "web"]);
    await next("forge is running");
    child.kill("SIGUSR2");
    const line = await next("forge hangs");
    expect(line).toMatchObject({ level: 60, pid: child.pid, name: "forge", seconds: 4, jobs: [] });
    expect((line.at as string[])[0]).toMatch(/^hangForTheTest \S+hang-on-signal\.ts:\d+$/);
    expect(await exit).toEqual([70, null]);
  });

  it("with --restart-after-hang is started again once and says so; the second time code 70 is the end", async () => {
    const { child, exit, next } = start(["--restart-after-hang", "--role", "worker"]);
    const first = await next("forge is running");
    expect(first.pid).not.toBe(child.pid);
    process.kill(first.pid, "SIGUSR2");
    await next("forge hangs");
    expect((await next("forge hung and is started again, this once")).pid).toBe(child.pid);
    const second = await next("forge is running");
    process.kill(second.pid, "SIGUSR2");
    await next("forge hangs");
    expect(await exit).toEqual([70, null]);
  });

  it("with --restart-after-hang passes a signal and an exit code on", async () => {
    const { child, exit, next } = start(["--restart-after-hang"]);
    const { port } = await next("forge is running");
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
    const wrong = start(["--restart-after-hang", "--role", "cook"]);
    expect(await wrong.exit).toEqual([64, null]);
  });

  it("with --restart-after-hang leaves nothing behind where it is killed itself", async () => {
    const { child, next } = start(["--restart-after-hang"]);
    const { port } = await next("forge is running");
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const closed = once(child.stdout!, "close");
    child.kill("SIGKILL");
    // All that hold its output have ended then.
    await closed;
  });
});
