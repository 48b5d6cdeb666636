import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { itWithPython } from "../needs/programs.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { LIMITS, node, shell, temporaryFolder } from "./sandbox-machine.ts";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

function repository(): string {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: folder });
  git("init", "-q");
  writeFileSync(join(folder, "file"), "content\n");
  git("add", ".");
  git("commit", "-q", "-m", "The first commit");
  return folder;
}

describeInSandbox("running a program in the sandbox", (sandbox) => {
  it("gives both streams, the exit code and the input, as values", async () => {
    const result = await shell(sandbox, "cat; echo wrong >&2; exit 3", { input: "text" });
    expect(result).toMatchObject({ ok: false, code: 3, truncated: false, timedOut: false, aborted: false });
    expect([result.stdout.toString(), result.stderr.toString()]).toEqual(["text", "wrong\n"]);
    expect(result).not.toHaveProperty("limitHit");
    expect((await shell(sandbox, "exit 3", { okCodes: [0, 3] })).ok).toBe(true);
  });

  it("tells a missing program by the exit code of a shell", async () => {
    const result = await sandbox.run({ ...LIMITS, command: "no-such-program", args: [] });
    expect(result).toMatchObject({ ok: false, code: 127 });
  });

  it("SEC-4: takes arguments as they are", async () => {
    const result = await sandbox.run({ ...LIMITS, command: "echo", args: ["$HOME", "; id", "--", "--bind"] });
    expect(result.stdout.toString()).toBe("$HOME ; id -- --bind\n");
  });

  it("SEC-1: keeps what is written in the writable folder, and nothing else", async () => {
    const writable = temporaryFolder();
    const script = "pwd; echo kept > kept && mkdir -p sub && echo deep > sub/deep && echo lost > /tmp/lost";
    expect((await shell(sandbox, script, { writable })).stdout.toString()).toBe("/box\n");
    expect(readFileSync(join(writable, "kept"), "utf8")).toBe("kept\n");
    expect(readFileSync(join(writable, "sub", "deep"), "utf8")).toBe("deep\n");
    expect((await shell(sandbox, "ls /tmp; pwd", { writable })).stdout.toString()).toBe("/box\n");
    expect((await shell(sandbox, "ls /; pwd")).stdout.toString()).not.toContain("box");
  });

  it("lets a later run change what an earlier one, or Forge, wrote", async () => {
    const writable = temporaryFolder();
    await shell(sandbox, "echo first > file", { writable });
    writeFileSync(join(writable, "ours"), "ours");
    const result = await shell(sandbox, "echo second > file && echo theirs > ours", { writable });
    expect(result).toMatchObject({ ok: true });
    expect(readFileSync(join(writable, "ours"), "utf8")).toBe("theirs\n");
  });

  it("shows what is given to read under its own path, unchangeable", async () => {
    const shown = temporaryFolder();
    // Forge may be root, and the user inside somebody else.
    chmodSync(shown, 0o755);
    writeFileSync(join(shown, "rules"), "rules");
    const script = `cat ${shown}/rules; echo x > ${shown}/rules; echo x > ${shown}/new; rm -f ${shown}/rules`;
    const result = await shell(sandbox, script, { readOnly: [shown] });
    expect(result.stdout.toString()).toBe("rules");
    expect(result.stderr.toString().match(/Read-only file system/g)).toHaveLength(3);
    expect(readFileSync(join(shown, "rules"), "utf8")).toBe("rules");
  });

  it("refuses a writable folder that is a link, is missing or has a .git", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    mkdirSync(join(folder, "clone"));
    symlinkSync(join(folder, "real"), join(folder, "clone", ".git"));
    for (const name of ["link", "missing", "clone", relative(folder, repository())]) {
      await expect(shell(sandbox, "true", { writable: join(folder, name) })).rejects.toMatchObject({
        code: "sandbox_failed",
      });
    }
    await expect(shell(sandbox, "true", { readOnly: ["/"] })).rejects.toMatchObject({ code: "sandbox_failed" });
  });

  it("SEC-1: gives a fixed environment and what the caller adds", async () => {
    const result = await shell(sandbox, "env | sort", { env: { CI: "1" } });
    expect(result.stdout.toString().trim().split("\n")).toEqual([
      "CI=1",
      "HOME=/tmp",
      "LANG=C.UTF-8",
      "PATH=/opt/forge/bin:/usr/local/bin:/usr/bin:/bin",
      "PWD=/tmp",
      "TMPDIR=/tmp",
    ]);
  });

  it("stops when the signal is aborted, and never starts when it is already", async () => {
    const controller = new AbortController();
    const running = shell(sandbox, "sleep 100", { signal: controller.signal });
    controller.abort();
    const result = await running;
    expect(result).toMatchObject({ ok: false, aborted: true });
    expect(result).not.toHaveProperty("limitHit");
    expect(await shell(sandbox, "true", { signal: AbortSignal.abort() })).toMatchObject({ aborted: true, code: null });
  });

  it("has a network of its own, in which programs reach themselves", async () => {
    const script = `import { createServer, connect } from "node:net";
      const server = createServer((socket) => socket.end("hello")).listen(0, "localhost", () =>
        connect(server.address().port, "localhost").on("data", (text) => { console.log(String(text)); server.close(); }));`;
    expect((await node(sandbox, script)).stdout.toString()).toBe("hello\n");
  });
});

describeInSandbox("the tools of a project in the sandbox", (sandbox) => {
  it("runs Forge's own Node", async () => {
    const result = await node(sandbox, "console.log(process.version, process.execPath)");
    expect(result.stdout.toString()).toBe(`${process.version} /opt/forge/bin/node\n`);
  });

  it("runs git on a repository that a test makes", async () => {
    const script =
      "git init -q && git add . && git -c user.name=a -c user.email=a@b.example commit -qm 'The first commit' && " +
      "echo more >> file && git diff --stat";
    const writable = temporaryFolder();
    writeFileSync(join(writable, "file"), "content\n");
    const result = await shell(sandbox, script, { writable });
    expect(result.stderr.toString()).not.toContain("fatal");
    expect(result.stdout.toString()).toMatch(/^ file \| 1 \+\n/);
  });

  itWithPython("runs Python", async () => {
    const result = await sandbox.run({ ...LIMITS, command: "/usr/bin/python3", args: ["-c", "print(6 * 7)"] });
    expect(result.stdout.toString()).toBe("42\n");
  });

  it("runs a linter from a folder of packages that is shown to it", async () => {
    const writable = temporaryFolder();
    writeFileSync(join(writable, "a.js"), "debugger;\n");
    const result = await sandbox.run({
      ...LIMITS,
      command: "node",
      args: [join(PACKAGES, "@biomejs/biome/bin/biome"), "lint", "a.js"],
      writable,
      readOnly: [PACKAGES],
    });
    expect(result.stderr.toString() + result.stdout.toString()).toContain("noDebugger");
    expect(result.code).toBe(1);
  });

  it("runs a test runner with worker processes", async () => {
    const writable = temporaryFolder();
    symlinkSync(PACKAGES, join(writable, "node_modules"));
    writeFileSync(join(writable, "package.json"), '{ "type": "module" }');
    writeFileSync(join(writable, "a.test.js"), 'import { it } from "vitest"; it("holds", () => {});\n');
    const result = await sandbox.run({
      ...LIMITS,
      memoryBytes: 2 ** 30,
      maxProcesses: 200,
      command: "node",
      args: ["node_modules/vitest/vitest.mjs", "run"],
      writable,
      readOnly: [PACKAGES],
    });
    expect(result.stdout.toString()).toContain("1 passed");
  });
});
