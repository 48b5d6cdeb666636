import { describe, expect, it } from "vitest";
import { classifyFile } from "../../../src/analysis/classify-file.ts";
import { findPrograms } from "../../../src/analysis/programs/find-programs.ts";
import { isMadeExecutable } from "../../../src/analysis/programs/program.ts";
import type { ChangedFile } from "../../../src/domain/hunks.ts";
import { callsHere } from "../calls-here.ts";

const NOTES = "# Notes\n\nWhat to do first:\n\nrm -rf ~/work\n\nThen read on.\n";
const BASE: Record<string, string> = {
  "docs/notes.txt": NOTES,
  "docs/other.md": "# Other\n",
  "README.md": "# Shop\n",
  "src/a.js": "a();\n",
};
const { signal } = new AbortController();

/** What the change has run of the repository, as "path: language by caller, new". */
async function found(changed: Record<string, string>, base = BASE, to: Partial<ChangedFile> = {}) {
  const head = { ...base, ...changed };
  const files = Object.keys(changed).map((path): ChangedFile => {
    const status = path in base ? "modified" : "added";
    return { path, status, mode: "100644", binary: false, addedLines: 1, deletedLines: 0, hunks: [], ...to };
  });
  const textsOf = (side: Record<string, string>) =>
    new Map(Object.entries(side).map(([path, text]) => [path, Buffer.from(text)] as const));
  const tree = {
    paths: Object.keys(head).sort(),
    readMany: async (paths: readonly string[]) =>
      new Map(paths.map((path) => [path, Buffer.from(head[path]!)] as const)),
  };
  const { byPath, others } = await findPrograms(
    { files, contents: textsOf(head), oldContents: textsOf(base) },
    tree,
    signal,
    callsHere,
  );
  const told = [...byPath].map(
    ([path, { language, by, anew }]) => `${path}: ${language.name} by ${by}${anew ? ", new" : ""}`,
  );
  return { told, others: others.map(({ file }) => file.path) };
}

const script = (command: string) => ({ "package.json": JSON.stringify({ scripts: { prepare: command } }) });

describe("D1: a text that something runs is a program", () => {
  it.each<[string, Record<string, string>]>([
    ["a script of package.json", script("sh docs/notes.txt")],
    ["with another shell and options", script("bash -e -o pipefail ./docs/notes.txt --all")],
    ["fed into a shell", script("sh < docs/notes.txt")],
    ["piped into a shell", script("cat docs/notes.txt | bash")],
    ["printed for a shell", script('sh -c "$(cat docs/notes.txt)"')],
    ["evaluated", script('eval "$(cat docs/notes.txt)"')],
    ["sourced", script(". docs/notes.txt")],
    ["from its folder", script("cd docs && sh notes.txt")],
    ["by a variable", script("D=docs; sh $D/notes.txt")],
    ["by a pattern", script("sh docs/*.txt")],
    ["made executable", script("chmod +x docs/notes.txt && docs/notes.txt")],
    ["named as a command", script("./docs/notes.txt")],
    ["behind another command", script("npm run build; sudo -E sh docs/notes.txt")],
    ["loaded by Node", script("node --require ./docs/notes.txt src/a.js")],
    ["copied to where programs lie", script("cp docs/notes.txt node_modules/.bin/shop")],
    ["a make file", { Makefile: "all:\n\t@sh docs/notes.txt\n" }],
    ["included by a make file", { Makefile: "include docs/notes.txt\n" }],
    ["a hook", { ".husky/pre-commit": "sh docs/notes.txt\n" }],
    ["hooks by lefthook", { "lefthook.yml": "pre-commit:\n  commands:\n    a:\n      run: sh docs/notes.txt\n" }],
    [
      "a workflow",
      { ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: sh docs/notes.txt\n" },
    ],
    ["an action", { "action.yml": "runs:\n  using: node20\n  main: docs/notes.txt\n" }],
    ["an image", { Dockerfile: "FROM node:24\nCOPY docs docs\nRUN sh docs/notes.txt\n" }],
    ["the entry of an image", { Dockerfile: 'FROM node:24\nENTRYPOINT ["sh", "docs/notes.txt"]\n' }],
    ["a script", { "scripts/build.sh": "#!/bin/sh\nbash docs/notes.txt\n" }],
    ["a source that starts it", { "src/b.js": 'spawn("sh", ["docs/notes.txt"]);\n' }],
    ["a source of Python", { "src/b.py": 'subprocess.run(["bash", "docs/notes.txt"])\n' }],
    ["bin", { "package.json": JSON.stringify({ bin: { shop: "docs/notes.txt" } }) }],
    ["exports", { "package.json": JSON.stringify({ exports: { "./a": "./docs/notes.txt" } }) }],
    ["main", { "package.json": JSON.stringify({ main: "./docs/notes.txt" }) }],
    ["a first line", { "run.sh": "#!/usr/bin/env -S sh docs/notes.txt\n" }],
    ["settings of npm", { ".npmrc": "script-shell=./docs/notes.txt\n" }],
    ["settings of yarn", { ".yarnrc.yml": "yarnPath: docs/notes.txt\n" }],
    [
      "settings of an agent",
      { ".mcp.json": JSON.stringify({ mcpServers: { a: { command: "sh", args: ["docs/notes.txt"] } } }) },
    ],
    [
      "a hook of an agent",
      {
        ".claude/settings.json": JSON.stringify({
          hooks: { Stop: [{ hooks: [{ type: "command", command: "sh docs/notes.txt" }] }] },
        }),
      },
    ],
  ])("%s", async (_what, changed) => {
    const { told, others } = await found(changed);
    expect(told).toEqual([expect.stringMatching(/^docs\/notes\.txt: .* by .*, new$/)]);
    expect(others).toEqual(["docs/notes.txt"]);
  });

  it.each<[string, Record<string, string>]>([
    ["behind a folder", script('eslint --fix . "docs/*"')],
    ["an argument", script("node src/a.js docs/notes.txt README.md")],
    ["copied into an image", { Dockerfile: "FROM node:24\nCOPY README.md docs/notes.txt ./\n" }],
    ["looked at", script("cat docs/notes.txt && grep -c a README.md")],
    [
      "uploaded",
      {
        ".github/workflows/ci.yml":
          "jobs:\n  a:\n    steps:\n      - uses: a/b@v1\n        with:\n          path: docs/notes.txt\n",
      },
    ],
    ["told of in prose", { "docs/more.md": "Run `sh docs/notes.txt`.\n" }],
    [
      "data that a package gives away",
      {
        "package.json": JSON.stringify({
          exports: { "./package.json": "./package.json", "./data": { default: "./docs/data.json" } },
          imports: { "#data": "./docs/data.json" },
        }),
        "docs/data.json": "{}",
      },
    ],
    [
      "packed",
      {
        "package.json": JSON.stringify({
          files: ["docs/notes.txt"],
          main: "src/a.js",
          scripts: { a: "node src/a.js" },
        }),
      },
    ],
  ])("nothing becomes one where it is %s", async (_what, changed) => {
    expect(await found(changed)).toEqual({ told: [], others: [] });
  });

  it("what says itself what runs it was read as that, unless another program runs it", async () => {
    const base = { ...BASE, "bin/shop": "#!/usr/bin/env node\na();\n", "test/shop": NOTES };
    const manifest = (to: object) => found({ "package.json": JSON.stringify(to) }, base);
    const [own, asBin] = [await manifest({ scripts: { a: "./bin/shop x" } }), await manifest({ bin: "bin/shop" })];
    expect([own.told, own.others, asBin.told]).toEqual([[], [], []]);
    expect((await manifest({ scripts: { a: "./bin/shop x", b: "sh bin/shop" } })).told).toEqual([
      "bin/shop: Shell by package.json, new",
    ]);
    expect((await found({ ...script("./bin/new"), "bin/new": "#!/bin/sh\na\n" }, base)).told).toEqual([]);
    expect((await manifest({ directories: { test: "test", bin: "test" } })).told).toEqual([
      "test/shop: JavaScript by package.json, new",
    ]);
    expect((await manifest({ directories: { test: "test" }, main: "shop" })).told).toEqual([]);
  });

  it("one that was called before is read as one where it changes, and whole where it comes", async () => {
    const base = { ...BASE, ...script("sh docs/notes.txt") };
    expect((await found({ "docs/notes.txt": `${NOTES}curl x | sh\n` }, base)).told).toEqual([
      "docs/notes.txt: Shell by package.json",
    ]);
    const without = { "README.md": "# Shop\n", ...script("sh docs/notes.txt") };
    expect((await found({ "docs/notes.txt": NOTES }, without)).told).toEqual([
      "docs/notes.txt: Shell by package.json, new",
    ]);
    expect(
      (
        await found(
          { "package.json": JSON.stringify({ version: "2", scripts: { prepare: "sh docs/notes.txt" } }) },
          base,
        )
      ).told,
    ).toEqual([]);
  });
});

describe("D1: a mode makes a program", () => {
  const file = (to: Partial<ChangedFile>): ChangedFile => ({
    ...{
      path: "docs/notes.txt",
      status: "modified",
      mode: "100755",
      binary: false,
      addedLines: 0,
      deletedLines: 0,
      hunks: [],
    },
    ...to,
  });
  it.each<[string, Partial<ChangedFile>, boolean]>([
    ["set", { oldMode: "100644" }, true],
    [
      "with a name of no language",
      { path: "setup", oldPath: "docs/notes.txt", status: "renamed", oldMode: "100644" },
      true,
    ],
    ["of a new file", { status: "added", addedLines: 1, hunks: [{ newStart: 1, newEnd: 1, added: [1] }] }, true],
    ["kept", {}, false],
    ["taken away", { mode: "100644", oldMode: "100755" }, false],
  ])("%s", (_what, to, made) => {
    expect(isMadeExecutable(file(to), Buffer.from(NOTES))).toBe(made);
    const { look, whole, language } = classifyFile(file(to), Buffer.from(NOTES), Buffer.from(NOTES));
    expect(made ? [look, language?.name] : [look]).toEqual(made ? ["all", "Shell"] : ["none"]);
    if (made && to.status !== "added") expect(whole).toBe(true);
  });

  it("reads a script whole that is made executable, and says nothing of its own", () => {
    const build = file({ path: "scripts/build.sh", oldMode: "100644" });
    expect(isMadeExecutable(build, Buffer.from("echo\n"))).toBe(false);
    expect(classifyFile(build, Buffer.from("echo\n"), Buffer.from("echo\n"))).toMatchObject({
      look: "all",
      whole: true,
    });
  });
});
