import { type Project, replaced } from "../project.ts";

const VITEST = `import { expect, test, vi } from "vitest";\n`;

const vitest = {
  "package.json": `{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "3" } }\n`,
  "vitest.config.js": `import { defineConfig } from "vitest/config";\nimport { define } from "./build/define.js";\nexport default defineConfig({ define, test: { setupFiles: ["./support/before.js"] } });\n`,
  "build/define.js": `export const define = { STAGE: JSON.stringify("test") };\n`,
  "support/before.js": `import { seed } from "./seed.js";\nglobalThis.seed = seed;\n`,
  "support/seed.js": "export const seed = 1;\n",
  "src/pages.js": `const pages = import.meta.glob("./pages/*.js", { eager: true });\nexport const titles = Object.values(pages).map(({ title }) => title);\n`,
  "src/pages/home.js": `export const title = "home";\n`,
  "src/clock.js": "export const clock = () => 12;\n",
  "src/day.js": `import { clock } from "./clock.js";\nexport const day = () => clock() * 2;\n`,
  "src/style.txt": ".a { color: red }\n",
  "src/raw.js": `import text from "./style.txt?raw";\nexport const css = text;\n`,
  "test/pages.test.js": `${VITEST}import { titles } from "../src/pages.js";\ntest("pages", () => expect(titles).toEqual(["home"]));\n`,
  "test/day.test.js": `${VITEST}import { day } from "../src/day.js";\ntest("day", () => expect(day()).toMatchSnapshot());\n`,
  "test/__snapshots__/day.test.js.snap":
    "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`day 1`] = `24`;\n",
  "test/file.test.js": `${VITEST}test("file", async () => { await expect("hello\\n").toMatchFileSnapshot("./out/hello.txt"); });\n`,
  "test/out/hello.txt": "hello\n",
  "test/mock.test.js": `${VITEST}import { day } from "../src/day.js";\nvi.mock("../src/clock.js");\ntest("mock", () => expect(day()).toBe(2));\n`,
  "src/__mocks__/clock.js": "export const clock = () => 1;\n",
  "test/seed.test.js": `${VITEST}test("seed", () => expect(globalThis.seed).toBe(1));\n`,
  "test/stage.test.js": `${VITEST}test("stage", () => expect(STAGE).toBe("test"));\n`,
  "test/raw.test.js": `${VITEST}import { css } from "../src/raw.js";\ntest("raw", () => expect(css).toContain("red"));\n`,
};

export const vitestSite: Project = {
  name: "vitest: globs, snapshots, stand-ins, setup",
  packages: ["vitest@3.2.4"],
  files: vitest,
  mutations: [
    {
      what: "file of a glob",
      to: { "src/pages/home.js": `export const title = "x";\n` },
      breaks: ["test/pages.test.js"],
    },
    {
      what: "new file of a glob",
      to: { "src/pages/b.js": `export const title = "b";\n` },
      breaks: ["test/pages.test.js"],
    },
    {
      what: "snapshot",
      to: replaced(vitest, "test/__snapshots__/day.test.js.snap", "24", "25"),
      breaks: ["test/day.test.js"],
    },
    { what: "snapshot in a file", to: { "test/out/hello.txt": "bye\n" }, breaks: ["test/file.test.js"] },
    { what: "stand-in", to: replaced(vitest, "src/__mocks__/clock.js", "1", "2"), breaks: ["test/mock.test.js"] },
    {
      what: "what the setup imports",
      to: { "support/seed.js": "export const seed = 2;\n" },
      breaks: ["test/seed.test.js"],
    },
    {
      what: "what the settings import",
      to: replaced(vitest, "build/define.js", "test", "live"),
      breaks: ["test/stage.test.js"],
    },
    {
      what: "style that is read as text",
      to: { "src/style.txt": ".a { color: blue }\n" },
      breaks: ["test/raw.test.js"],
    },
    {
      what: "settings",
      to: replaced(vitest, "vitest.config.js", "./support/before.js", "./support/seed.js"),
      breaks: ["test/seed.test.js"],
    },
  ],
};

const named = {
  "package.json": `{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "3" } }\n`,
  "vitest.config.js": `export default { test: { include: ["**/*.test.js", "checks/*.js"], includeSource: ["lib/*.js"] } };\n`,
  "lib/sum.js": "export const sum = (a, b) => a + b;\n",
  "lib/twice.js": `export const twice = (n) => n * 2;\nif (import.meta.vitest) {\n  const { expect, it } = import.meta.vitest;\n  it("doubles", () => expect(twice(2)).toBe(4));\n}\n`,
  "lib/rates.json": `{ "vat": 20 }\n`,
  "test/sum.test.js": `${VITEST}import { sum } from "../lib/sum.js";\ntest("sum", () => expect(sum(1, 0)).toBe(1));\n`,
  "test/twice.test.js": `${VITEST}import { twice } from "../lib/twice.js";\ntest("twice", () => expect(twice(0)).toBe(0));\n`,
  "test/rates.test.js": `${VITEST}import rates from "../lib/rates.json";\ntest("rates", () => expect(rates).toBeDefined());\n`,
  "test/none.test.js": `${VITEST}test("none", () => expect(0).toBe(0));\n`,
  // A list of tests that the pattern takes as well, and tests in another style.
  "checks/list.js": `import "./halves.js";\n`,
  "checks/halves.js": `${VITEST}import { half } from "../lib/half.js";\ntest.each([2])( "half of %s", (n) => expect( half( n ) ).toBe(1));\n`,
  "lib/half.js": "export const half = (n) => n / 2;\n",
  "test/half.test.js": `${VITEST}import { half } from "../lib/half.js";\ntest("half", () => expect(half(0)).toBe(0));\n`,
  "checks/all.js": `${VITEST}import rates from "../lib/rates.json";\nimport { sum } from "../lib/sum.js";\ntest("sum of two", () => expect(sum(1, 2)).toBe(3));\ntest("rate", () => expect(rates.vat).toBe(20));\n`,
};

/** Tests that only settings name, which the runner leaves out when it is given files. */
export const vitestNamed: Project = {
  name: "vitest: tests that settings name, and tests in the files of their code",
  packages: ["vitest@3.2.4"],
  files: named,
  mutations: [
    { what: "source", to: replaced(named, "lib/sum.js", "a + b", "a - b"), breaks: ["checks/all.js"] },
    { what: "data", to: { "lib/rates.json": "{}\n" }, breaks: ["checks/all.js"] },
    {
      what: "source of a test that a list imports",
      to: replaced(named, "lib/half.js", "n / 2", "n / 4"),
      breaks: ["checks/halves.js", "checks/list.js"],
    },
    { what: "test", to: replaced(named, "checks/all.js", "toBe(3)", "toBe(4)"), breaks: ["checks/all.js"] },
    { what: "code with a test", to: replaced(named, "lib/twice.js", "n * 2", "n * 3"), breaks: ["lib/twice.js"] },
  ],
};

const jest = {
  "package.json": `{ "scripts": { "test": "jest" }, "jest": { "setupFiles": ["<rootDir>/tools/globals.js"], "moduleNameMapper": { "^~(.*)$": "<rootDir>/lib/$1" }, "transform": { "\\\\.txt$": "<rootDir>/tools/text.js" } } }\n`,
  "tools/globals.js": "global.seed = 1;\n",
  "tools/text.js":
    "module.exports = { process: (text) => ({ code: 'module.exports = ' + JSON.stringify(text.trim()) + ';' }) };\n",
  "lib/sum.js": "exports.sum = (a, b) => a + b;\n",
  "lib/text.js": `exports.text = require("./note.txt");\n`,
  "lib/note.txt": "note\n",
  "lib/load.js": `const path = require("path");\nexports.load = (name) => require(path.join(__dirname, "parts", name));\n`,
  "lib/parts/one.js": "module.exports = 1;\n",
  "lib/mail.js": `const send = require("./sender");\nexports.mail = () => send();\n`,
  "lib/sender.js": "module.exports = () => 'really';\n",
  "lib/__mocks__/sender.js": "module.exports = () => 'sent';\n",
  "__tests__/sum.js": `const { sum } = require("~sum");\ntest("sum", () => expect(sum(1, 2)).toBe(3));\n`,
  "__tests__/text.js": `const { text } = require("../lib/text");\ntest("text", () => expect(text).toBe("note"));\n`,
  "__tests__/load.js": `const { load } = require("../lib/load");\ntest("load", () => expect(load("one")).toBe(1));\n`,
  "__tests__/mail.js": `jest.mock("../lib/sender");\nconst { mail } = require("../lib/mail");\ntest("mail", () => expect(mail()).toBe("sent"));\n`,
  "__tests__/seed.js": `test("seed", () => expect(seed).toBe(1));\n`,
  "__tests__/shot.js": `test("shot", () => expect("a").toMatchSnapshot());\n`,
  "__tests__/__snapshots__/shot.js.snap": '// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`shot 1`] = `"a"`;\n',
};

export const jestLibrary: Project = {
  name: "jest: mapped names, transforms, computed requires",
  packages: ["jest@29.7.0"],
  files: jest,
  mutations: [
    {
      what: "source behind a mapped name",
      to: replaced(jest, "lib/sum.js", "a + b", "a - b"),
      breaks: ["__tests__/sum.js"],
    },
    { what: "text", to: { "lib/note.txt": "other\n" }, breaks: ["__tests__/text.js"] },
    { what: "transform", to: replaced(jest, "tools/text.js", "text.trim()", "'x'"), breaks: ["__tests__/text.js"] },
    {
      what: "part with a computed name",
      to: { "lib/parts/one.js": "module.exports = 2;\n" },
      breaks: ["__tests__/load.js"],
    },
    {
      what: "stand-in",
      to: {
        "lib/sender.js": "module.exports = () => 'really';\n",
        "lib/__mocks__/sender.js": "module.exports = () => 'lost';\n",
      },
      breaks: ["__tests__/mail.js"],
    },
    { what: "setup", to: { "tools/globals.js": "global.seed = 2;\n" }, breaks: ["__tests__/seed.js"] },
    {
      what: "snapshot",
      to: replaced(jest, "__tests__/__snapshots__/shot.js.snap", `"a"`, `"b"`),
      breaks: ["__tests__/shot.js"],
    },
  ],
};

const mocha = {
  "package.json": `{ "scripts": { "test": "mocha" } }\n`,
  ".mocharc.json": `{ "require": ["./test/support/hooks.js"], "spec": ["test/*.js"] }\n`,
  "test/support/hooks.js": `require("./base");\n`,
  "test/support/base.js": "global.base = 1;\n",
  "lib/parse.js": `exports.parse = (text) => text.trim().split("\\n").map((line) => line.split(": "));\n`,
  "lib/suite.js": `const fs = require("fs");\nexports.cases = (folder) => fs.readdirSync(folder).map((name) => fs.readFileSync(folder + "/" + name, "utf8"));\n`,
  "bin/parse": `#!/usr/bin/env node\nconst { parse } = require("../lib/parse");\nconsole.log(JSON.stringify(parse("a: b")));\n`,
  "test/parse.js": `const assert = require("assert");\nconst { parse } = require("../lib/parse");\nconst { cases } = require("../lib/suite");\ndescribe("parse", () => { for (const text of cases(__dirname + "/samples")) it("parses", () => assert.equal(parse(text)[0].length, 2)); });\n`,
  "test/samples/a.yml": "a: b\n",
  "test/base.js": `const assert = require("assert");\nit("has a base", () => assert.equal(base, 1));\n`,
  "test/bin.js": `const assert = require("assert");\nconst { spawnSync } = require("child_process");\nconst path = require("path");\nit("runs", () => { const bin = path.resolve(__dirname, "../bin", "parse"); assert.equal(spawnSync(process.execPath, [bin], { encoding: "utf8" }).stdout, '[["a","b"]]\\n'); });\n`,
  "test/none.js": `it("is nothing", () => {});\n`,
};

export const mochaParser: Project = {
  name: "mocha: hooks, samples, a program without an ending",
  packages: ["mocha@10.4.0"],
  files: mocha,
  mutations: [
    { what: "sample", to: { "test/samples/a.yml": "a\n" }, breaks: ["test/parse.js"] },
    { what: "new sample", to: { "test/samples/b.yml": "b\n" }, breaks: ["test/parse.js"] },
    { what: "program", to: replaced(mocha, "bin/parse", "a: b", "a: c"), breaks: ["test/bin.js"] },
    { what: "source of both", to: replaced(mocha, "lib/parse.js", `": "`, `":"`), breaks: ["test/bin.js"] },
    { what: "what a hook loads", to: { "test/support/base.js": "global.base = 2;\n" }, breaks: ["test/base.js"] },
    { what: "settings", to: replaced(mocha, ".mocharc.json", "hooks.js", "none.js"), breaks: ["test/base.js"] },
  ],
};
