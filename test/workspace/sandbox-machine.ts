import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Sandbox, SandboxResult, SandboxSpec } from "../../src/workspace/sandbox/sandbox.ts";

/** Enough for a shell or Node; far below what would hurt the machine of whoever runs the tests. */
export const LIMITS = {
  timeoutMs: 20_000,
  cpuSeconds: 20,
  memoryBytes: 512 * 2 ** 20,
  maxProcesses: 64,
  maxOutputBytes: 1_000_000,
  maxFileBytes: 16 * 2 ** 20,
};

const MIB = 2 ** 20;
/** So little that whoever takes more is soon noticed. */
export const SMALL = { memoryBytes: 64 * MIB, temporaryBytes: 32 * MIB, maxProcesses: 40, maxFileBytes: 512 * MIB };

export function shell(sandbox: Sandbox, script: string, spec: Partial<SandboxSpec> = {}): Promise<SandboxResult> {
  return sandbox.run({ ...LIMITS, command: "sh", args: ["-c", script], ...spec });
}

export function perl(sandbox: Sandbox, script: string, spec: Partial<SandboxSpec> = {}): Promise<SandboxResult> {
  return sandbox.run({ ...LIMITS, command: "perl", args: ["-e", script], ...spec });
}

export function node(sandbox: Sandbox, script: string, spec: Partial<SandboxSpec> = {}): Promise<SandboxResult> {
  return sandbox.run({ ...LIMITS, command: "node", args: ["--input-type=module", "-e", script], ...spec });
}

/** On a disk: a program that reads a file in memory pays for it with its own memory limit. It goes with the folder of the whole run (needs/in-memory.ts). */
export function temporaryFolder(): string {
  return mkdtempSync(join(process.env.FORGE_TEST_DISK ?? tmpdir(), "forge-sandbox-test-"));
}

/** As a test. */
export function holdsFiles(sandbox: Sandbox): void {
  it("holds a million files without content in the temporary folder", async () => {
    const script = 'for (1 .. 2_000_000) { open(my $f, ">", "/tmp/$_") or do { print "refused"; exit } } print "took"';
    const result = await perl(sandbox, script, { ...SMALL, timeoutMs: 120_000, cpuSeconds: 100 });
    expect(result.stdout.toString()).not.toContain("took");
  });
}
