// The command as contributors run it, in a repository of its own.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SUSPECT_SENTENCES } from "./fixtures/samples.ts";

const SCRIPT = resolve("scripts/plain-english.ts");
const CEILINGS = "scripts/plain-english/ceilings.json";
const suspect = SUSPECT_SENTENCES[0]![0];
const another = SUSPECT_SENTENCES[3]![0];

let repository: string;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "plain-english-"));
  git("init", "--quiet", "--initial-branch=main");
  write(".gitignore", "ignored.md\n");
  write("docs/old.md", `${suspect}\n`);
  write(CEILINGS, '{\n  "docs": 1\n}\n');
  commit();
  git("switch", "--quiet", "--create", "branch");
});

afterEach(() => rmSync(repository, { recursive: true, force: true }));

it("passes as long as nothing was added", () => {
  expect(run("--check")).toEqual({ status: 0, output: "" });
});

it("fails at a planted violation in a new folder and points to the page", () => {
  write("demo/new.ts", `// ${suspect}\n`);
  expect(run("--check")).toEqual({
    status: 1,
    output: [
      "demo has 1 suspect line, and its ceiling is 0. New on this branch:",
      `  demo/new.ts:1: anew | ${suspect}`,
      "",
      "Rewrite these lines. docs/plain-english.md shows how.",
      "",
    ].join("\n"),
  });
});

it("names only the new line of a folder, whether it is committed or not", () => {
  write("docs/old.md", `${another}\n${suspect}\n`);
  expect(run("--check").output).toContain(`  docs/old.md:1: Somebody | ${another}\n`);
  commit();
  expect(run("--check").output).toContain("docs/old.md:1: Somebody");
  expect(run("--check").output).not.toContain("docs/old.md:2:");
});

it("does not read ignored files", () => {
  write("ignored.md", `${suspect}\n`);
  expect(run("--check").status).toBe(0);
});

it("lowers ceilings and does not raise them", () => {
  write("docs/old.md", "A plain line.\n");
  expect(run("--lower")).toEqual({ status: 0, output: "" });
  expect(readFileSync(join(repository, CEILINGS), "utf8")).toBe("{}\n");
  write("docs/old.md", `${suspect}\n`);
  expect(run("--lower").status).toBe(1);
  expect(readFileSync(join(repository, CEILINGS), "utf8")).toBe("{}\n");
});

it("lists the lines added since main, or since another commit", () => {
  write("docs/old.md", `${suspect}\n${suspect}\n`);
  commit();
  write("docs/new.md", `${suspect}\n`);
  const added = (line: string) => `docs/${line}: anew | ${suspect}\n`;
  expect(run("--change").output).toBe(`${added("old.md:2")}${added("new.md:1")}2 suspect lines\n`);
  expect(run("--change", "HEAD").output).toBe(`${added("new.md:1")}1 suspect line\n`);
});

it("lists or counts files and folders", () => {
  const found = ["docs/old.md:1: anew", suspect].join(" | ");
  expect(run("docs/old.md")).toEqual({ status: 1, output: `${found}\n1 suspect line\n` });
  expect(run("--count", "docs")).toEqual({ status: 1, output: "1 suspect line\n" });
});

function run(...args: string[]): { status: number | null; output: string } {
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, ...args], { cwd: repository, encoding: "utf8" });
  return { status, output: stdout };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), content);
}

function commit(): void {
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message", "Change");
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: repository, stdio: "ignore" });
}
