import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ANALYSERS } from "../../src/analysis/analyse-change.ts";
import type { Analyser } from "../../src/analysis/analyser.ts";
import { RepoConfig } from "../../src/domain/repo-config.ts";
import { analyse, changedFile, scratchFolder } from "./change-of.ts";

const token = () => `gh${"p_"}${"a8Kd7sLq2".repeat(4)}`;
const seen = ({ observations }: Awaited<ReturnType<typeof analyse>>) =>
  observations.map(({ file, line, rule }) => `${file}:${line} ${rule}`);

function analyser(name: string, analyse: Analyser["analyse"]): Analyser {
  return { name, version: "1", layer: "static", appliesTo: () => true, analyse };
}

describe("analyseChange", () => {
  it("GH-10a: has nothing to say about clean code", async () => {
    const { observations, coverage, left } = await analyse({
      "src/a.ts": "export function f(a: number): number {\n  return a + 1;\n}\n",
      "ci.yml": "on: push\n",
      "README.md": "# Title\n",
    });
    expect({ observations, left }).toEqual({ observations: [], left: [] });
    expect(coverage).toMatchObject({
      files: 3,
      filesCovered: 3,
      addedLines: 5,
      addedLinesCovered: 5,
      uncovered: [],
      notes: [],
    });
    expect(coverage.layers.map(({ layer, state }) => [layer, state])).toEqual([
      ["static", "ran"],
      ["security", "ran"],
      ["ai", "not_configured"],
    ]);
  });

  it("finds a secret below a syntax error, and in files that no other analyser looks at; leaves no file behind", async () => {
    const latin1 = Buffer.concat([
      Buffer.from("// gr"),
      Buffer.from([0xfc, 0xdf]),
      Buffer.from(`e\nconst t = "${token()}";\n`),
    ]);
    const files = {
      "a.ts": `const a = ;\nconst t = "${token()}";\n`,
      "dist/b.js": `${token()}\n`,
      "c.js": latin1,
      "d.rb": `x = "${token()}"\n`,
    };
    const scratchRoot = scratchFolder();
    const result = await analyse(files, { scratchRoot });
    expect(readdirSync(scratchRoot)).toEqual([]);
    expect(seen(result)).toEqual([
      "a.ts:2 secrets/github-token",
      "c.js:2 secrets/github-token",
      "d.rb:1 secrets/github-token",
      "dist/b.js:1 secrets/github-token",
      "a.ts:1 syntax/syntax",
    ]);
    expect(result.coverage.uncovered).toEqual([{ path: "a.ts", reason: "not linted: it does not parse", gap: false }]);
    expect(result.coverage.searchedOnly).toEqual([
      { path: "a.ts", reason: "TypeScript that does not parse" },
      { path: expect.stringMatching(/\.rb$/), reason: "Ruby" },
    ]);
  });

  it("SEC-1: does not read a symbolic link that is called like code", async () => {
    const file = { ...changedFile("passwd.js", "/etc/passwd"), mode: "120000" };
    const { observations, coverage } = await analyse(
      {},
      { files: [file], contents: new Map([["passwd.js", Buffer.from("/etc/passwd")]]) },
    );
    expect(observations).toEqual([]);
    expect(coverage.uncovered).toEqual([{ path: "passwd.js", reason: "a symbolic link to outside", gap: true }]);
    expect(JSON.stringify(coverage)).not.toContain("root:");
  });

  it("GH-11a, REV-3: an analyser that fails costs its own findings only, and its layer says so; only added lines are reported", async () => {
    const failures: unknown[] = [];
    const broken = analyser("broken", () => Promise.reject(new Error("secret detail of this machine")));
    const base = "export const a = (x) => x === x;\n";
    const result = await analyse(
      { "a.js": [`${base}export const b = (x) => x === x;\n`, base] },
      { analysers: [...ANALYSERS, broken], onFailure: (name) => failures.push(name) },
    );
    expect(seen(result)).toEqual(["a.js:2 biome/suspicious/noSelfCompare"]);
    expect(result.coverage.layers[0]).toMatchObject({
      state: "partly",
      reason: "broken did not run: an unexpected error",
    });
    expect(failures).toEqual(["broken"]);
    expect(JSON.stringify(result)).not.toContain("secret detail");
  });

  it("GH-11a: a file that an analyser could not read is a gap", async () => {
    const halting = analyser("halting", async () => ({
      observations: [],
      filesRead: 0,
      problems: [{ file: "a.js", reason: "not read: too odd", gap: true }],
    }));
    const { coverage } = await analyse({ "a.js": "a();\n" }, { analysers: [halting] });
    expect(coverage).toMatchObject({
      filesCovered: 0,
      addedLinesCovered: 0,
      uncovered: [{ path: "a.js", reason: "not read: too odd", gap: true }],
    });
    expect(coverage.layers[0]).toMatchObject({ state: "failed", reason: "halting left out 1 file" });
  });

  it("GH-11a: what was stopped did not run", async () => {
    const { coverage } = await analyse({ "a.js": "a();\n" }, { signal: AbortSignal.abort() });
    expect(coverage.layers.map(({ state }) => state)).toEqual(["failed", "failed", "not_configured"]);
  });

  it("CONF-1: leaves out what the configuration excludes, as intended", async () => {
    const configuration = RepoConfig.parse({ review: { paths: { exclude: ["legacy"] } } });
    const { observations, coverage } = await analyse({ "legacy/a.js": "debugger;\n" }, { configuration });
    expect(observations).toEqual([]);
    expect(coverage.uncovered).toEqual([{ path: "legacy/a.js", reason: "excluded by the configuration", gap: false }]);
  });

  it("survives a line of 1 MB in a script and in data", async () => {
    const long = `${"x+".repeat(500_000)}x;\n`;
    const result = await analyse({
      "a.js": `${long}const t = "${token()}";\n`,
      "b.json": `["${"y".repeat(1_000_000)}"]\n`,
    });
    expect(seen(result)).toEqual(["a.js:2 secrets/github-token"]);
    expect(result.coverage.layers.map(({ state }) => state)).toEqual(["ran", "ran", "not_configured"]);
  });
});
