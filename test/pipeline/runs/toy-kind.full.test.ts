import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";

/** One more kind of run, as a change of this tree: it counts stale branches of a repository. docs/recipes.md says how to refresh it. */
const PATCH = resolve("test/pipeline/runs/toy-kind/census.patch");
const MOST_FILES = 19;

const copy = mkdtempSync(join(tmpdir(), "forge-toy-kind-"));
afterAll(() => rmSync(copy, { recursive: true }));

const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: copy, encoding: "utf8", env: { ...process.env, GIT_CEILING_DIRECTORIES: copy } });

it("PIPE-1: a kind of run is its folder, its row, its words, events and inputs; nothing else knows its name", () => {
  const touched = git("apply", "--numstat", PATCH)
    .trim()
    .split("\n")
    .map((line) => line.split("\t")[2] ?? "");
  const files = touched.filter((file) => !file.startsWith("test/pipeline/"));
  expect(files).toContain("src/pipeline/kinds.ts");
  expect(files.length).toBeLessThanOrEqual(MOST_FILES);
});

it("PIPE-1, EVT-3: it runs from its request to its end, is swept, listed, replayed and has checkpoints", () => {
  for (const folder of ["src", "drizzle", "test/stored"]) cpSync(folder, join(copy, folder), { recursive: true });
  cpSync("package.json", join(copy, "package.json"));
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  git("apply", PATCH);
  mkdirSync(join(copy, "data"));
  const story = [join(copy, "test/pipeline/census/story.ts"), join(copy, "data", "forge.db")];
  expect(JSON.parse(execFileSync(process.execPath, story, { cwd: copy, encoding: "utf8" }))).toEqual({
    asked: ["run.started"],
    again: "the branches are being counted",
    begun: "pending",
    swept: { runs: 1, subjects: 0 },
    job: "census",
    history: "  ID  census  acme/shop  passed  a moment ago  under 1 s  $0.00  count branches",
    conclusion: "success",
    differences: [],
    checkpoints: ["it only counts: another one can be asked for"],
  });
});
