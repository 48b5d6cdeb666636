import { NODE_TEST, type Project, replaced } from "../project.ts";

const manifest = `{ "type": "module", "scripts": { "test": "node --test" } }\n`;
const zero = { "test/zero.test.js": `${NODE_TEST}test("zero", () => assert.equal(0, 0));\n` };

const data = {
  "package.json": manifest,
  "src/price.js": `import { readFileSync } from "node:fs";\nconst { vat } = JSON.parse(readFileSync(new URL("../data/rates.json", import.meta.url), "utf8"));\nexport const gross = (net) => net * (1 + vat);\n`,
  "data/rates.json": `{ "vat": 0.2 }\n`,
  "data/countries.json": `["at", "ch"]\n`,
  "src/country.js": `import { readFileSync } from "node:fs";\nimport { join } from "node:path";\nexport const countries = JSON.parse(readFileSync(join(import.meta.dirname, "..", "data", "countries.json"), "utf8"));\n`,
  "test/price.test.js": `${NODE_TEST}import { gross } from "../src/price.js";\ntest("price", () => assert.equal(gross(10), 12));\n`,
  "test/country.test.js": `${NODE_TEST}import { countries } from "../src/country.js";\ntest("countries", () => assert.equal(countries.length, 2));\n`,
  "README.md": "# Prices\n",
  ...zero,
};

/** R12, its first half: a file that is read at run time. */
export const nodeData: Project = {
  name: "data by URL and by parts of a path",
  files: data,
  mutations: [
    { what: "data", to: { "data/rates.json": `{ "vat": 0 }\n` }, breaks: ["test/price.test.js"] },
    { what: "data by parts", to: { "data/countries.json": `["at"]\n` }, breaks: ["test/country.test.js"] },
    { what: "data is gone", to: { "data/rates.json": null }, breaks: ["test/price.test.js"] },
    { what: "source", to: replaced(data, "src/price.js", "1 + vat", "1 - vat"), breaks: ["test/price.test.js"] },
    { what: "documentation", to: { "README.md": "# More\n" }, breaks: [] },
  ],
};

const program = {
  "package.json": `{ "name": "tool", "type": "module", "bin": { "pricer": "bin/pricer.js" }, "scripts": { "test": "node --test", "report": "node scripts/report.js" } }\n`,
  "bin/cli.js": `import { price } from "../src/price.js";\nexport const version = 1;\nif (process.argv[1].endsWith("cli.js")) console.log(price(2));\n`,
  "bin/pricer.js": `console.log("pricer");\n`,
  "src/price.js": "export const price = (n) => n * 2;\n",
  "src/worker.js": `import { parentPort } from "node:worker_threads";\nparentPort.postMessage(7);\n`,
  "scripts/report.js": `console.log("report");\n`,
  "test/version.test.js": `${NODE_TEST}import { version } from "../bin/cli.js";\ntest("version", () => assert.equal(version, 1));\n`,
  "test/run.test.js": `${NODE_TEST}import { run } from "./help.mjs";\ntest("run", () => assert.equal(run("bin/cli.js"), "4\\n"));\n`,
  "test/help.mjs": `import { execFileSync } from "node:child_process";\nexport const run = (path) => execFileSync(process.execPath, [path], { encoding: "utf8" });\n`,
  "test/named.test.js": `${NODE_TEST}import { readFileSync } from "node:fs";\nimport { run } from "./help.mjs";\nconst { bin } = JSON.parse(readFileSync("package.json", "utf8"));\ntest("bin", () => assert.equal(run(bin["pricer"]), "pricer\\n"));\n`,
  "test/script.test.js": `${NODE_TEST}import { execSync } from "node:child_process";\ntest("script", () => assert.match(execSync("npm run --silent report", { encoding: "utf8" }), /report/));\n`,
  "test/worker.test.js": `${NODE_TEST}import { Worker } from "node:worker_threads";\nimport { once } from "node:events";\ntest("worker", async () => {\n  const worker = new Worker(new URL("../src/worker.js", import.meta.url));\n  assert.deepEqual(await once(worker, "message"), [7]);\n});\n`,
  ...zero,
};

/** R12, its second half: a program that one test starts and another imports. */
export const nodeProgram: Project = {
  name: "programs, workers and scripts of the manifest",
  files: program,
  mutations: [
    { what: "program", to: replaced(program, "bin/cli.js", "price(2)", "price(3)"), breaks: ["test/run.test.js"] },
    { what: "source of it", to: replaced(program, "src/price.js", "n * 2", "n * 3"), breaks: ["test/run.test.js"] },
    { what: "named program", to: { "bin/pricer.js": "console.log(1);\n" }, breaks: ["test/named.test.js"] },
    { what: "script", to: { "scripts/report.js": "console.log(1);\n" }, breaks: ["test/script.test.js"] },
    { what: "worker", to: replaced(program, "src/worker.js", "7", "8"), breaks: ["test/worker.test.js"] },
    {
      what: "export",
      to: replaced(program, "bin/cli.js", "version = 1", "version = 2"),
      breaks: ["test/version.test.js"],
    },
  ],
};

const folders = {
  "package.json": manifest,
  "src/migrate.js": `import { readdirSync, readFileSync } from "node:fs";\nexport const load = (folder) => readdirSync(folder).sort().map((name) => readFileSync(\`\${folder}/\${name}\`, "utf8")).join("");\n`,
  "migrations/001.sql": "create table a (id);\n",
  "queries/all-at.sql": "select 'at';\n",
  "src/query.js": `import { readFileSync } from "node:fs";\nexport const query = (country) => readFileSync(new URL(\`../queries/all-\${country}.sql\`, import.meta.url), "utf8");\n`,
  "settings.de.json": `{ "word": "ja" }\n`,
  "src/words.js": `import { readFileSync } from "node:fs";\nexport const words = (language) => JSON.parse(readFileSync("settings." + language + ".json", "utf8"));\n`,
  "src/locales/fr.js": `export default "oui";\n`,
  "src/locale.js": `export const locale = async (name) => (await import(\`./locales/\${name}.js\`)).default;\n`,
  "test/migrate.test.js": `${NODE_TEST}import { load } from "../src/migrate.js";\ntest("migrations", () => assert.equal(load("migrations"), "create table a (id);\\n"));\n`,
  "test/query.test.js": `${NODE_TEST}import { query } from "../src/query.js";\ntest("query", () => assert.equal(query("at"), "select 'at';\\n"));\n`,
  "test/words.test.js": `${NODE_TEST}import { words } from "../src/words.js";\ntest("words", () => assert.equal(words("de").word, "ja"));\n`,
  "test/locale.test.js": `${NODE_TEST}import { locale } from "../src/locale.js";\ntest("locale", async () => assert.equal(await locale("fr"), "oui"));\n`,
  "test/tree.test.js": `${NODE_TEST}import { globSync } from "node:fs";\ntest("no file is called bad", () => assert.deepEqual(globSync("src/**/bad*"), []));\n`,
  ...zero,
};

export const nodeFolders: Project = {
  name: "folders, patterns and computed names",
  files: folders,
  mutations: [
    {
      what: "SQL of a folder",
      to: { "migrations/001.sql": "create table b (id);\n" },
      breaks: ["test/migrate.test.js"],
    },
    { what: "new SQL", to: { "migrations/002.sql": "create table b (id);\n" }, breaks: ["test/migrate.test.js"] },
    {
      what: "SQL with a computed name",
      to: { "queries/all-at.sql": "select 'de';\n" },
      breaks: ["test/query.test.js"],
    },
    { what: "configuration with a computed name", to: { "settings.de.json": "{}\n" }, breaks: ["test/words.test.js"] },
    {
      what: "module with a computed name",
      to: { "src/locales/fr.js": "export default 1;\n" },
      breaks: ["test/locale.test.js"],
    },
    { what: "new file of a tree", to: { "src/locales/bad.js": "" }, breaks: ["test/tree.test.js"] },
  ],
};
