import { describe, expect, it } from "vitest";
import { patterns } from "../../src/analysis/analysers/patterns.ts";
import type { Tree } from "../../src/analysis/tree.ts";
import { analyse, readerContext, sourceFile } from "./change-of.ts";

/** Changed files, as `path: head` or `path: [head, base]`, among others that stay as they are. */
async function told(
  changed: Readonly<Record<string, string | readonly [string, string]>>,
  others: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const asked: string[] = [];
  const tree: Tree = {
    paths: [...Object.keys(changed), ...Object.keys(others)],
    readMany: async (paths) => {
      asked.push(...paths);
      return new Map(paths.flatMap((path) => (others[path] === undefined ? [] : [[path, Buffer.from(others[path])]])));
    },
  };
  const files = Object.entries(changed).map(([path, sides]) =>
    typeof sides === "string" ? sourceFile(path, sides) : sourceFile(path, sides[0], sides[1]),
  );
  const context = { ...readerContext(), tree };
  const { observations, problems } = await patterns.analyse(files, context);
  expect(problems).toEqual([]);
  expect(asked.every((path) => tree.paths.includes(path))).toBe(true);
  return observations.map(({ file, line, rule, severity }) => `${file}:${line} ${rule.slice(9)} ${severity}`).sort();
}

const STORE = `import { pool } from "./pool.ts";
export function find(name) {
  return pool.query("SELECT * FROM a WHERE b = '" + name + "'");
}
`;
const POOL = `import pg from "pg";\nexport const pool = new pg.Pool();\n`;
const CALLER = `import { find } from "./store.ts";
app.get("/", async (req, res) => {
  res.json(await find(req.query.name));
});
`;
const SAID = "src/store.ts:3 sql/query-text error";

describe("ways through several files", () => {
  it("REV-6: a source in one file and a place in another that is imported are told with both", async () => {
    const files = { "src/orders.ts": CALLER, "src/store.ts": STORE, "src/pool.ts": POOL };
    expect(await told(files)).toEqual([SAID]);
    const { observations } = await analyse(files, { analysers: [patterns] });
    expect(observations).toMatchObject([
      {
        message: "`req.query.name` comes from the request and goes into the text of an SQL query.",
        flow: expect.arrayContaining([
          { path: "src/orders.ts", line: 3, text: "req.query.name" },
          { path: "src/orders.ts", line: 3, text: "find" },
          { line: expect.any(Number), text: expect.any(String) },
        ]),
      },
    ]);
  });

  it("SEC-1: imports that could not be followed are a gap of the changed file, or one of all files around it", async () => {
    const many = Array.from({ length: 60_010 }, (_, at) => `a/${at}.js`);
    const readMany = () => Promise.resolve(new Map([["src/beside.js", Buffer.from('import "../b/none.js";\n')]]));
    const problems = async (path: string, text: string) => {
      const tree = { paths: [path, "src/beside.js", ...many], readMany };
      const result = await patterns.analyse([sourceFile(path, text)], { ...readerContext(), tree });
      expect(result.filesRead).toBe(1);
      return result.problems;
    };
    const what = "not searched for insecure code that begins or ends in other files";
    expect(await problems("src/routes.js", 'import { find } from "../a/60009.js";\n')).toEqual([
      { file: "src/routes.js", reason: `${what}: what it imports could not all be looked up`, gap: true },
    ]);
    expect(await problems("src/routes.js", "export const a = 1;\n")).toEqual([
      { reason: `${what}: what files around the change import could not all be looked up`, gap: true },
    ]);
  });

  const handler = (line: string, head: string) => `${head}\napp.get("/", async (req, res) => {\n  ${line}\n});\n`;
  const exec = 'const { exec } = require("node:child_process");\n';
  const WAYS: readonly (readonly [way: string, caller: string, callee: string, line: number])[] = [
    [
      "a default import",
      handler("run(req.query.a);", 'import run from "./run.ts";'),
      `${exec}export default function (a) {\n  exec("ls " + a);\n}\n`,
      3,
    ],
    [
      "a namespace",
      handler("tools.run(req.query.a);", 'import * as tools from "./run.ts";'),
      `${exec}export const run = (a) => exec("ls " + a);\n`,
      2,
    ],
    [
      "another name",
      handler("go(req.query.a);", 'import { run as go } from "./run.js";'),
      `${exec}const inner = (a) => exec("ls " + a);\nexport { inner as run };\n`,
      2,
    ],
    [
      "module.exports",
      handler("run(req.query.a);", 'const run = require("./run");'),
      `${exec}module.exports = function (a) {\n  exec("ls " + a);\n};\n`,
      3,
    ],
    [
      "an object of module.exports",
      handler("tools.run(req.query.a);", 'const tools = require("./run");'),
      `${exec}function run(a) {\n  exec("ls " + a);\n}\nmodule.exports = { run };\n`,
      3,
    ],
    [
      "exports.run",
      handler("run(req.query.a);", 'const { run } = require("./run.js");'),
      `${exec}exports.run = async (a) => exec("ls " + a);\n`,
      2,
    ],
    [
      "a method of a class",
      handler("new Runner().run(req.query.a);", 'import { Runner } from "./run";'),
      `${exec}export class Runner {\n  run(a) {\n    exec("ls " + a);\n  }\n}\n`,
      4,
    ],
    [
      "a thing that is made once",
      handler("runner.run(req.query.a);", 'import runner from "./run";'),
      `${exec}class Runner {\n  run(a) {\n    exec("ls " + a);\n  }\n}\nexport default new Runner();\n`,
      4,
    ],
    [
      "a static method",
      handler("Runner.run(req.query.a);", 'import { Runner } from "./run";'),
      `${exec}export class Runner {\n  static run(a) {\n    exec("ls " + a);\n  }\n}\n`,
      4,
    ],
    [
      "a part of an argument",
      handler("run({ dir: req.query.a, other: 1 });", 'import { run } from "./run";'),
      `${exec}export function run({ dir, other }) {\n  exec("ls " + dir);\n}\n`,
      3,
    ],
    [
      "a helper behind it",
      handler("run(req.query.a);", 'import { run } from "./run";'),
      `${exec}function inner(text) {\n  exec("ls " + text);\n}\nexport function run(a) {\n  inner(a.trim());\n}\n`,
      3,
    ],
  ];
  it("REV-6: whatever a module gives and however it is imported is followed", async () => {
    const files = WAYS.flatMap(([, caller, callee], at) => [
      [`src/${at}/app.ts`, caller],
      [`src/${at}/run.ts`, callee],
    ]);
    const found = await told(Object.fromEntries(files));
    expect(WAYS.map(([way], at) => [way, found.filter((one) => one.startsWith(`src/${at}/`))])).toEqual(
      WAYS.map(([way, , , line], at) => [way, [`src/${at}/run.ts:${line} program/shell error`]]),
    );
  });

  it("REV-6: through files that pass on, through index files, through aliases and packages of the repository", async () => {
    const run = `${exec}export const run = (a) => exec("ls " + a);\n`;
    const to = (module: string) => handler("run(req.query.a);", `import { run } from "${module}";`);
    const said = ["src/tools/run.ts:2 program/shell error"];
    const files = { "src/tools/run.ts": run, "src/tools/index.ts": 'export * from "./run.ts";\n' };
    expect(await told({ ...files, "src/app.ts": to("./tools") })).toEqual(said);
    expect(
      await told({
        "src/tools/run.ts": run,
        "src/tools/index.ts": 'export { run } from "./run";\n',
        "src/app.ts": to("./tools/index.js"),
      }),
    ).toEqual(said);
    const config = '{\n  // paths\n  "compilerOptions": { "paths": { "#tools/*": ["./src/tools/*"] } },\n}';
    expect(
      await told({ "src/tools/run.ts": run, "src/app.ts": to("#tools/run") }, { "tsconfig.json": config }),
    ).toEqual(said);
    expect(await told({ "src/tools/run.ts": run, "src/app.ts": to("@/tools/run") })).toEqual(said);
  });

  const shared = '{"compilerOptions":{"paths":{"@lib/*":["./src/lib/*"]}}}';
  const ALIASED: readonly (readonly [
    what: string,
    module: string,
    folder: string,
    settings: Record<string, string>,
  ])[] = [
    ["a comment", "@lib/run", "", { "tsconfig.json": `/* ours */ ${shared}` }],
    [
      "a comment at the end of a line, among stars",
      "@lib/run",
      "",
      { "tsconfig.json": shared.replace("}}}", '}}, // own\n"include": ["**/*.ts", "src/*/*.ts"]}') },
    ],
    [
      "extends",
      "@lib/run",
      "",
      { "tsconfig.json": '{"extends":"./tsconfig.shared.json"}', "tsconfig.shared.json": shared },
    ],
    ["a nested project", "@lib/run", "packages/web/", { "packages/web/tsconfig.json": shared }],
    ["another name", "@lib/run", "", { "tsconfig.base.json": shared }],
    ["baseUrl alone", "lib/run", "", { "tsconfig.json": '{"compilerOptions":{"baseUrl":"src"}}' }],
    ["imports of package.json", "#lib/run", "", { "package.json": '{"imports":{"#lib/*":"./src/lib/*.ts"}}' }],
  ];
  it.each(ALIASED)("R10, REV-6: through an alias: %s", async (_, module, folder, settings) => {
    const run = `${exec}export function runTool(name: string) { return exec("tool " + name); }\n`;
    const caller = handler("runTool(String(req.query.name));", `import { runTool } from "${module}";`);
    expect(await told({ [`${folder}src/app.ts`]: caller }, { ...settings, [`${folder}src/lib/run.ts`]: run })).toEqual([
      `${folder}src/app.ts:3 program/shell error`,
    ]);
  });

  it("REV-6: what a function of another file gives back is foreign, harmless or a part of what it is given", async () => {
    const use = (name: string) =>
      `${exec}${handler(`exec("ls " + ${name}(req));`, `import { ${name} } from "./read.ts";`)}`;
    const read = `export const dirOf = (request) => request.query.dir;
export const sizeOf = (request) => Number(request.query.size);
export const clean = (text) => String(text).replace(/[^a-z]/g, "");
export const shorten = (text) => text.slice(0, 8);
`;
    const through = (name: string) =>
      `${exec}${handler(`exec("ls " + ${name}(req.query.a));`, `import { ${name} } from "./read.ts";`)}`;
    const files = {
      "src/read.ts": read,
      "src/dir.ts": use("dirOf"),
      "src/size.ts": use("sizeOf"),
      "src/clean.ts": through("clean"),
      "src/shorten.ts": through("shorten"),
    };
    expect(await told(files)).toEqual(["src/dir.ts:4 program/shell error", "src/shorten.ts:4 program/shell error"]);
  });

  it("REV-6: a check before the call silences it, and so does one in the function", async () => {
    const checked = CALLER.replace("  res.json", '  if (!["a", "b"].includes(req.query.name)) return;\n  res.json');
    expect(await told({ "src/orders.ts": checked, "src/store.ts": STORE, "src/pool.ts": POOL })).not.toContain(SAID);
    const within = STORE.replace("  return", '  if (!/^\\w+$/.test(name)) throw new Error("name");\n  return');
    expect(await told({ "src/orders.ts": CALLER, "src/store.ts": within, "src/pool.ts": POOL })).toEqual([]);
  });

  it("REV-6: a changed caller of a file that stays as it is, told at the call", async () => {
    const before = CALLER.replace("req.query.name", '"a"');
    const others = { "src/store.ts": STORE, "src/pool.ts": POOL };
    expect(await told({ "src/orders.ts": [CALLER, before] }, others)).toEqual(["src/orders.ts:3 sql/query-text error"]);
    expect(await told({ "src/orders.ts": [before, CALLER] }, others)).toEqual([]);
  });

  it("REV-6: a changed function whose callers stay as they are, told in it", async () => {
    const safe = STORE.replace(`'" + name + "'"`, '$1", [name]');
    const others = { "src/orders.ts": CALLER, "src/pool.ts": POOL, "src/far/away.ts": "export const a = 1;\n" };
    expect(await told({ "src/store.ts": [STORE, safe] }, others)).toEqual([SAID]);
    expect(await told({ "src/store.ts": [safe, STORE] }, others)).toEqual([]);
    const middle =
      'import { find } from "./store.ts";\nexport const findAll = (names) => names.map((name) => find(name));\nexport const findOne = (name) => find(name);\n';
    const far = CALLER.replaceAll("find", "findOne").replace("./store.ts", "./middle.ts");
    expect(
      await told(
        { "src/store.ts": [STORE, safe] },
        { "src/pool.ts": POOL, "src/middle.ts": middle, "src/orders.ts": far },
      ),
    ).toEqual([SAID]);
  });

  it("REV-6: is followed four files deep and no deeper, and files that import each other end", async () => {
    const chain = (length: number) => {
      const files: Record<string, string> = {
        "src/app.ts": handler("f0(req.query.a);", 'import { f0 } from "./f0.ts";'),
      };
      for (let at = 0; at < length; at += 1)
        files[`src/f${at}.ts`] =
          `import { f${at + 1} } from "./f${at + 1}.ts";\nexport const f${at} = (a) => f${at + 1}(a);\n`;
      files[`src/f${length}.ts`] = `${exec}export const f${length} = (a) => exec("ls " + a);\n`;
      return files;
    };
    expect(await told(chain(3))).toEqual(["src/f3.ts:2 program/shell error"]);
    expect(await told(chain(8))).toEqual(["src/f8.ts:2 program/shell info"]);
    const ring = {
      "src/a.ts": 'import { b } from "./b.ts";\nexport const a = (x) => b(x);\n',
      "src/b.ts": `import { a } from "./a.ts";\n${exec}export const b = (x) => more() ? a(x) : exec("ls " + x);\n`,
    };
    expect(await told({ ...ring, "src/app.ts": handler("b(req.query.a);", 'import { b } from "./b.ts";') })).toEqual([
      "src/b.ts:3 program/shell error",
    ]);
  });

  it("hostile names of files and of what they give are names", async () => {
    const callee = `${exec}export const __proto__ = (a) => exec("ls " + a);\nexport const constructor = __proto__;\n`;
    const caller = handler("tools.__proto__(req.query.a);", 'import * as tools from "./constructor.ts";');
    expect(await told({ "src/app.ts": caller, "src/constructor.ts": callee })).toEqual([
      "src/constructor.ts:2 program/shell error",
    ]);
  });

  const PYTHON = {
    "app/__init__.py": "",
    "app/core/db.py": `import sqlite3
def find(name):
    return sqlite3.connect("a.db").execute("SELECT * FROM a WHERE b = '" + name + "'")
def found(name):
    return sqlite3.connect("a.db").execute("SELECT * FROM a WHERE b = ?", (name,))
`,
    "app/tool.py": `import os
class Tool:
    def run(self, name):
        os.system("ls " + name)
`,
    "app/asked.py": `from flask import request
def wanted():
    return request.args.get("x")
`,
  };
  const page = (imports: string, line: string) =>
    `import os\nfrom flask import Flask, request\n${imports}\napp = Flask(__name__)\n@app.route("/")\ndef page():\n    ${line}\n    return {}\n`;

  it.each([
    ["from .core.db import find", 'find(request.args["n"])', ["app/views.py:7 python/sql error"]],
    ["from app.core.db import find as look", 'look(request.args["n"])', ["app/views.py:7 python/sql error"]],
    ["from . import tool", 'tool.Tool().run(request.args["n"])', ["app/views.py:7 python/shell error"]],
    ["from .asked import wanted", 'os.system("cat " + wanted())', ["app/views.py:7 python/shell error"]],
    ["from .core.db import found", 'found(request.args["n"])', []],
    ["from .core.db import find", "find(str(int(request.args['n'])))", []],
    ["from .other import find", 'find(request.args["n"])', []],
  ])("REV-6: of Python, too: %s, and %s", async (imports, line, expected) => {
    expect(await told({ "app/views.py": page(imports, line) }, PYTHON)).toEqual(expected);
  });

  const RUN = `import os
def run(name):
    os.system("ls " + name)
`;
  const VIEWS_7 = ["app/views.py:7 python/shell error"];
  it.each([
    ["a module of a package", "from app import sh", 'sh.run(request.args["n"])', "app/sh.py", VIEWS_7],
    ["a module by its whole name", "import app.sh", 'app.sh.run(request.args["n"])', "app/sh.py", VIEWS_7],
    ["another name for it", "import app.sh as shell", 'shell.run(request.args["n"])', "app/sh.py", VIEWS_7],
    ["what a package passes on", "from app.api import run", 'run(request.args["n"])', "app/sh.py", VIEWS_7],
    ["a module that a package passes on", "from app.api import sh", 'sh.run(request.args["n"])', "app/sh.py", VIEWS_7],
    ["all that a package passes on", "from app.all import run", 'run(request.args["n"])', "app/sh.py", VIEWS_7],
    ["what a package has itself", "from .parts import sh", 'sh.run(request.args["n"])', "app/parts/sh.py", VIEWS_7],
    ["a folder without a file", "from space import sh", 'sh.run(request.args["n"])', "space/sh.py", VIEWS_7],
    ["a folder of sources", "from shop import sh", 'sh.run(request.args["n"])', "src/shop/sh.py", VIEWS_7],
    [
      "a folder that settings name",
      "from far import sh",
      'sh.run(request.args["n"])',
      "packages/far/code/far/sh.py",
      VIEWS_7,
    ],
    ["a package of others of that name", "import sh", 'sh.run(request.args["n"])', "app/tools/sh.py", []],
    ["a name that is the package's own", "from app.own import sh", 'sh.run(request.args["n"])', "app/own/sh.py", []],
  ])("REV-6: Python's modules by every way to them: %s", async (_what, imports, line, path, expected) => {
    const others = {
      "app/__init__.py": "",
      "app/api/__init__.py": "from app import sh\nfrom ..sh import run\n",
      "app/all/__init__.py": "from ..sh import *\n",
      "app/parts/__init__.py": "",
      "app/tools/__init__.py": "",
      "app/own/__init__.py": "from shells import Shell\nsh = Shell()\n",
      "src/shop/__init__.py": "",
      "packages/far/code/far/__init__.py": "",
    };
    expect(await told({ "app/views.py": page(imports, line) }, { ...others, [path]: RUN })).toEqual(expected);
  });

  it.each([
    ["what a class of another file does", "self.run(name)", ["app/views.py:6 python/shell error"]],
    ["the same by its name", "super().run(name)", ["app/views.py:6 python/shell error"]],
    ["what the class above that one does", "self.ask(name)", ["app/views.py:6 python/sql error"]],
    ["what does no harm with it", "self.count(name)", []],
    ["what nobody knows", "self.other(name)", []],
  ])("REV-6: methods of classes that a class of Python extends: %s", async (_what, call, expected) => {
    const views = `from .base import Base
class Page(Base):
    def other(self, name):
        return name
    def get(self, request):
        self.show(request.GET["name"])
    def show(self, name):
        ${call}
`;
    const base = `from .store import Store
import os
class Base(Store):
    def run(self, name):
        os.system("ls " + name)
    def count(self, name):
        return len(name)
`;
    const store = `import sqlite3
class Store:
    def ask(self, name):
        return sqlite3.connect("a.db").execute("SELECT * FROM a WHERE b = '" + name + "'")
`;
    expect(await told({ "app/views.py": views }, { "app/base.py": base, "app/store.py": store })).toEqual(expected);
  });

  it("REV-6: methods of a class that a class of another file extends", async () => {
    const page = `import { Base } from "./base.ts";
import type { Request } from "express";
export class Page extends Base { show(req: Request) { this.run(String(req.query.name)); } }
`;
    const base = `import { exec } from "node:child_process";
export class Base { run(name: string) { exec("ls " + name); } }
`;
    expect(await told({ "src/page.ts": page }, { "src/base.ts": base })).toEqual(["src/page.ts:3 program/shell error"]);
  });

  it("REV-6: a change of what Python's pages call is reported where it opens the way", async () => {
    const { "app/core/db.py": db, ...others } = PYTHON;
    const views = page("from .core.db import find", 'find(request.args["n"])');
    expect(await told({ "app/core/db.py": db }, { ...others, "app/views.py": views })).toEqual([
      "app/core/db.py:3 python/sql error",
    ]);
  });
});
