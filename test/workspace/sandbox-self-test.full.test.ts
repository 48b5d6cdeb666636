import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../src/workspace/run-program.ts";
import { openSandbox } from "../../src/workspace/sandbox/open-sandbox.ts";
import { BOX_FOLDER, type SandboxSpec } from "../../src/workspace/sandbox/sandbox.ts";
import { selfTest } from "../../src/workspace/sandbox/self-test.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { shell, temporaryFolder } from "./sandbox-machine.ts";

const OPEN_SANDBOX = fileURLToPath(new URL("../../src/workspace/sandbox/open-sandbox.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
const NOT_ROOT = { missing: "not run as root from a folder that everybody may pass: who root becomes in the sandbox" };

/** A way of running programs that keeps nothing from them. */
async function runUnprotected({ input, writable = "", args, timeoutMs, maxOutputBytes }: SandboxSpec) {
  const targets = String(input).replaceAll(`${BOX_FOLDER}/`, `${writable}/`);
  const env = { FORGE_SANDBOX_CANARY: process.env.FORGE_SANDBOX_CANARY ?? "" };
  return runProgram({ command: process.execPath, args, timeoutMs, maxOutputBytes, input: targets, env });
}

/** Opens the sandbox in a process of its own and prints what came of it, and what a program in it says about itself. */
function openElsewhere(options: { uid?: number; env?: Record<string, string>; before?: string }): string {
  const script = `const { openSandbox } = await import(${JSON.stringify(OPEN_SANDBOX)});
    const opened = await openSandbox();
    if (opened.unavailable) { console.log(opened.unavailable); process.exit(); }
    const limits = { timeoutMs: 60_000, cpuSeconds: 5, memoryBytes: 2 ** 29, maxProcesses: 50, maxOutputBytes: 10_000, maxFileBytes: 10_000 };
    const { mkdtempSync, readFileSync } = await import("node:fs");
    const writable = mkdtempSync(${JSON.stringify(join(tmpdir(), "forge-sandbox-test-"))});
    const result = await opened.run({ ...limits, writable, command: "sh", args: ["-c", "id -u; ls /proc/self/fd; echo kept > kept"] });
    console.log(String(result.stdout), String(result.stderr), readFileSync(writable + "/kept", "utf8"));
    (await import("node:fs")).rmSync(writable, { recursive: true });`;
  const { uid, env = {}, before = "" } = options;
  const command = `${before} exec ${JSON.stringify(process.execPath)} --input-type=module -e "$SCRIPT"`;
  const result = spawnSync("bash", ["--norc", "-c", command], {
    cwd: "/",
    env: { PATH: process.env.PATH ?? "", SCRIPT: script, ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return `${result.stdout}${result.stderr}`.replaceAll(/\s+/g, " ").trim();
}

describe("the self-test of the sandbox", () => {
  it("SEC-1: finds every hole of a sandbox that keeps nothing out", async () => {
    const complaint = await selfTest(runUnprotected);
    expect(complaint).toMatch(/^The sandbox does not hold: in it, the environment of Forge can be read; .*\.$/);
    for (const hole of [
      "it has foreign variables",
      "processes can be seen",
      '"/run/',
      '/secret" can be read',
      '/written" can be written',
      '"port":',
      '/socket"} can be connected to',
      "\\u0000forge-",
      "its identity is",
    ]) {
      expect(complaint).toContain(hole);
    }
  });

  it("SEC-1: does not hold for proven what did not run", async () => {
    const nothing = (spec: SandboxSpec) => runProgram({ ...spec, command: "true", args: [] });
    await expect(selfTest(nothing)).rejects.toThrow();
    const failing = (spec: SandboxSpec) =>
      runProgram({ ...spec, command: "sh", args: ["-c", "echo broken >&2; exit 1"] });
    expect(await selfTest(failing)).toBe("The self-test of the sandbox did not run: broken");
  });

  it("leaves no trace in the environment of Forge", () => {
    expect(process.env).not.toHaveProperty("FORGE_SANDBOX_CANARY");
  });

  it("is done once in a process", () => {
    expect(openSandbox()).toBe(openSandbox());
  });
});

describe.runIf(process.platform === "linux")(
  "a machine that does not permit it",
  { meta: { missing: "not Linux" } },
  () => {
    it("SEC-1: gets no sandbox where bubblewrap may not work, and the reason in its own words", () => {
      const bin = temporaryFolder();
      chmodSync(bin, 0o755);
      writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions' >&2; exit 1\n", { mode: 0o755 });
      const said = openElsewhere({ env: { PATH: `${bin}:/usr/bin:/bin` } });
      expect(said).toBe("The sandbox could not be used: bwrap: No permissions");
    });
  },
);

describeInSandbox("who runs the sandbox", (sandbox) => {
  it("SEC-1: hands down no descriptor that was left open by whoever started Forge", () => {
    expect(openElsewhere({ before: "exec 33</etc/hostname 7</etc/hostname;" })).toBe("65534 0 1 2 3 kept");
  });

  it.runIf(isRoot)(
    "root: what stands in a folder closed to everybody else is used all the same",
    { meta: NOT_ROOT },
    async () => {
      const closed = temporaryFolder();
      const writable = join(closed, "clone");
      mkdirSync(writable);
      expect(statSync(closed).mode & 0o077).toBe(0);
      const result = await shell(sandbox, "id -u > who", { writable });
      expect(result).toMatchObject({ ok: true });
      expect(readFileSync(join(writable, "who"), "utf8")).toBe("65534\n");
      expect(statSync(join(writable, "who")).uid).toBe(65_534);
    },
  );

  const isOpenToAll = isRoot && everybodyPasses(dirname(OPEN_SANDBOX)) && everybodyPasses(dirname(process.execPath));
  it.runIf(isOpenToAll)("an ordinary user without an account: it holds in the same way", { meta: NOT_ROOT }, () => {
    expect(openElsewhere({ uid: 54_321 })).toBe("65534 0 1 2 3 kept");
  });
});

function everybodyPasses(folder: string): boolean {
  accessSync(folder, constants.R_OK);
  const passes = (statSync(folder).mode & 0o005) === 0o005;
  return passes && (dirname(folder) === folder || everybodyPasses(dirname(folder)));
}
