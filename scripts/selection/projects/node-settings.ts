import { NODE_TEST, type Project, replaced } from "../project.ts";

const zero = { "test/zero.test.js": `${NODE_TEST}test("zero", () => assert.equal(0, 0));\n` };

const cases = {
  "package.json": `{ "type": "module", "scripts": { "test": "node --test test/*.test.js" } }\n`,
  "src/shout.js": `export const shout = (text) => text.toUpperCase();\n`,
  "src/check.js": `import { readFileSync } from "node:fs";\nimport { dirname, resolve } from "node:path";\nexport function load(path) {\n  const { parent, ...rest } = JSON.parse(readFileSync(path, "utf8"));\n  return parent === undefined ? rest : { ...load(resolve(dirname(path), parent)), ...rest };\n}\n`,
  "rules/strict.json": `{ "parent": "./common", "dash": true }\n`,
  "rules/common": `{ "comma": true }\n`,
  "test/check.test.js": `${NODE_TEST}import { load } from "../src/check.js";\ntest("rules", () => assert.deepEqual(load("rules/strict.json"), { comma: true, dash: true }));\n`,
  "test/each-case.js": `import { readdirSync, readFileSync } from "node:fs";\nimport { join } from "node:path";\nconst root = join(import.meta.dirname, "__fixtures__");\nexport const cases = (of) => readdirSync(join(root, of), { withFileTypes: true }).map(({ name }) => ({\n  name,\n  input: readFileSync(join(root, of, name, "input.js"), "utf8"),\n  output: readFileSync(join(root, of, name, "output.js"), "utf8"),\n}));\n`,
  "test/__fixtures__/shout/plain/input.js": "a\n",
  "test/__fixtures__/shout/plain/output.js": "A\n",
  "test/__fixtures__/whisper/plain/input.js": "a\n",
  "test/__fixtures__/whisper/plain/output.js": "a\n",
  "test/shout.test.js": `${NODE_TEST}import { shout } from "../src/shout.js";\nimport { cases } from "./each-case.js";\nfor (const { name, input, output } of cases("shout")) test(name, () => assert.equal(shout(input), output));\n`,
  "test/whisper.test.js": `${NODE_TEST}import { cases } from "./each-case.js";\nfor (const { name, input, output } of cases("whisper")) test(name, () => assert.equal(input, output));\n`,
  "schemas/order.json": `{ "properties": { "to": { "$ref": "address.json#/definitions/address" } } }\n`,
  "schemas/address.json": `{ "definitions": { "address": { "required": ["street"] } } }\n`,
  "src/schema.js": `import { readFileSync } from "node:fs";\nexport function schema(name) {\n  const text = readFileSync(new URL("../schemas/" + name, import.meta.url), "utf8");\n  return JSON.parse(text, (_, value) => (value?.$ref ? value.$ref.split("#")[1].split("/").slice(1).reduce((at, key) => at[key], schema(value.$ref.split("#")[0])) : value));\n}\n`,
  "test/schema.test.js": `${NODE_TEST}import { schema } from "../src/schema.js";\ntest("schema", () => assert.deepEqual(schema("order.json").properties.to.required, ["street"]));\n`,
  "docs/guide.md": "# Guide\n\n```js\nshout('a') // A\n```\n",
  "CHANGELOG.md": "## 1.0.0\n",
  "test/guide.test.js": `${NODE_TEST}import { readdirSync, readFileSync } from "node:fs";\ntest("guide", () => { for (const name of readdirSync("docs")) assert.match(readFileSync("docs/" + name, "utf8"), /A$/m); });\n`,
  "test/root.test.js": `${NODE_TEST}import { readdirSync } from "node:fs";\ntest("no drafts", () => assert.deepEqual(readdirSync(".").filter((name) => name.includes("raf")), []));\n`,
  ...zero,
};

/** Data that leads to other data, folders of cases that a helper reads, documents that a test reads. */
export const nodeCases: Project = {
  name: "cases in folders, data that names data, documents",
  files: cases,
  mutations: [
    { what: "data that data names", to: { "rules/common": "{}\n" }, breaks: ["test/check.test.js"] },
    {
      what: "expected text of a case",
      to: { "test/__fixtures__/shout/plain/output.js": "B\n" },
      breaks: ["test/shout.test.js"],
    },
    {
      what: "new case",
      to: { "test/__fixtures__/whisper/loud/input.js": "A\n", "test/__fixtures__/whisper/loud/output.js": "a\n" },
      breaks: ["test/whisper.test.js"],
    },
    {
      what: "schema behind a reference",
      to: replaced(cases, "schemas/address.json", "street", "city"),
      breaks: ["test/schema.test.js"],
    },
    { what: "document of a folder", to: { "docs/guide.md": "# Guide\n" }, breaks: ["test/guide.test.js"] },
    { what: "new document", to: { "docs/more.md": "# More\n" }, breaks: ["test/guide.test.js"] },
    { what: "new document of the root", to: { "draft.md": "# Draft\n" }, breaks: ["test/root.test.js"] },
    { what: "documentation", to: { "CHANGELOG.md": "## 1.0.1\n" }, breaks: [] },
  ],
};

const settings = {
  "package.json": `{ "type": "module", "scripts": { "test": "NODE_ENV=test node --env-file=env/test.env --test" }, "dependencies": { "config": "3", "lilconfig": "3", "dotenv": "16" } }\n`,
  "config/default.json": `{ "port": 80, "host": "local", "wait": 5 }\n`,
  "config/test.json": `{ "port": 81 }\n`,
  "src/port.js": `import config from "config";\nexport const port = () => config.get("port");\n`,
  "test/port.test.js": `${NODE_TEST}import { port } from "../src/port.js";\ntest("port", () => assert.equal(port(), 81));\n`,
  "src/wait.js": `import config from "config";\nexport const wait = () => config.get("wait");\n`,
  "test/wait.test.js": `${NODE_TEST}import { wait } from "../src/wait.js";\ntest("wait", () => assert.equal(wait(), 5));\n`,
  "test/host.test.js": `${NODE_TEST}import { readFileSync } from "node:fs";\ntest("host", () => assert.equal(JSON.parse(readFileSync("config/default.json", "utf8")).host, "local"));\n`,
  ".shoprc.json": `{ "currency": "EUR" }\n`,
  "src/currency.js": `import { lilconfigSync } from "lilconfig";\nexport const currency = () => lilconfigSync("shop").search().config.currency;\n`,
  "test/currency.test.js": `${NODE_TEST}import { currency } from "../src/currency.js";\ntest("currency", () => assert.equal(currency(), "EUR"));\n`,
  "env/test.env": "STAGE=test\n",
  "env/local": "LEVEL=3\n",
  "src/level.js": `import dotenv from "dotenv";\nexport const level = (stage) => dotenv.config({ path: ["env", stage].join("/"), quiet: true }).parsed.LEVEL;\n`,
  "test/stage.test.js": `${NODE_TEST}test("stage", () => assert.equal(process.env.STAGE, "test"));\n`,
  "test/level.test.js": `${NODE_TEST}import { level } from "../src/level.js";\ntest("level", () => assert.equal(level("local"), "3"));\n`,
  ...zero,
};

/** Settings that packages find by themselves, and those of an environment. */
export const nodeSettings: Project = {
  name: "settings that packages find, environments",
  packages: ["config@3.3.12", "lilconfig@3.1.3", "dotenv@16.4.7"],
  files: settings,
  mutations: [
    {
      what: "settings of an environment",
      to: { "config/test.json": `{ "port": 82 }\n` },
      breaks: ["test/port.test.js"],
    },
    {
      what: "settings that one more test reads",
      to: replaced(settings, "config/default.json", `"wait": 5`, `"wait": 6`),
      breaks: ["test/wait.test.js"],
    },
    { what: "settings that a package looks for", to: { ".shoprc.json": "{}\n" }, breaks: ["test/currency.test.js"] },
    { what: "environment of the runner", to: { "env/test.env": "STAGE=live\n" }, breaks: ["test/stage.test.js"] },
    { what: "environment by a computed name", to: { "env/local": "LEVEL=4\n" }, breaks: ["test/level.test.js"] },
  ],
};
