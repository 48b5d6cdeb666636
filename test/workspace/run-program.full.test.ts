import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ProgramSpec, runProgram } from "../../src/workspace/run-program.ts";
import { listProcesses } from "../list-processes.ts";

function run(spec: Partial<ProgramSpec> & Pick<ProgramSpec, "command" | "args">) {
  return runProgram({ timeoutMs: 60_000, maxOutputBytes: 1_000_000, ...spec });
}

function script(code: string, spec: Partial<ProgramSpec> = {}) {
  return run({ command: process.execPath, args: ["-e", code], ...spec });
}

/** In a container nobody may collect an orphan that has ended: such a zombie is not alive. */
function isAlive(pid: number): boolean {
  return listProcesses().some((seen) => seen.pid === pid && seen.state !== "Z");
}

const onLinux = it.runIf(process.platform === "linux");

describe("running a program", () => {
  it("gives both streams and the exit code, as values", async () => {
    const result = await script("process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 3");
    expect(result).toMatchObject({ ok: false, code: 3, signal: null, truncated: false, timedOut: false });
    expect([result.stdout.toString(), result.stderr.toString()]).toEqual(["out", "err"]);
    expect((await script("process.exitCode = 3", { okCodes: [0, 3] })).ok).toBe(true);
  });

  it("hands the input over, and does not mind a program that leaves it unread", async () => {
    expect((await run({ command: "cat", args: [], input: "text" })).stdout.toString()).toBe("text");
    expect((await run({ command: "true", args: [], input: Buffer.alloc(1_000_000) })).ok).toBe(true);
  });

  it("SEC-4: takes arguments as they are, without a shell", async () => {
    const result = await run({ command: "echo", args: ["$HOME", "`id`", "; touch x", "*"] });
    expect(result.stdout.toString()).toBe("$HOME `id` ; touch x *\n");
  });

  it("SEC-1: gives the program no variable of the worker's own environment", async () => {
    process.env.FORGE_TEST_CANARY = "canary";
    try {
      const result = await run({ command: "env", args: [], env: { GIVEN: "yes" } });
      expect(result.stdout.toString().trim().split("\n").sort()).toEqual([
        "GIVEN=yes",
        "PATH=/usr/local/bin:/usr/bin:/bin",
      ]);
    } finally {
      delete process.env.FORGE_TEST_CANARY;
    }
  });

  it("throws only when the program cannot be started", async () => {
    await expect(run({ command: "no-such-program", args: [] })).rejects.toMatchObject({ code: "program_missing" });
  });

  it("never starts it when the signal is already aborted", async () => {
    expect(await script("0", { signal: AbortSignal.abort() })).toMatchObject({ ok: false, aborted: true, code: null });
  });
});

describe("the process that starts programs", () => {
  const parentOf = "console.log(process.pid, process.ppid); setInterval(() => undefined, 1000)";

  it("is one for many programs, which run side by side", async () => {
    const parents = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const { stdout } = await run({ command: "sh", args: ["-c", "echo $PPID; cat"], input: `${at}` });
        return stdout.toString().split("\n");
      }),
    );
    expect(new Set(parents.map(([parent]) => parent)).size).toBe(1);
    expect(parents.map(([, echoed]) => Number(echoed))).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  onLinux("is begun from compiled code where Forge is", async () => {
    const folder = await mkdtemp(join(tmpdir(), "forge-compiled-test-"));
    const code = `import { enableCompileCache } from "node:module";
      enableCompileCache(${JSON.stringify(folder)});
      const { runProgram } = await import(${JSON.stringify(new URL("../../src/workspace/run-program.ts", import.meta.url))});
      const limits = { timeoutMs: 20_000, maxOutputBytes: 100_000 };
      const { stdout } = await runProgram({ ...limits, command: "sh", args: ["-c", "tr '\\\\0' '\\\\n' < /proc/$PPID/environ"] });
      process.stdout.write(stdout);`;
    const { stdout } = await run({ command: process.execPath, args: ["--input-type=module", "--eval", code] });
    await rm(folder, { recursive: true });
    expect(stdout.toString()).toContain(`NODE_COMPILE_CACHE=${folder}/`);
  });

  onLinux("takes along what it started when it is killed, says so, and another one takes its place", async () => {
    const told = Promise.withResolvers<number[]>();
    const onOutput = (chunk: Buffer) => told.resolve(chunk.toString().split(" ").map(Number));
    const lost = expect(script(parentOf, { onOutput })).rejects.toMatchObject({ code: "launcher_ended" });
    const [program, launcher] = await told.promise;
    process.kill(launcher!, "SIGKILL");
    await lost;
    await expect.poll(() => isAlive(program!)).toBe(false);
    expect((await run({ command: "echo", args: ["again"] })).stdout.toString()).toBe("again\n");
  });

  it("SEC-4: refuses what no program can be given, and goes on with the others", async () => {
    const other = run({ command: "sh", args: ["-c", "echo $PPID; sleep 0.3; echo done"] });
    await expect(run({ command: "echo", args: ["a\0b"] })).rejects.toThrow(/null bytes/);
    await expect(run({ command: "echo", args: ["a".repeat(3_000_000)] })).rejects.toThrow(/E2BIG/);
    await expect(run({ command: "echo", args: [], cwd: "/nonexistent" })).rejects.toMatchObject({
      code: "program_missing",
    });
    const [launcher, done] = (await other).stdout.toString().split("\n");
    expect(done).toBe("done");
    expect((await run({ command: "sh", args: ["-c", "echo $PPID"] })).stdout.toString()).toBe(`${launcher}\n`);
  });

  it("hands large output on whole, in pieces", async () => {
    const bytes = 5_000_000;
    const { stdout } = await script(`process.stdout.write(Buffer.alloc(${bytes}, "abc"))`, { maxOutputBytes: bytes });
    expect(stdout.equals(Buffer.alloc(bytes, "abc"))).toBe(true);
  });
});

describe("the limits of a program", () => {
  it("ends it at the time limit, with its descendants", async () => {
    const result = await run({ command: "sh", args: ["-c", "sleep 100 & echo $!; wait"], timeoutMs: 5_000 });
    expect(result).toMatchObject({ ok: false, timedOut: true });
    const pid = Number(result.stdout.toString());
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("ends it when it has been silent for too long, however long it may run in all", async () => {
    const talking = "for i in 1 2 3 4 5 6; do echo $i; sleep 1; done";
    const talked = await run({ command: "sh", args: ["-c", talking], silenceMs: 4_000 });
    expect(talked).toMatchObject({ ok: true, timedOut: false });
    const silent = await run({ command: "sh", args: ["-c", "echo 1; exec sleep 100"], silenceMs: 4_000 });
    expect(silent).toMatchObject({ ok: false, timedOut: true });
    expect(silent.stdout.toString()).toBe("1\n");
  });

  it("kills what ignores the polite request", async () => {
    const stubborn = 'trap "" TERM; while :; do sleep 1; done';
    const result = await run({ command: "sh", args: ["-c", stubborn], timeoutMs: 5_000 });
    expect(result).toMatchObject({ timedOut: true, signal: "SIGKILL" });
  });

  it("ends descendants that outlive the program and hold its output open", async () => {
    const child =
      "const child = require('child_process').spawn('sleep', ['1000'], { stdio: 'inherit' }); child.unref()";
    const result = await script(`${child}; console.log(child.pid); process.exit(0)`);
    expect(result).toMatchObject({ ok: true, timedOut: false });
    // Killed is not yet gone.
    await expect.poll(() => isAlive(Number(result.stdout.toString()))).toBe(false);
  });

  it("ends it at the output limit and gives what came before", async () => {
    const result = await run({ command: "yes", args: [], maxOutputBytes: 1_000 });
    expect(result).toMatchObject({ ok: false, truncated: true, timedOut: false });
    expect(result.stdout.toString()).toBe("y\n".repeat(500));
  });

  it("drops error output above its limit without ending the program", async () => {
    const result = await script("process.stderr.write('e'.repeat(1_000_000)); process.stdout.write('done')");
    expect(result).toMatchObject({ ok: true, truncated: false });
    expect([result.stdout.toString(), result.stderr.length]).toEqual(["done", 65_536]);
  });

  it("stops when the signal is aborted", async () => {
    const controller = new AbortController();
    const running = run({ command: "sleep", args: ["100"], signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ ok: false, aborted: true });
  });

  onLinux("SEC-1: holds memory, processor and file size by the kernel", async () => {
    const limits = await run({
      command: "cat",
      args: ["/proc/self/limits"],
      memoryBytes: 2 ** 29,
      cpuSeconds: 7,
      fileBytes: 4096,
    });
    const shown = limits.stdout.toString().replaceAll(/ +/g, " ");
    expect(shown).toContain("Max data size 536870912 536870912");
    expect(shown).toContain("Max cpu time 7 7");
    expect(shown).toContain("Max file size 4096 4096");
    expect(shown).toContain("Max core file size 0 0");
    const eater = "const kept = []; for (;;) kept.push(Buffer.alloc(2 ** 24, 1))";
    const eaten = await script(eater, { memoryBytes: 2 ** 29 });
    expect(eaten).toMatchObject({ ok: false, timedOut: false });
  });
});
