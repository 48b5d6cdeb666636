import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import { filesForPeople } from "../../../src/analysis/unattended/files-for-people.ts";
import type { ChangedFile } from "../../../src/domain/hunks.ts";
import type { RepositoryFiles } from "../../../src/workspace/files/repository-files.ts";
import { callsHere } from "../calls-here.ts";

const scratchRoot = mkdtempSync(join(tmpdir(), "forge-people-"));
afterAll(() => rmSync(scratchRoot, { recursive: true, force: true }));

const CODE = "export const total = (prices) => prices.length;\n";
const TEST =
  'import { total } from "../src/total.js";\nit("counts", () => {\n  expect(total([1])).toBe(1);\n  expect(total([])).toBe(0);\n});\n';

/** A shop whose tests reach one source, through another one. */
const SHOP: Record<string, string> = {
  "package.json": JSON.stringify({
    name: "shop",
    main: "src/total.js",
    scripts: { test: "vitest run", start: "node src/server.js", prepare: "node lib/x.txt", build: "node src/make.js" },
  }),
  "vitest.config.ts":
    'import { plugin } from "./src/plugin.js";\nexport default { plugins: [plugin], test: { setupFiles: "./lib/ready.js" } };\n',
  ".github/workflows/ci.yml":
    "on: push\njobs:\n  a:\n    steps:\n      - run: cd lib && sh run-all.md && cat docs/list.md | xargs npm install\n",
  "src/total.js": 'export { total } from "./sum.js";\n',
  "src/sum.js": CODE,
  "src/alone.js": CODE,
  "src/server.js":
    'import { total } from "./total.js";\nimport { page } from "./page.js";\nconsole.log(total, page);\n',
  "src/page.js": CODE,
  "src/make.js": 'import "./made.js";\n',
  "src/made.js": CODE,
  "src/plugin.js": CODE,
  "lib/ready.js": CODE,
  "lib/x.txt": "Three words here\n",
  "lib/run-all.md": "# Run\n",
  "docs/list.md": "# List\n",
  "docs/other.md": "# Other\n",
  "test/total.test.js": `${TEST}import "../src/made.js";\nimport "../src/server.js";\nimport "../src/plugin.js";\nimport "../lib/ready.js";\n`,
};

/** What waits for a person of a change to these files. */
async function waiting(changed: Record<string, string | null>) {
  const head = { ...SHOP, ...changed };
  const paths = Object.keys(head)
    .filter((path) => head[path] !== null)
    .sort();
  const readMany: RepositoryFiles["readMany"] = async (wanted) =>
    new Map(wanted.flatMap((path) => (head[path] == null ? [] : [[path, Buffer.from(head[path])] as const])));
  const files = Object.entries(changed).map(([path, text]): ChangedFile => {
    const status = text === null ? "deleted" : path in SHOP ? "modified" : "added";
    return { path, status, mode: "100644", binary: false, addedLines: 1, deletedLines: 0, hunks: [] };
  });
  const textsOf = (side: Record<string, string | null>) =>
    new Map(files.flatMap(({ path }) => (side[path] == null ? [] : [[path, Buffer.from(side[path])] as const])));
  const { signal } = new AbortController();
  const tree = { list: async () => ({ ok: true, paths, truncated: false }), readMany } as unknown as RepositoryFiles;
  return filesForPeople({
    ...{ files, contents: textsOf(head), oldContents: textsOf(SHOP), scratchRoot, signal },
    ...{ tree: { paths, readMany }, askCalls: callsHere },
    readGraph: createGraphReader({ files: tree, scratch: scratchRoot, immutable: true }),
  });
}

describe("SAFE-4: which files of a change wait for a person", () => {
  const more = "\nexport const none = 0;\n";
  it.each<[string, Record<string, string | null>, string[]]>([
    ["a source that tests reach through others", { "src/sum.js": `${CODE}${more}` }, []],
    [
      "with a test that asks for more",
      {
        "src/sum.js": more,
        "test/total.test.js": SHOP["test/total.test.js"]!.replace("});", "  expect(total([2])).toBe(1);\n});"),
      },
      [],
    ],
    ["what is imported by what is started", { "src/page.js": more }, []],
    ["prose", { "docs/other.md": "# Another\n", "README.md": "# Shop\n" }, []],
    ["a source that no test reaches", { "src/alone.js": more, "src/sum.js": more }, ["src/alone.js"]],
    [
      "a new source with a new test",
      { "src/new.js": CODE, "test/new.test.js": TEST.replace("total.js", "new.js") },
      ["test/new.test.js"],
    ],
    [
      "a test that says less",
      { "test/total.test.js": SHOP["test/total.test.js"]!.replace("  expect(total([])).toBe(0);\n", "") },
      ["test/total.test.js"],
    ],
    ["a test that nobody can read", { "test/total.test.js": "it('a', () => {\n" }, ["test/total.test.js"]],
    ["what is started", { "src/server.js": more }, ["src/server.js"]],
    ["what builds", { "src/make.js": more }, ["src/make.js"]],
    ["what the build imports", { "src/made.js": more }, ["src/made.js"]],
    ["what the settings of tests import", { "src/plugin.js": more }, ["src/plugin.js"]],
    ["what the settings of tests name", { "lib/ready.js": more }, ["lib/ready.js"]],
    ["a text that a script runs", { "lib/x.txt": "Three other words\n" }, ["lib/x.txt"]],
    ["a text that a workflow runs from its folder", { "lib/run-all.md": "# Run it\n" }, ["lib/run-all.md"]],
    ["a text that a workflow reads", { "docs/list.md": "# Lists\n" }, ["docs/list.md"]],
    ["a source that is gone", { "src/sum.js": null }, ["src/sum.js"]],
    [
      "the five of the red team",
      {
        ".claude/settings.json": "{}",
        ".mcp.json": "{}",
        ".github/scripts/release.mjs": CODE,
        "vitest.config.ts": more,
        "package.json": "{}",
      },
      [".claude/settings.json", ".github/scripts/release.mjs", ".mcp.json", "package.json", "vitest.config.ts"],
    ],
  ])("%s", async (_what, changed, expected) => {
    expect(await waiting(changed)).toEqual(expected);
  });
});
