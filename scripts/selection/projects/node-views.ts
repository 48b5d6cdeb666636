import { NODE_TEST, type Project, replaced } from "../project.ts";

const RENDER = `import { readFileSync } from "node:fs";
const read = (name) => readFileSync(new URL(\`../views/\${name}.hbs\`, import.meta.url), "utf8");
export const render = (name, data) =>
  read("layout").replace("{{body}}", read(name)).replace(/\\{\\{> (\\w+)\\}\\}/g, (_, part) => read(part)).replace(/\\{\\{(\\w+)\\}\\}/g, (_, key) => data[key]);
`;

const views = {
  "package.json": `{ "type": "module", "scripts": { "test": "node --test" } }\n`,
  "src/render.js": RENDER,
  "src/order.js": `import { render } from "./render.js";\nexport const order = (total) => render("order", { total });\n`,
  "src/mail.js": "export const mail = (to) => 'to ' + to;\n",
  "views/order.hbs": "{{> header}}total {{total}}",
  "views/header.hbs": "head ",
  "views/layout.hbs": "<{{body}}>",
  "test/order.test.js": `${NODE_TEST}import { order } from "../src/order.js";\ntest("order", () => assert.equal(order(3), "<head total 3>"));\n`,
  "test/mail.test.js": `${NODE_TEST}import { mail } from "../src/mail.js";\ntest("mail", () => assert.equal(mail("a"), "to a"));\n`,
};

export const nodeViews: Project = {
  name: "templates, their parts and their layout",
  files: views,
  mutations: [
    { what: "template", to: { "views/order.hbs": "sum {{total}}" }, breaks: ["test/order.test.js"] },
    { what: "part", to: { "views/header.hbs": "foot " }, breaks: ["test/order.test.js"] },
    { what: "layout", to: { "views/layout.hbs": "[{{body}}]" }, breaks: ["test/order.test.js"] },
    { what: "source", to: replaced(views, "src/mail.js", "to '", "from '"), breaks: ["test/mail.test.js"] },
  ],
};

const aliases = {
  "package.json": `{ "type": "module", "imports": { "#lib/*": "./src/lib/*.js" }, "scripts": { "test": "node --import ./hooks/register.js --test" } }\n`,
  "hooks/register.js": `import "./seed.js";\n`,
  "hooks/seed.js": "globalThis.seed = 1;\n",
  "src/lib/add.js": "export const add = (a, b) => a + b;\n",
  "test/arithmetic.test.js": `${NODE_TEST}import { add } from "#lib/add";\ntest("adds", () => assert.equal(add(1, 2), 3));\n`,
  "test/zero.test.js": `${NODE_TEST}import { add } from "../src/lib/add.js";\ntest("adds nothing", () => assert.equal(add(1, 0), 1));\n`,
  "test/seed.test.js": `${NODE_TEST}test("seed", () => assert.equal(globalThis.seed, 1));\n`,
  ".env": "KEY=1\n",
  "src/env.js": `import { loadEnvFile } from "node:process";\nloadEnvFile();\nexport const key = process.env.KEY;\n`,
  "test/env.test.js": `${NODE_TEST}import { key } from "../src/env.js";\ntest("env", () => assert.equal(key, "1"));\n`,
};

/** R11 is the first of these: of an alias at least the name is known. */
export const nodeAliases: Project = {
  name: "aliases, what the runner loads, environment",
  files: aliases,
  mutations: [
    { what: "source", to: replaced(aliases, "src/lib/add.js", "a + b", "a - b"), breaks: ["test/arithmetic.test.js"] },
    { what: "loaded by the runner", to: { "hooks/seed.js": "globalThis.seed = 2;\n" }, breaks: ["test/seed.test.js"] },
    { what: "environment", to: { ".env": "KEY=2\n" }, breaks: ["test/env.test.js"] },
    {
      what: "source is gone",
      to: { "src/env.js": null },
      breaks: ["test/env.test.js"],
    },
  ],
};

const workspace = {
  "package.json": `{ "private": true, "type": "module", "workspaces": ["packages/*"], "scripts": { "test": "node --test" } }\n`,
  "packages/core/package.json": `{ "name": "@acme/core", "version": "1.0.0", "type": "module", "exports": "./index.js" }\n`,
  "packages/core/index.js": `import { readFileSync } from "node:fs";\nconst read = (file) => readFileSync(new URL(file, import.meta.url), "utf8").trim();\nexport const unit = read([".", "assets", ["unit", "txt"].join(".")].join("/"));\n`,
  "packages/core/assets/unit.txt": "kg\n",
  "packages/core/index.test.js": `${NODE_TEST}import { unit } from "./index.js";\ntest("unit", () => assert.equal(unit, "kg"));\n`,
  "packages/web/package.json": `{ "name": "@acme/web", "version": "1.0.0", "type": "module", "dependencies": { "@acme/core": "1.0.0" } }\n`,
  "packages/web/show.js": `import { unit } from "../core/index.js";\nexport const show = (n) => n + unit;\n`,
  "packages/web/show.test.js": `${NODE_TEST}import { show } from "./show.js";\ntest("show", () => assert.equal(show(2), "2kg"));\n`,
  "packages/other/package.json": `{ "name": "@acme/other", "version": "1.0.0", "type": "module" }\n`,
  "packages/other/other.test.js": `${NODE_TEST}test("other", () => assert.ok(true));\n`,
};

export const nodeWorkspace: Project = {
  name: "a workspace, with names that are computed",
  files: workspace,
  mutations: [
    {
      what: "data of a package that another uses",
      to: { "packages/core/assets/unit.txt": "lb\n" },
      breaks: ["packages/core/index.test.js", "packages/web/show.test.js"],
    },
    {
      what: "source",
      to: replaced(workspace, "packages/web/show.js", "n + unit", "unit"),
      breaks: ["packages/web/show.test.js"],
    },
  ],
};
