import { type Project, replaced } from "../project.ts";

const pages = {
  "package.json": `{ "scripts": { "test": "mocha" }, "mocha": { "spec": "checks/**/*.spec.js", "file": "checks/first.js", "require": ["./checks/register"] }, "dependencies": { "express": "4", "ejs": "3", "i18n": "0.15" } }\n`,
  "checks/first.js": `const { title } = require("../lib/title");\nbefore(function () { global.title = title(); });\n`,
  "checks/register.js": `global.serve = require("./serve").serve;\n`,
  "checks/serve.js": `const { app } = require("../lib/app");\nexports.serve = async (path) => {\n  const server = app().listen(0);\n  await new Promise((done) => server.once("listening", done));\n  try { return await (await fetch("http://127.0.0.1:" + server.address().port + path)).text(); } finally { server.close(); }\n};\n`,
  "lib/title.js": `exports.title = () => "Shop";\n`,
  "lib/app.js": `const express = require("express");\nconst path = require("path");\nexports.app = () => {\n  const app = express();\n  app.set("view engine", "ejs");\n  app.use("/assets", express.static(path.join(__dirname, "..", "static")));\n  app.use("/order", require("./order"));\n  app.use(require("./hello"));\n  return app;\n};\n`,
  "lib/order.js": `const router = require("express").Router();\nrouter.get("/", (request, response) => response.render("order", { total: 3 }));\nmodule.exports = router;\n`,
  "lib/hello.js": `const router = require("express").Router();\nconst { I18n } = require("i18n");\nconst i18n = new I18n({ locales: ["en", "de"], directory: require("path").join(process.cwd(), "locales"), updateFiles: false });\nrouter.get("/hello", (request, response) => response.send(i18n.__({ phrase: "hello", locale: request.query.in })));\nmodule.exports = router;\n`,
  "views/order.ejs": `<%- include("parts/head") %>Total <%= total %>\n`,
  "views/parts/head.ejs": "<head>Shop</head>",
  "static/shop.css": "a { color: red }\n",
  "locales/de.json": `{ "hello": "hallo" }\n`,
  "locales/en.json": `{ "hello": "hello" }\n`,
  "checks/order.spec.js": `const assert = require("assert");\nit("shows an order", async () => assert.match(await serve("/order"), /Shop<.head>Total 3/));\n`,
  "checks/style.spec.js": `const assert = require("assert");\nit("has a style", async () => assert.match(await serve("/assets/shop.css"), /red/));\n`,
  "checks/deep/hello.spec.js": `const assert = require("assert");\nit("says hello", async () => assert.equal(await serve("/hello?in=de"), "hallo"));\n`,
  "checks/title.spec.js": `const assert = require("assert");\nit("has a title", () => assert.equal(title, "Shop"));\n`,
  "checks/none.spec.js": `it("is nothing", () => {});\n`,
};

/** What a framework and its packages look for: views, parts, texts by language, styles; and mocha's own settings. */
export const mochaPages: Project = {
  name: "mocha: settings in the manifest, views and texts that packages find",
  packages: ["mocha@10.4.0", "express@4.21.2", "ejs@3.1.10", "i18n@0.15.1"],
  files: pages,
  mutations: [
    { what: "view", to: replaced(pages, "views/order.ejs", "Total", "Sum"), breaks: ["checks/order.spec.js"] },
    { what: "part of a view", to: { "views/parts/head.ejs": "<head>Store</head>" }, breaks: ["checks/order.spec.js"] },
    {
      what: "text of a language",
      to: { "locales/de.json": `{ "hello": "servus" }\n` },
      breaks: ["checks/deep/hello.spec.js"],
    },
    { what: "style", to: { "static/shop.css": "a { color: blue }\n" }, breaks: ["checks/style.spec.js"] },
    { what: "route", to: replaced(pages, "lib/order.js", "total: 3", "total: 4"), breaks: ["checks/order.spec.js"] },
    {
      what: "what the first file imports",
      to: replaced(pages, "lib/title.js", "Shop", "Store"),
      breaks: ["checks/title.spec.js"],
    },
    {
      what: "what is required for all",
      to: replaced(pages, "checks/serve.js", "+ path", ""),
      breaks: ["checks/style.spec.js"],
    },
  ],
};

const ava = {
  "package.json": `{ "type": "module", "scripts": { "test": "ava" }, "ava": { "files": ["checks/*.js", "!checks/_*.js"], "require": ["./checks/_setup.js"], "environmentVariables": { "STAGE": "test" } }, "devDependencies": { "ava": "6" } }\n`,
  "checks/_setup.js": `import { words } from "../lib/words.js";\nglobalThis.words = words;\n`,
  "lib/words.js": `import { readFile } from "node:fs/promises";\nexport const words = async (name) => (await readFile("lists/" + name, "utf8")).trim().split("\\n");\n`,
  "lib/pick.js": `export const pick = (list, at = 0) => list[at];\n`,
  "lists/fruit": "apple\npear\n",
  "lists/nuts": "almond\n",
  "checks/fruit.js": `import test from "ava";\ntest("fruit", async (t) => { t.deepEqual(await words("fruit"), ["apple", "pear"]); });\n`,
  "checks/nuts.js": `import test from "ava";\nimport { pick } from "../lib/pick.js";\ntest("nuts", async (t) => { t.is(pick(await words("nuts")), "almond"); });\n`,
  "checks/none.js": `import test from "ava";\ntest("none", (t) => { t.pass(); });\n`,
};

export const avaWords: Project = {
  name: "ava: files by patterns, what it requires, lists without endings",
  packages: ["ava@6.2.0"],
  files: ava,
  mutations: [
    { what: "list", to: { "lists/fruit": "apple\n" }, breaks: ["checks/fruit.js"] },
    { what: "source", to: replaced(ava, "lib/pick.js", "list[at]", "list[at + 1]"), breaks: ["checks/nuts.js"] },
    { what: "what the setup imports", to: replaced(ava, "lib/words.js", "\\n", ","), breaks: ["checks/fruit.js"] },
    {
      what: "setup",
      to: replaced(ava, "checks/_setup.js", "words = words", "words = null"),
      breaks: ["checks/fruit.js"],
    },
  ],
};
