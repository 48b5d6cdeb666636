import { NODE_TEST, type Project, replaced } from "../project.ts";

const manifest = `{ "type": "module", "scripts": { "test": "node --test" } }\n`;
const RUN = `import { spawnSync } from "node:child_process";\nexport const run = (...args) => spawnSync(args[0], args.slice(1), { encoding: "utf8" }).stdout;\n`;

const children = {
  "package.json": manifest,
  "test/support/run.js": RUN,
  "tools/release.sh": `#!/bin/sh\n. "$(dirname "$0")/lib.sh"\ngreet "$(cat "$(dirname "$0")/../VERSION")"\n`,
  "tools/lib.sh": `greet() { echo "release $1"; }\n`,
  VERSION: "1.2.0\n",
  "server/start.js": `import { createServer } from "node:http";\nimport { readFile } from "node:fs/promises";\nconst root = process.env.SITE ?? "public";\nconst server = createServer(async (request, response) => {\n  try { response.end(await readFile(root + request.url)); } catch { response.writeHead(404).end("none"); }\n});\nserver.listen(0, "127.0.0.1", () => process.send(server.address().port));\n`,
  "public/robots.txt": "User-agent: *\n",
  "public/app/start.html": "<h1>Hello</h1>\n",
  "jobs/mail.js": `import { subject } from "../lib/subject.js";\nprocess.send(subject("tea"));\n`,
  "jobs/sum.js": "process.send(3);\n",
  "lib/subject.js": "export const subject = (what) => 'About ' + what;\n",
  "lib/queue.js": `import { fork } from "node:child_process";\nimport { once } from "node:events";\nexport async function work(job) {\n  const child = fork(new URL("../jobs/" + job + ".js", import.meta.url));\n  const [answer] = await once(child, "message");\n  return answer;\n}\n`,
  "test/release.test.js": `${NODE_TEST}import { run } from "./support/run.js";\ntest("release", () => assert.equal(run("sh", "tools/release.sh"), "release 1.2.0\\n"));\n`,
  "test/site.test.js": `${NODE_TEST}import { fork } from "node:child_process";\nimport { once } from "node:events";\ntest("site", async () => {\n  const child = fork("server/start.js");\n  const [port] = await once(child, "message");\n  const text = async (path) => (await fetch("http://127.0.0.1:" + port + path)).text();\n  try {\n    assert.match(await text("/app/start.html"), /Hello/);\n    assert.match(await text("/" + ["robots", "txt"].join(".")), /User-agent/);\n  } finally {\n    child.kill();\n  }\n});\n`,
  "test/queue.test.js": `${NODE_TEST}import { work } from "../lib/queue.js";\ntest("mail", async () => assert.equal(await work("mail"), "About tea"));\n`,
  "test/sum.test.js": `${NODE_TEST}import { work } from "../lib/queue.js";\ntest("sum", async () => assert.equal(await work("sum"), 3));\n`,
  "test/eval.test.js": `${NODE_TEST}import { run } from "./support/run.js";\ntest("eval", () => assert.equal(run(process.execPath, "--input-type=module", "-e", 'import("./lib/subject.js").then(({ subject }) => console.log(subject(1)))'), "About 1\\n"));\n`,
  "test/zero.test.js": `${NODE_TEST}test("zero", () => assert.equal(0, 0));\n`,
};

/** Programs that tests start: shells, servers, jobs by computed names, and code in an argument. */
export const nodeChildren: Project = {
  name: "servers, shells and jobs that tests start",
  files: children,
  mutations: [
    {
      what: "script of a shell",
      to: replaced(children, "tools/release.sh", "greet", "true"),
      breaks: ["test/release.test.js"],
    },
    {
      what: "what the script loads",
      to: replaced(children, "tools/lib.sh", "release", "cut"),
      breaks: ["test/release.test.js"],
    },
    { what: "what the script reads", to: { VERSION: "1.3.0\n" }, breaks: ["test/release.test.js"] },
    {
      what: "server",
      to: replaced(children, "server/start.js", "root + request.url", '"no"'),
      breaks: ["test/site.test.js"],
    },
    { what: "page of the server", to: { "public/app/start.html": "<h1>Bye</h1>\n" }, breaks: ["test/site.test.js"] },
    { what: "page with a computed name", to: { "public/robots.txt": "none\n" }, breaks: ["test/site.test.js"] },
    { what: "job", to: replaced(children, "jobs/sum.js", "3", "4"), breaks: ["test/sum.test.js"] },
    {
      what: "what a job imports",
      to: replaced(children, "lib/subject.js", "About", "On"),
      breaks: ["test/queue.test.js", "test/eval.test.js"],
    },
  ],
};

const store = {
  "package.json": manifest,
  "src/root.js": `import { existsSync } from "node:fs";\nimport { dirname, join } from "node:path";\nexport function root(from = import.meta.dirname) {\n  return existsSync(join(from, "package.json")) ? from : root(dirname(from));\n}\n`,
  "src/open.js": `import { DatabaseSync } from "node:sqlite";\nimport { readdirSync, readFileSync } from "node:fs";\nimport { join } from "node:path";\nimport { root } from "./root.js";\nconst at = (...parts) => join(root(), "database", ...parts);\nexport function open() {\n  const database = new DatabaseSync(":memory:");\n  for (const name of readdirSync(at("steps")).sort()) database.exec(readFileSync(at("steps", name), "utf8"));\n  return database;\n}\nexport function seed(database, table) {\n  const [, ...lines] = readFileSync(at("seeds", \`\${table}.csv\`), "utf8").trim().split("\\n");\n  for (const line of lines) database.prepare(\`insert into \${table} values (?, ?)\`).run(...line.split(","));\n}\n`,
  "src/queries.js": `import { readFileSync } from "node:fs";\nimport { fileURLToPath } from "node:url";\nconst text = readFileSync(fileURLToPath(import.meta.url).replace(/\\.js$/, ".sql"), "utf8");\nexport const queries = Object.fromEntries(text.split("-- name: ").slice(1).map((part) => [part.split("\\n")[0], part.split("\\n").slice(1).join(" ")]));\n`,
  "src/queries.sql":
    "-- name: count\nselect count(*) as n from goods\n-- name: dear\nselect name from goods where price > 5\n",
  "database/steps/001-goods.sql": "create table goods (name text, price integer);\n",
  "database/steps/002-index.sql": "create unique index names on goods (name);\n",
  "database/seeds/goods.csv": "name,price\ntea,3\ncake,8\n",
  "database/views/totals.sql": "create view totals as select sum(price) as total from goods;\n",
  "src/views.js": `import fs from "node:fs";\nexport const view = (database, name) => database.exec(fs.readFileSync(process.cwd() + "/database/views/" + name + ".sql").toString());\n`,
  "test/schema.test.js": `${NODE_TEST}import { open } from "../src/open.js";\ntest("names are unique", () => {\n  const database = open();\n  database.exec("insert into goods values ('a', 1)");\n  assert.throws(() => database.exec("insert into goods values ('a', 1)"));\n});\n`,
  "test/queries.test.js": `${NODE_TEST}import { open, seed } from "../src/open.js";\nimport { queries } from "../src/queries.js";\ntest("dear", () => {\n  const database = open();\n  seed(database, "goods");\n  assert.deepEqual({ ...database.prepare(queries.dear).get() }, { name: "cake" });\n  assert.equal(database.prepare(queries.count).get().n, 2);\n});\n`,
  "test/totals.test.js": `${NODE_TEST}import { open, seed } from "../src/open.js";\nimport { view } from "../src/views.js";\ntest("totals", () => {\n  const database = open();\n  seed(database, "goods");\n  view(database, "totals");\n  assert.equal(database.prepare("select total from totals").get().total, 11);\n});\n`,
  "test/root.test.js": `${NODE_TEST}import { root } from "../src/root.js";\ntest("root", () => assert.equal(root(), process.cwd()));\n`,
  "test/zero.test.js": `${NODE_TEST}test("zero", () => assert.equal(0, 0));\n`,
};

export const nodeStore: Project = {
  name: "a database: steps, seeds, queries by name, views",
  files: store,
  mutations: [
    {
      what: "step",
      to: { "database/steps/002-index.sql": "create index names on goods (name);\n" },
      breaks: ["test/schema.test.js"],
    },
    {
      what: "new step",
      to: { "database/steps/003-drop.sql": "drop table goods;\n" },
      breaks: ["test/schema.test.js", "test/queries.test.js", "test/totals.test.js"],
    },
    {
      what: "seed",
      to: replaced(store, "database/seeds/goods.csv", "cake,8", "cake,4"),
      breaks: ["test/queries.test.js", "test/totals.test.js"],
    },
    {
      what: "queries in the folder of their code",
      to: replaced(store, "src/queries.sql", "> 5", "> 9"),
      breaks: ["test/queries.test.js"],
    },
    { what: "view", to: replaced(store, "database/views/totals.sql", "sum", "max"), breaks: ["test/totals.test.js"] },
    {
      what: "root",
      to: replaced(store, "src/root.js", '"package.json"', '"none.json"'),
      breaks: ["test/root.test.js"],
    },
  ],
};
