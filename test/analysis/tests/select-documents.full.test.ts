import { expect, it } from "vitest";
import type { Project } from "../../../scripts/selection/project.ts";
import { missedBy, readAll, selectionOf } from "./selected-by.ts";

const VITEST = `import { expect, test } from "vitest";\n`;
const FS = `import { globSync, readdirSync, readFileSync } from "node:fs";\n`;
const READER = "test/docs.test.js";
const test = (check: string, before = "") => `${before}${VITEST}test("it", () => ${check});\n`;

/** `docs/guide.md` is changed, which one test reads. */
function project(name: string, files: Project["files"], path = "docs/guide.md"): Project {
  const plain = Object.fromEntries(
    ["a", "b", "c"].flatMap((each) => [
      [`src/${each}.js`, `export const ${each} = 1;\n`],
      [`test/${each}.test.js`, test(`expect(${each}).toBe(1)`, `import { ${each} } from "../src/${each}.js";\n`)],
    ]),
  );
  const all = {
    "package.json": `{ "type": "module", "scripts": { "test": "vitest run" }, "files": ["docs", "src"] }\n`,
    "docs/guide.md": "# Guide\n",
    "docs/other.md": "# Other\n",
    "README.md": "See docs/guide.md.\n",
    [READER]: test(`expect(readFileSync("docs/guide.md", "utf8")).toContain("Guide")`, FS),
    ...plain,
    ...files,
  };
  return { name, files: all, mutations: [{ what: "docs", to: { [path]: "# Changed\n" }, breaks: [READER] }] };
}

const ONE: readonly Project[] = [
  project("alone", {}),
  project("where code that opens files has its word", {
    "src/a.js": `${FS}export const a = 1;\nexport const topics = ["guide", "other"];\nexport const text = (name) => readFileSync(name);\n`,
  }),
  project("in tables of contents and settings of other programs", {
    "mkdocs.yml": "nav:\n  - Guide: docs/guide.md\n",
    "cspell.json": `{ "files": ["docs/**/*.md"] }\n`,
    "website/sidebar.json": `["docs/guide", "docs/other"]\n`,
    ".github/workflows/docs.yml": "on: push\njobs: { a: { steps: [{ run: cat docs/guide.md }] } }\n",
  }),
  project("with a plugin that nobody knows", {
    "vite.config.js": `import some from "vite-plugin-surprise";\nexport default { plugins: [some()] };\n`,
  }),
  project("in settings of the runner", {
    "vitest.config.js": `export default { test: { exclude: ["docs/**", "**/*.md"] } };\n`,
  }),
];

const READ: readonly Project[] = [
  project("by its folder", { [READER]: test(`expect(readdirSync("docs").length).toBe(2)`, FS) }),
  project("by a pattern", { [READER]: test(`expect(globSync("**/*.md").length).toBe(3)`, FS) }),
  project("by a name that a helper completes", {
    [READER]: test(`expect(page("guide")).toContain("Guide")`, `import { page } from "../tools/page.js";\n`),
    "tools/page.js": `${FS}export const page = (name) => readFileSync(new URL(\`../docs/\${name}.md\`, import.meta.url), "utf8");\n`,
  }),
  project(
    "by its name at the root, which a helper completes",
    {
      [READER]: test(`expect(page("README")).toContain("See")`, `import { page } from "../tools/page.js";\n`),
      "tools/page.js": `${FS}export const page = (name) => readFileSync(name + ".md", "utf8");\n`,
    },
    "README.md",
  ),
  project("by data that a test reads", {
    [READER]: test(`expect(JSON.parse(readFileSync("nav.json")).map((each) => readFileSync(each))).toBeDefined()`, FS),
    "nav.json": `["docs/guide.md"]\n`,
  }),
  project("by data of a test that nothing is known to read", {
    [READER]: test("expect(1).toBe(1)"),
    "test/data/nav.yml": "- docs/guide.md\n",
  }),
];

await readAll([...ONE, ...READ]);

it.each(ONE)("TEST-3: a changed document asks for the test that reads it alone: $name", async (each) => {
  expect(await selectionOf(each)).toMatchObject({ kind: "affected", files: [READER] });
});

it.each(READ)("TEST-3: a test that reads a changed document is run: $name", async (each) => {
  expect(await missedBy(each)).toEqual([]);
});
