import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dispatch } from "../../src/cli/dispatch.ts";
import { runTest, TEST_EXIT } from "../../src/cli/test.ts";
import type { TestOutcome } from "../../src/domain/test-report.ts";
import { testFolder } from "../../src/pipeline/testing/test-folder.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import { aCommand } from "./a-command.ts";

const SECRET = "correct-horse-battery-staple";

type Test = Parameters<typeof runTest>[1];

async function run(test: Test, args: readonly string[], { isTTY = false } = {}) {
  const streams = { out: "", err: "" };
  const code = await runTest(args, test, {
    out: { isTTY, write: (text) => (streams.out += text) },
    err: { write: (text) => (streams.err += text) },
    noColor: false,
    redact: createRedactor([SECRET]),
  });
  return { code, ...streams };
}

const outcomeOf = (to: Partial<TestOutcome> = {}): TestOutcome => ({
  ...{ headSha: "0".repeat(40), outcome: "passed", runner: "vitest", files: 2, passed: 7, failed: 0, skipped: 1 },
  ...{ failures: [], flaky: [], weakened: [], durationMs: 9 },
  ...to,
});
const said =
  (to: Partial<TestOutcome> = {}, notes: readonly string[] = []): Test =>
  async () => ({ outcome: outcomeOf(to), base: "3f2c1ab".padEnd(40, "0"), notes });

describe("OPS-1: what forge test says", () => {
  const failures: TestOutcome["failures"] = [
    { name: "adds \u001b[31mup", file: "a.test.ts", message: `expected 2\n${SECRET}`, class: "bug" },
    { name: "waits", message: "no port", class: "environment", cause: "There is no network." },
  ];

  it("ends with what the change broke, and with what it comes to", async () => {
    const coverage = {
      covered: 3,
      executable: 5,
      missed: [
        {
          path: "a.ts",
          ranges: [
            [4, 4],
            [7, 8],
          ] as [number, number][],
        },
      ],
    };
    const { code, out } = await run(
      said({ outcome: "failed", failed: 2, failures, flaky: ["slow"], coverage }, ["No lock file."]),
      ["."],
    );
    expect(out.split("\n")).toEqual([
      "a.ts:4 not reached by any test",
      "a.ts:7-8 not reached by any test",
      "flaky slow: failed once, passed when repeated",
      "could not run here waits: There is no network.",
      "    no port",
      "a.test.ts failed adds [31mup",
      "    expected 2",
      expect.not.stringContaining(SECRET),
      "note: No lock file.",
      "failed: 7 passed, 2 failed, 1 skipped (2 files of tests by vitest, against 3f2c1ab; 3 of 5 changed lines covered)",
      "",
    ]);
    expect(code).toBe(TEST_EXIT.failed);
  });

  it.each<[string, Partial<TestOutcome>, number]>([
    ["passed", {}, TEST_EXIT.passed],
    ["nothing to run", { outcome: "not_run", nothingToRun: true, reason: "There are no tests." }, TEST_EXIT.passed],
    ["no sandbox", { outcome: "not_run", reason: "There is no sandbox." }, TEST_EXIT.not_run],
    ["only what the place lacks", { outcome: "failed", blameless: true }, TEST_EXIT.not_run],
    ["a test fails", { outcome: "failed" }, TEST_EXIT.failed],
  ])("has an exit code that scripts may rely on: %s", async (_what, to, code) => {
    expect((await run(said(to), ["."])).code).toBe(code);
  });

  it("offers every test only where the change selects none of those that there are", async () => {
    const none = { outcome: "not_run", nothingToRun: true, reason: "None." } as const;
    expect((await run(said(none), ["."])).out).toBe("not tested: None.\n");
    expect((await run(said({ ...none, selection: "affected" }), ["."])).out).toBe(
      "not tested: None. (--all runs every test)\n",
    );
  });

  it("is one object for scripts, and colours for people at a terminal alone", async () => {
    const json = await run(said({ outcome: "failed", failures }), [".", "--format", "json"]);
    expect(JSON.parse(json.out)).toMatchObject({ outcome: "failed", passed: 7, failures: [{ class: "bug" }, {}] });
    expect(json.out).not.toContain(SECRET);
    const failing = said({ outcome: "failed", failures });
    expect((await run(failing, ["."], { isTTY: true })).out).toContain("\x1b[31mfailed\x1b[0m adds");
    expect((await run(failing, ["."])).out).not.toContain("\x1b");
  });

  it("says what is wrong with its arguments, and why it could not begin", async () => {
    const command = aCommand("test", async (args) => (await run(said(), args)).code);
    for (const args of [
      [],
      ["a", "b"],
      ["/no/such"],
      [".", "--format", "xml"],
      [".", "--all", "--base", "x"],
      [".", "--minutes", "0"],
    ])
      expect(await dispatch([command], ["test", ...args])).toBe(64);
    const { code, err } = await run(() => Promise.reject(new Error(`no ${SECRET}`)), ["."]);
    expect(code).toBe(TEST_EXIT.not_run);
    expect(err).toMatch(/^forge: could not test \.: no /);
    expect(err).not.toContain(SECRET);
  });
});

describeInSandbox("OPS-1: forge test <folder>", () => {
  const folder = realpathSync(mkdtempSync(join(temporaryFolder(), "shop-")));
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content);
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "init.defaultBranch=main"];
    execFileSync("git", ["-C", folder, ...identity, ...args], { stdio: "ignore" });
  };
  const test: Test = (request) => {
    const scratchRoot = temporaryFolder();
    const packages = { root: join(scratchRoot, "packages"), maxBytes: 1e6, registries: [] };
    const signal = new AbortController().signal;
    return testFolder({ ...request, packages, scratchRoot, redact: createRedactor([]), signal });
  };

  it("TEST-1: runs what is there, committed or not, blames what is new, and changes nothing", async () => {
    const price = (digits: number) => `export const price = (cents) => (cents / 100).toFixed(${digits});\n`;
    write("package.json", '{ "type": "module", "scripts": { "test": "node --test" } }\n');
    write("price.js", price(2));
    symlinkSync("price.js", join(folder, "same.js"));
    write(
      "price.test.js",
      `import assert from "node:assert";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { price } from "./same.js";
test("has two digits", () => assert.equal(price(250), "2.50"));
test("was wrong before", () => assert.equal(price(0), "none"));
writeFileSync("litter.txt", "");
`,
    );
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "Begin");
    const clean = await run(test, [folder]);
    expect(clean).toMatchObject({
      code: 0,
      out: expect.stringMatching(/touches nothing .*\(--all runs every test\)\n$/),
    });
    write("price.js", price(1));
    const { code, out } = await run(test, [folder]);
    expect(code).toBe(TEST_EXIT.failed);
    expect(out).toContain("price.test.js failed before the change was wrong before\n");
    expect(out).toContain("price.test.js failed has two digits\n");
    expect(out).toMatch(
      /failed: 0 passed, 2 failed \(1 file of tests by node:test, against \w{7}; 1 of 1 changed lines covered\)\n$/,
    );
    expect(existsSync(join(folder, "litter.txt"))).toBe(false);
    expect(readFileSync(join(folder, "price.js"), "utf8")).toBe(price(1));
  });
});
