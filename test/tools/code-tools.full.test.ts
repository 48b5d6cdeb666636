import { describe, expect, it } from "vitest";
import { lintFiles } from "../../src/analysis/lint-files.ts";
import { createGraphReader } from "../../src/analysis/map/read-graph.ts";
import { RepoConfig } from "../../src/domain/repo-config.ts";
import { findReferences } from "../../src/tools/find-references.ts";
import { repositoryMap } from "../../src/tools/repository-map.ts";
import { runLinter } from "../../src/tools/run-linter.ts";
import { implementerTools, plannerTools, reviewerTools, testerTools } from "../../src/tools/toolsets.ts";
import { fullStore } from "../../src/workspace/git-store.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import { call, failureOf, folderWith, textFrom } from "./tool-fixture.ts";

function powersOver(files: Readonly<Record<string, string>>) {
  const folder = folderWith(files);
  const readGraph = createGraphReader({ files: folder.files, scratch: temporaryFolder(), immutable: true });
  return { ...folder, readGraph, changedPaths: ["src/a.ts"] };
}

const PROJECT = {
  "src/a.ts": "export function parse(text: string) {\n  return text;\n}\n",
  "src/index.ts": "export * from './a.ts';\n",
  "src/user.ts": "import { parse } from './index.ts';\nparse('x');\n",
  "src/other.ts": "const parse = 1;\nexport default parse;\n",
  "README.md": "Call parse first.\nparseAll is something else.\n",
};

describe("find_references", () => {
  it("TOOLS-1: gives the uses of a name in files that can mean it", async () => {
    const tool = findReferences(powersOver(PROJECT));
    const text = await textFrom(tool, { symbol: "parse", defined_in: "src/a.ts" });
    expect(text).toContain("src/a.ts\n1: export function parse(text: string) {");
    expect(text).toContain("src/user.ts\n1: import { parse } from './index.ts';\n2: parse('x');");
    expect(text).toContain("README.md\n1: Call parse first.");
    expect(text).not.toContain("parseAll");
    expect(text).toContain(
      "Declared in src/a.ts. The same word also stands in 1 file that does not import it: src/other.ts.",
    );
    expect(await textFrom(tool, { symbol: "nowhere" })).toBe("The name does not stand anywhere.");
    expect(await failureOf(tool, { symbol: "parse", defined_in: "gone.ts" })).toContain("not_found: ");
    await expect(textFrom(tool, { symbol: "parse|x" })).rejects.toThrow();
    expect(await textFrom(tool, { symbol: "--pre" })).toBe("The name does not stand anywhere.");
  });
});

describe("repository_map", () => {
  it("TOOLS-1: draws the changed files first", async () => {
    const tool = repositoryMap(powersOver(PROJECT));
    const text = await textFrom(tool, {});
    expect(text.split("\n").slice(1, 4)).toEqual([
      "src/a.ts (imported by 1) *",
      "  1: function parse(text: string)",
      "src/index.ts (imported by 1)",
    ]);
    expect((await textFrom(tool, { around: ["./src/user.ts"] })).split("\n")[1]).toBe("src/user.ts *");
    expect(await failureOf(tool, { around: ["gone.ts"] })).toContain("not_found: ");
    expect(await textFrom(repositoryMap(powersOver({ "a.rb": "" })), {})).toContain("There is no code");
  });
});

describe("run_linter", () => {
  it("TOOLS-1: shows what the analysers of the review find in whole files, cut where there is much", async () => {
    const dependencies = powersOver({
      "src/a.ts": "export const run = (input: string) => eval(input);\n",
      "src/clean.ts": "export const one = 1;\n",
    });
    const lint = (files: ReadonlyMap<string, Buffer>, signal: AbortSignal) =>
      lintFiles({ files, signal, scratchRoot: temporaryFolder(), configuration: RepoConfig.parse({}) });
    const tool = runLinter({ ...dependencies, lint });
    const { text, metrics } = await call(tool, { files: ["src/a.ts"] });
    expect(text).toMatch(/\w+ src\/a\.ts:1 \S+: .+/);
    expect(metrics?.findings).toBeGreaterThan(0);
    expect(await textFrom(tool, { files: ["src/clean.ts"] })).toBe("Nothing was found.");
    expect(await failureOf(tool, { files: ["../x"] })).toContain("invalid_path: ");
  });
});

describe("the tools of an agent", () => {
  const dependencies = powersOver(PROJECT);
  const memory = { remember: async () => ({ id: "M-1" }), recall: async () => [] };
  const issues = { fetchIssue: async () => undefined };
  const history = { store: fullStore("/nonexistent"), commit: "0".repeat(40) };
  const clone = { files: dependencies.files, run: () => Promise.reject(new Error("not run here")) };
  const all = {
    ...dependencies,
    memory,
    issues,
    history,
    clone,
    changed: [],
    packages: "none" as const,
    programs: ["node"],
    lint: async () => ({ observations: [], uncovered: [], failed: [] }),
  };
  const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name).sort();
  const READING = ["glob", "grep", "list_files", "read_file", "repository_map"];

  it("TOOLS-1: are those of its work and no others", () => {
    expect(names(plannerTools(all))).toEqual([...READING, "fetch_issue", "git_log", "recall", "remember"].sort());
    expect(names(implementerTools(all))).toEqual(
      [
        ...READING,
        "fetch_issue",
        "git_log",
        "recall",
        "remember",
        "write_file",
        "edit_file",
        "apply_patch",
        "run_command",
        "run_tests",
        "run_linter",
      ].sort(),
    );
    expect(names(reviewerTools(all))).toEqual(
      [
        ...READING,
        "fetch_issue",
        "git_log",
        "recall",
        "remember",
        "git_diff",
        "git_blame",
        "find_references",
        "read_package",
        "run_tests",
        "run_script",
      ].sort(),
    );
    expect(names(testerTools(all))).toEqual(
      [...READING, "git_log", "recall", "remember", "run_tests", "write_file"].sort(),
    );
  });

  it("TOOLS-1: speak of no tool that their agent does not have", () => {
    const sets = [plannerTools(all), implementerTools(all), reviewerTools(all), testerTools(all)];
    const known = new Set(sets.flatMap(names));
    const foreign = sets.flatMap((tools) => {
      const own = names(tools);
      return tools.flatMap(({ name, description }) =>
        (description.match(/\w+/g) ?? [])
          .filter((word) => word.includes("_") && known.has(word) && !own.includes(word))
          .map((word) => `${name} speaks of ${word}`),
      );
    });
    expect(foreign).toEqual([]);
  });

  it("TOOLS-1: leave out what there is no power for", () => {
    const { files, redact, readGraph, changedPaths } = dependencies;
    expect(names(reviewerTools({ files, redact, readGraph, changedPaths, changed: [] }))).toEqual(
      [...READING, "find_references", "git_diff"].sort(),
    );
  });

  it("TOOLS-1: let a tester write tests and nothing else", async () => {
    const write = testerTools(all).find(({ name }) => name === "write_file");
    expect(await failureOf(write ?? expect.unreachable(), { path: "src/b.ts", content: "" })).toContain("not_yours: ");
    expect(await textFrom(write ?? expect.unreachable(), { path: "src/b.test.ts", content: "" })).toContain("Created");
  });

  it("SEC-4: keep an implementer out of what its task does not name, whichever way it writes", async () => {
    const refusePath = (path: string) => (path.startsWith("src/") ? undefined : "Not part of this task.");
    const tools = implementerTools({ ...all, refusePath });
    const writing = (name: string) => tools.find((tool) => tool.name === name) ?? expect.unreachable();
    expect(await failureOf(writing("write_file"), { path: "./docs/x", content: "" })).toBe(
      "not_yours: Not part of this task.",
    );
    for (const path of ["b/docs/x", "a/docs/x", "docs/x", "./docs/x"]) {
      const patch = `--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+x\n`;
      expect(await failureOf(writing("apply_patch"), { patch })).toBe("not_yours: Not part of this task.");
    }
  });

  it("are described for a model, each with a schema that an endpoint takes", async () => {
    const { z } = await import("zod");
    for (const tool of [...implementerTools(all), ...reviewerTools(all)]) {
      expect(tool.description.length).toBeGreaterThan(80);
      expect(tool.name).toMatch(/^[a-z_]+$/);
      expect(z.toJSONSchema(tool.inputSchema, { io: "input" })).toMatchObject({ type: "object" });
    }
  });
});
