import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ConfiguredDependencies } from "../../src/analysis/configured-analyser.ts";
import { type ConfiguredAnalyser, RepoConfig } from "../../src/domain/repo-config.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import { analyse } from "./change-of.ts";

const HEAD = { "a.js": "a();\nb();\n", "README.md": "# A\n" };

function run(analyser: Partial<ConfiguredAnalyser>, dependencies?: Partial<ConfiguredDependencies>) {
  const whole = { name: "mine", command: ["sh", "-c", "exit 0"], format: "eslint", ...analyser };
  const configuration = RepoConfig.parse({ tools: { analysers: [whole] } });
  const complete = dependencies && {
    sandbox: async () => ({ unavailable: "Not here." }),
    writeHead: async (folder: string) => {
      for (const [path, text] of Object.entries(HEAD)) writeFileSync(join(folder, path), text, { flag: "wx" });
      return undefined;
    },
    ...dependencies,
  };
  return analyse(HEAD, { configuration, analysers: [], ...(complete ? { configured: complete } : {}) });
}
const report = (path: string) =>
  JSON.stringify([{ filePath: path, messages: [{ ruleId: "no-x", severity: 2, line: 2, column: 1, message: "x" }] }]);
const printing = (text: string, code = 0) => ["sh", "-c", `cat <<'END'\n${text}\nEND\nexit ${code}`];
const staticLayer = ({ coverage }: Awaited<ReturnType<typeof analyse>>) => coverage.layers[0];

it.each([undefined, {}])(
  "SEC-1: without a sandbox a configured analyser does not run, and its layer says so",
  async (dependencies) => {
    const result = await run({ command: printing(report("a.js")) }, dependencies);
    expect(result.observations).toEqual([]);
    expect(staticLayer(result)).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/^mine did not run: there is no sandbox/),
    });
  },
);

it("takes no name that an analyser of Forge has", async () => {
  expect(staticLayer(await run({ name: "eslint" }, {}))?.reason).toContain(
    "eslint did not run: an analyser of Forge has that name",
  );
});

it("runs only for changes that touch its paths", async () => {
  expect(staticLayer(await run({ paths: ["*.py"] }))).toMatchObject({ state: "ran" });
});

it("GH-11a: says why the head could not be written", async () => {
  const unreachable = () => expect.unreachable();
  const sandbox = async () => ({ run: unreachable, runInstall: unreachable, adopt: unreachable });
  const result = await run({}, { sandbox, writeHead: async () => "The repository is too large." });
  expect(staticLayer(result)?.reason).toBe("mine did not run: The repository is too large.");
});

describeInSandbox("a configured analyser", (sandbox) => {
  const inside = (analyser: Partial<ConfiguredAnalyser>) => run(analyser, { sandbox: async () => sandbox });

  it("REV-5: sees the head's files, and what it prints becomes findings on added lines", async () => {
    const command = [
      "sh",
      "-c",
      `test -f a.js && test -f README.md || exit 9; ${"cat <<'END'\n"}${report("/box/a.js")}\nEND\nexit 1`,
    ];
    const result = await inside({ command });
    expect(result.observations).toMatchObject([{ file: "a.js", line: 2, rule: "mine/eslint/no-x", severity: "error" }]);
    expect(staticLayer(result)).toMatchObject({
      state: "ran",
      tools: [{ name: "mine", version: "configured", files: 2 }],
    });
  });

  it("REV-5: finds the project's own linter among its packages", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
    mkdirSync(join(folder, "node_modules", "linter"));
    const program = '#!/usr/bin/env node\nconsole.log(JSON.stringify(require("linter/report.json")));\n';
    writeFileSync(join(folder, "node_modules", "linter", "cli.js"), program, { mode: 0o755 });
    writeFileSync(join(folder, "node_modules", "linter", "report.json"), report("/box/a.js"));
    symlinkSync("../linter/cli.js", join(folder, "node_modules", ".bin", "linter"));
    const packages = async () => {
      const ready = { folder, kept: true, notes: [], [Symbol.asyncDispose]: async () => undefined };
      return { installed: true, packages: ready } as const;
    };
    const result = await run({ command: ["linter"] }, { sandbox: async () => sandbox, packages });
    expect(result.observations).toMatchObject([{ file: "a.js", line: 2, rule: "mine/eslint/no-x" }]);
  });

  it("REV-5: says that its packages are missing, and why, where its program is not there", async () => {
    const packages = async () => ({ installed: false, needed: true, reason: "the registry was away" }) as const;
    const result = await run({ command: ["linter"] }, { sandbox: async () => sandbox, packages });
    expect(staticLayer(result)?.reason).toBe(
      "mine did not run: its program was not found, and the packages of the repository could not be installed: the registry was away",
    );
  });

  it("SEC-1: reports nothing outside the repository", async () => {
    const result = await inside({ command: printing(report("/etc/passwd")) });
    expect(result.observations).toEqual([]);
    expect(result.coverage.notes).toEqual(["mine: 1 result was left out (outside the checkout)."]);
  });

  it.each([
    [{ command: ["no-such-program"] }, "its program was not found in the sandbox"],
    [{ command: printing("oh no", 2) }, "its report is not JSON (it ended with 2)"],
    [{ command: ["true"] }, "its report is empty"],
  ])("GH-11a: a failure is told: %j", async (analyser, reason) => {
    expect(staticLayer(await inside(analyser))).toMatchObject({
      state: "failed",
      reason: `mine did not run: ${reason}`,
    });
  });
});
