import { expect, it } from "vitest";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { type Files, testChange } from "./test-context.ts";

const HEADER = "import test from 'node:test'; import assert from 'node:assert'; import { sum } from '../src/sum.js';\n";
const BASE: Files = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "src/sum.js": "export const sum = (a, b) => a + b;\n",
  "test/good.test.js": `${HEADER}test('adds', () => assert.equal(sum(1, 2), 3));\n`,
  "test/odd.test.js": `${HEADER}test('odd', () => {});\n`,
};
const CHANGED = { "src/sum.js": "export const sum = (a, b) => b + a;\n" };
const withOdd = (code: string): Files => ({ ...BASE, ...CHANGED, "test/odd.test.js": HEADER + code });

describeInSandbox("tests that are no good guests", (sandbox) => {
  it("TEST-1: one that hangs for ever is found by its file, and the others count", async () => {
    const hanging = withOdd("test('odd', () => { while (true); });\n");
    const outcome = await testChange(sandbox, BASE, hanging, { timeLimitMs: 60_000 });
    expect(outcome).toMatchObject({
      ...{ outcome: "failed", passed: 1, failed: 1, files: 2, coverageMissing: "The tests did not get to their end." },
      failures: [{ name: "the file itself", file: "test/odd.test.js", class: "bug", cause: "It hangs." }],
    });
  });

  it("TEST-1: one that waits for ever is stopped by itself", async () => {
    const waiting = withOdd("test('odd', () => new Promise(() => setInterval(() => {}, 1_000)));\n");
    expect(await testChange(sandbox, BASE, waiting, { timeLimitMs: 60_000 })).toMatchObject({
      ...{ outcome: "failed", passed: 1 },
      failures: [{ name: "odd", file: "test/odd.test.js", class: "bug", cause: "It hangs: its time ran out." }],
    });
  });

  it("TEST-1: what hung before the change is not its fault", async () => {
    const before = { ...BASE, "test/odd.test.js": `${HEADER}test('odd', () => { while (true); });\n` };
    expect(await testChange(sandbox, before, { ...before, ...CHANGED }, { timeLimitMs: 90_000 })).toMatchObject({
      ...{
        outcome: "passed",
        passed: 1,
        failed: 1,
        failures: [{ file: "test/odd.test.js", class: "existing", cause: "It hangs." }],
      },
    });
  });

  it("TEST-1: all tests that take too long are given up for the affected ones", async () => {
    const slow = `import test from 'node:test';\ntest('slow', { timeout: 600_000 }, () => new Promise((done) => setTimeout(done, 600_000)));\n`;
    const base = { ...BASE, "test/slow.test.js": slow };
    expect(
      await testChange(sandbox, base, { ...base, ...CHANGED }, { risk: "high", timeLimitMs: 60_000 }),
    ).toMatchObject({
      ...{ outcome: "passed", selection: "affected", files: 2, passed: 2, failed: 0 },
      reason: "All tests together take longer than there is time: only those that the change affects were run.",
    });
  });

  it.each<[string, string, string]>([
    [
      "the network",
      "await fetch('http://example.com').catch((error) => { throw error.cause; });",
      "It needs the network, which tests do not get.",
    ],
    [
      "a database",
      "const { connect } = await import('node:net'); await new Promise((_, no) => connect(5432, '127.0.0.1').on('error', no));",
      "It needs a service at port 5432, which is not running.",
    ],
    [
      "a place outside",
      "const { writeFileSync } = await import('node:fs'); writeFileSync('/usr/odd', '');",
      "It writes outside the repository, which is refused.",
    ],
    [
      "another program",
      "const { execFileSync } = await import('node:child_process'); execFileSync('no-such-program', ['ps']);",
      "It needs the program no-such-program, which is not there.",
    ],
  ])("TEST-1: one that needs %s fails for the place, and not for the code", async (_, code, cause) => {
    const outcome = await testChange(sandbox, BASE, withOdd(`test('odd', async () => { ${code} });\n`));
    expect(outcome).toMatchObject({
      outcome: "failed",
      passed: 1,
      failures: [{ name: "odd", class: "environment", cause }],
    });
  });

  it("SEC-1: one that starts processes without end is stopped and named", async () => {
    const bomb =
      "import { spawn } from 'node:child_process';\nfor (;;) { for (let i = 0; i < 50; i += 1) spawn('sleep', ['100']).on('error', () => {}); await new Promise((r) => setTimeout(r, 1)); }\n";
    const head = { ...BASE, ...CHANGED, "test/bomb.test.js": `${bomb}import '../src/sum.js';` };
    const outcome = await testChange(sandbox, BASE, head, { timeLimitMs: 60_000 });
    expect(outcome).toMatchObject({
      ...{ outcome: "failed", passed: 2, failed: 1 },
      failures: [
        { file: "test/bomb.test.js", class: "environment", cause: expect.stringContaining("more than 256 processes") },
      ],
    });
  });

  it("SEC-1: a report that is a link leads nowhere", async () => {
    const linking = withOdd(
      "import fs from 'node:fs';\ntest('odd', () => { const name = fs.readdirSync('.').find((each) => each.startsWith('.forge-coverage')); if (name) { fs.rmSync(name); fs.symlinkSync('/etc/passwd', name); } });\n",
    );
    expect(await testChange(sandbox, BASE, linking)).toMatchObject({ outcome: "passed", passed: 2 });
  });

  it("SEC-6: no secret of a message gets out", async () => {
    const token = ["gh", "p_", "a1".repeat(18)].join("");
    const leaking = withOdd(`test('odd', () => { throw new Error('${token}'); });\n`);
    const outcome = await testChange(sandbox, BASE, leaking);
    expect(outcome.failures).toHaveLength(1);
    expect(JSON.stringify(outcome)).not.toContain(token);
    expect(outcome.failures[0]?.message).toContain("[redacted]");
  });
});
