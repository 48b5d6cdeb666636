import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openSandbox } from "../../src/workspace/sandbox/open-sandbox.ts";
import type { Sandbox, SandboxResult, SandboxSpec } from "../../src/workspace/sandbox/sandbox.ts";

const opened = await openSandbox();

/** Enough for a shell or Node; far below what would hurt the machine of whoever runs the tests. */
export const LIMITS = {
  timeoutMs: 20_000,
  cpuSeconds: 20,
  memoryBytes: 512 * 2 ** 20,
  maxProcesses: 64,
  maxOutputBytes: 1_000_000,
  maxFileBytes: 16 * 2 ** 20,
};

/** Where there is no sandbox these tests say so; where CI promises one, they fail. */
export function describeInSandbox(name: string, body: (sandbox: Sandbox) => void): void {
  if (!("unavailable" in opened)) {
    describe(name, () => body(opened));
  } else if (process.env.CI === "true") {
    it(`${name}: needs the sandbox`, () => expect.unreachable(opened.unavailable));
  } else {
    process.stderr.write(`NOT TESTED (${name}): ${opened.unavailable}\n`);
    describe.skip(`${name} (${opened.unavailable})`, () => it("needs the sandbox"));
  }
}

export function shell(sandbox: Sandbox, script: string, spec: Partial<SandboxSpec> = {}): Promise<SandboxResult> {
  return sandbox.run({ ...LIMITS, command: "sh", args: ["-c", script], ...spec });
}

export function perl(sandbox: Sandbox, script: string, spec: Partial<SandboxSpec> = {}): Promise<SandboxResult> {
  return sandbox.run({ ...LIMITS, command: "perl", args: ["-e", script], ...spec });
}

export function node(sandbox: Sandbox, script: string, spec: Partial<SandboxSpec> = {}): Promise<SandboxResult> {
  return sandbox.run({ ...LIMITS, command: "node", args: ["--input-type=module", "-e", script], ...spec });
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-sandbox-test-"));
  folders.push(folder);
  return folder;
}
