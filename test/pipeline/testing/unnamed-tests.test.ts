import { describe, expect, it } from "vitest";
import { prepareTests } from "../../../src/pipeline/testing/prepare-tests.ts";
import { createRedactor } from "../../../src/safety/redact.ts";
import { openClone } from "../../../src/workspace/clone.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";

const { signal } = new AbortController();

async function prepare(files: Readonly<Record<string, string>>) {
  // Nothing is started: looking for tests reads files alone.
  const clone = await openClone({ folder: folderWith(files).root, sandbox: undefined as never });
  return prepareTests({ clone, redact: createRedactor([]), signal, scratchRoot: temporaryFolder() }, {}, undefined);
}

describe("TEST-1: tests that only the settings of a runner know", () => {
  it.each([
    ["vitest", `it("adds", () => {});`],
    ["ava", `test("adds", (t) => t.pass());`],
  ])("are run with everything: %s", async (runner, text) => {
    const manifest = JSON.stringify({ scripts: { test: runner } });
    expect(await prepare({ "package.json": manifest, "checks/sum.js": text })).toMatchObject({
      command: { runner },
      tests: [],
    });
  });

  it("are said where the runner has to be given names", async () => {
    const manifest = JSON.stringify({ scripts: { test: "tape checks/*.js" } });
    const plan = await prepare({ "package.json": manifest, "checks/sum.js": `test("adds", (t) => t.end());` });
    expect(plan).toEqual({ notRun: "No file is called like a test of tap, and checks/sum.js seems to hold some." });
  });

  it.each([
    ["a pattern of names", "pytest.ini", "[pytest]\npython_files = check_*.py\n", "def check_sum():\n    pass\n"],
    ["classes", "setup.cfg", "[tool:pytest]\n", "class Sums(TestCase):\n    def test_sum(self):\n        pass\n"],
  ])("are not taken for none by pytest: %s", async (_, settings, text, code) => {
    const files = { [settings]: text, "checks/check_sum.py": code };
    // It comes as far as asking whether pytest is there, which takes a sandbox.
    await expect(prepare(files)).rejects.toThrow(TypeError);
  });

  it("are not taken for none where not all code is looked into", async () => {
    const manifest = JSON.stringify({ scripts: { test: "tape checks/*.js" } });
    const plan = await prepare({ "package.json": manifest, "checks/sum.js": `//${"-".repeat(3_000_000)}` });
    expect(plan).toEqual({
      notRun: "No file is called like a test of tap, and Forge did not look into checks/sum.js.",
    });
  });

  it.each(["fixtures/a.js", "node_modules/a/a.js"])("are not those of samples and packages: %s", async (path) => {
    const manifest = JSON.stringify({ scripts: { test: "vitest" } });
    expect(await prepare({ "package.json": manifest, [path]: `it("adds", () => {});` })).toMatchObject({
      nothingToRun: true,
    });
  });
});
