import { describe, expect, it } from "vitest";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { PYTHON_RULES } from "../../src/analysis/patterns/python/rules.ts";
import { findLineStarts, placeOf } from "../../src/analysis/source-file.ts";
import { synthesise } from "../../src/analysis/synthesise.ts";

const read = findInsecureCode();

/** `line rule severity` of what is found. */
const found = (text: string) => {
  const result = read({ id: 0, text, dialect: "py" });
  if ("unread" in result) return [result.unread];
  const starts = findLineStarts(text);
  return result.hits.map(({ rule, severity, from }) => `${placeOf(starts, from).line} ${rule} ${severity}`);
};
/** A page of Flask with these lines in it; the first is line 7. */
const page = (...lines: string[]) =>
  [
    "import os",
    "from flask import Flask, request as r",
    "app = Flask(__name__)",
    "",
    '@app.route("/")',
    "def page():",
    ...lines.map((line) => `    ${line}`),
    "",
  ].join("\n");
const SHELL = "python/shell error";

describe("insecure Python", () => {
  it("REV-6: every row finds its wrong example and is silent about its right one", () => {
    for (const row of [...PYTHON_RULES.sinks, ...PYTHON_RULES.settings]) {
      expect(found(row.wrong).join(), `${row.id}\n${row.wrong}`).toContain(` ${row.id} ${row.severity}`);
      expect(found(row.right), `${row.id}\n${row.right}`).toEqual([]);
    }
  });

  it.each([
    ["an f-string", `os.system(f"ls {r.args['dir']!r}")`],
    ["format", `os.system("ls {}".format(r.args.get("dir")))`],
    ["format with a name", `os.system("ls {dir}".format(dir=r.args.get("dir")))`],
    ["a tuple after %", `os.system("ls %s %s" % ("a", r.args["dir"]))`],
    ["join and a list", `os.system(" ".join(["ls", r.form["dir"]]))`],
    ["a comprehension", `os.system(";".join("rm " + n for n in r.json["names"]))`],
    ["two names at once", `a, b = "x", r.args["dir"]; os.system(b)`],
    ["a walrus", `(d := r.args["dir"]) and os.system("ls " + d)`],
    ["a condition", `os.system("ls " + (r.args["dir"] if r.args else "."))`],
    ["a method of text", `os.system(("ls " + r.args["dir"].strip()).lower())`],
    ["a lambda", `run = lambda d: os.system("ls " + d); run(r.args["dir"])`],
  ])("REV-6: the way is followed through %s", (_, line) => {
    expect(found(page(line))).toEqual([`7 ${SHELL}`]);
  });

  it("REV-6: and through with, for, try and helpers", () => {
    expect(found(page("for d in r.json:", "    os.system(d)"))).toEqual([`8 ${SHELL}`]);
    expect(found(page("try:", '    d = r.args["d"]', "except KeyError:", '    d = "."', "os.system(d)"))).toEqual([
      `11 ${SHELL}`,
    ]);
    expect(found(`${page('run(r.args["d"])')}\ndef run(command):\n    os.system("ls " + command)\n`)).toEqual([
      `10 ${SHELL}`,
    ]);
    const method =
      'import os\nclass View:\n    def get(self, request):\n        self.run(request.GET["d"])\n    def run(self, d):\n        os.system(d)\n';
    expect(found(method)).toEqual([`6 ${SHELL}`]);
  });

  it.each([
    ["a number", `os.system("ls %d" % int(r.args["n"]))`],
    ["a constant", `d = "a"; os.system("ls " + d)`],
    ["a list of names", `d = r.args["d"]; os.system("ls " + d) if d in ("a", "b") else None`],
  ])("REV-6: %s is silent", (_, line) => {
    expect(found(page(line))).toEqual([]);
  });

  it("REV-6: a guard that leaves the function silences what follows, one that does not leaves it", () => {
    const guarded = (leave: string) =>
      found(page('d = r.args["d"]', 'if d not in ("a", "b"):', `    ${leave}`, 'os.system("ls " + d)'));
    expect(guarded("return None")).toEqual([]);
    expect(guarded('raise ValueError("no")')).toEqual([]);
    expect(guarded("print(d)")).toEqual([`10 ${SHELL}`]);
    expect(found(page('d = r.args["d"]', "if not d.isalnum():", "    return None", "os.system(d)"))).toEqual([]);
  });

  it("REV-6: a path that is put together is one, and compared with its folder it is harmless", () => {
    const opened = (...lines: string[]) => found(page(...lines, "open(p)"));
    expect(opened('p = os.path.join("files", r.args["n"])')).toEqual(["8 python/path error"]);
    expect(opened("from pathlib import Path", 'p = Path("files") / r.args["n"]')).toEqual(["9 python/path error"]);
    const compared = ['p = os.path.realpath(os.path.join("/files", r.args["n"]))', 'if not p.startswith("/files/"):'];
    expect(opened(...compared, "    return None")).toEqual([]);
    expect(opened(...compared, "    pass")).toEqual(["10 python/path error"]);
  });

  it("REV-6: of FastAPI, texts are foreign; numbers, dependencies and the session are not", () => {
    const route = (parameters: string, line: string) =>
      `import os\nfrom fastapi import FastAPI, Depends, Request\napp = FastAPI()\n@app.post("/{p}")\nasync def f(${parameters}):\n    ${line}\n`;
    expect(found(route("p: str", "os.system(p)"))).toEqual([`6 ${SHELL}`]);
    expect(found(route("p: int, db: Session = Depends(get)", 'os.system(f"{p}")'))).toEqual([]);
    expect(found(route("request: Request", 'os.system(request.query_params["a"])'))).toEqual([`6 ${SHELL}`]);
  });

  it.each([
    ['app.secret_key = "harbour-lights-26"', true],
    ['app.config["SECRET_KEY"] = "harbour-lights-26"', true],
    ['app.config.update(SECRET_KEY="harbour-lights-26")', true],
    ['app.config["SECRET_KEY"] = os.environ["KEY"]', false],
    ["app.config.from_mapping(SECRET_KEY=key)", false],
    ['app.config["TITLE"] = "harbour-lights-26"', false],
  ])("REV-6: a key of Flask in the code: %s", (line, is) => {
    const result = read({ id: 0, text: `from flask import Flask\napp = Flask(__name__)\n${line}\n`, dialect: "py" });
    const rules = "hits" in result ? result.hits.map(({ rule }) => rule) : [];
    expect(rules).toEqual(is ? ["python/written-secret"] : []);
  });

  it("REV-6: of Flask, what the address must be a number for is one", () => {
    const route = (path: string) =>
      `import os\nfrom flask import Flask\napp = Flask(__name__)\n@app.route("${path}")\ndef f(p):\n    os.system("ls " + p)\n`;
    expect(found(route("/<p>"))).toEqual([`6 ${SHELL}`]);
    expect(found(route("/<path:p>"))).toEqual([`6 ${SHELL}`]);
    expect(found(route("/<int:p>"))).toEqual([]);
  });

  it.each([
    ["text with input", `return "<b>" + r.args["n"]`, "python/answer error"],
    ["with a status", `return f"Hello {r.args['n']}", 404`, "python/answer error"],
    ["a page that was put together", `page = "<p>%s" % r.args["n"]; return page`, "python/answer error"],
    ["a template that was read", `return open("a.html").read().replace("{n}", r.args["n"])`, "python/answer error"],
    ["JSON", `return {"n": r.args["n"]}`, undefined],
    ["what knows how it is sent", `from flask import jsonify; return jsonify(n=r.args["n"])`, undefined],
    ["what cannot be read here", `return shop.find(r.args["n"]).title`, undefined],
    ["a number", `return str(int(r.args["n"]))`, undefined],
  ])("REV-6: what a page of Flask returns is HTML where it is text: %s", (_, line, rule) => {
    expect(found(page(line))).toEqual(rule === undefined ? [] : [`7 ${rule}`]);
  });

  it("REV-6: what a function returns that answers no request is no HTML", () => {
    const helper = 'from flask import request\ndef greeting():\n    return "<b>" + request.args["n"]\n';
    expect(found(helper)).toEqual([]);
    expect(found(page("def inner():", '    return "<b>" + r.args["n"]', "return {}"))).toEqual([]);
  });

  it("REV-6: guards of addresses and paths are believed as they are written in Python", () => {
    const sent = (...guard: string[]) =>
      found(page("from flask import redirect, abort", 'to = r.args["next"]', ...guard, "return redirect(to)"));
    expect(sent()).toEqual(["9 python/redirect warning"]);
    expect(sent("if not url_has_allowed_host_and_scheme(to, None):", '    to = "/"')).toEqual([]);
    expect(
      sent("from urllib.parse import urlparse", 'if urlparse(to).netloc not in ("a.shop",):', "    abort(400)"),
    ).toEqual([]);
    expect(sent("from urllib.parse import urlsplit", 'if urlsplit(to).netloc != "a.shop":', "    abort(400)")).toEqual(
      [],
    );
    expect(sent("from urllib.parse import urlparse", 'if urlparse(to).scheme != "https":', "    abort(400)")).toEqual([
      "12 python/redirect warning",
    ]);
    const opened = (...guard: string[]) =>
      found(page('p = os.path.realpath("/files/" + r.args["n"])', ...guard, "open(p)"));
    expect(opened()).toEqual(["8 python/path error"]);
    expect(opened('if os.path.commonpath(["/files", p]) != "/files":', "    raise ValueError(p)")).toEqual([]);
    expect(opened('if os.path.commonpath(["/files", p]) == "/files":', "    return {}")).toEqual([
      "10 python/path error",
    ]);
  });

  it("REV-6: of Django, aiohttp, Bottle, Tornado and Lambda the request is foreign, too", () => {
    const run = (parameters: string, value: string, before = "") =>
      found(`import os\n${before}\ndef handler(${parameters}):\n    os.system("ls " + ${value})\n`);
    const shell = ["4 python/shell error"];
    expect(run("self", 'self.request.GET["n"]')).toEqual(shell);
    expect(run("self", 'self.get_argument("n")')).toEqual(shell);
    expect(run("request", 'request.match_info["n"]')).toEqual(shell);
    expect(run("request", 'request.params["n"]')).toEqual(shell);
    expect(run("", "request.query.n", "from bottle import request")).toEqual(shell);
    expect(run("event, context", 'event["queryStringParameters"]["n"]')).toEqual(shell);
    expect(run("shop", 'shop["n"]')).toEqual(["4 python/shell info"]);
  });

  it("REV-6: constants of a module are settings where Django reads them", () => {
    const django = (line: string) => found(`INSTALLED_APPS = ["shop"]\n${line}\n`);
    expect(django('SECRET_KEY = "harbour-lights-26"')).toEqual(["2 python/written-secret error"]);
    expect(django("SESSION_COOKIE_SECURE = False")).toEqual(["2 python/cookie-setting warning"]);
    expect(django("DEBUG = True")).toEqual(["2 python/debug info"]);
    expect(django('SECRET_KEY = os.environ["KEY"]')).toEqual([]);
    expect(django('def load():\n    SECRET_KEY = "harbour-lights-26"')).toEqual([]);
    expect(found('SECRET_KEY = "harbour-lights-26"\nDEBUG = True\n')).toEqual([]);
  });

  it("REV-6: what ruff says of the same place is not said twice", () => {
    const at = {
      source: "security",
      category: "security",
      file: "a.py",
      line: 3,
      endLine: 3,
      message: "m",
      why: "w",
    } as const;
    const own = {
      ...at,
      rule: "patterns/python/sql",
      severity: "error",
      confidence: 0.9,
      column: 5,
      endColumn: 60,
    } as const;
    const ruff = {
      ...at,
      rule: "ruff-security/S608-sql-from-pieces",
      severity: "warning",
      confidence: 0.6,
      column: 20,
    } as const;
    expect(synthesise([ruff, own]).kept.map(({ rule }) => rule)).toEqual(["patterns/python/sql"]);
    expect(synthesise([{ ...ruff, column: 70 }, own]).kept).toHaveLength(2);
  });

  it("REV-6: methods of the class that a class extends are its own", () => {
    const shop = (...child: string[]) =>
      found(
        [
          "import os",
          "from flask import request",
          "class Runner:",
          "    def run(self, name):",
          '        os.system("cat " + name)',
          ...child,
        ].join("\n"),
      );
    const go = ["    def go(self):", '        self.run(request.args["n"])'];
    expect(shop("class Shop(Runner):", ...go)).toEqual([`5 ${SHELL}`]);
    expect(shop("class Middle(Runner):", "    pass", "class Shop(Middle, metaclass=M):", ...go)).toEqual([
      `5 ${SHELL}`,
    ]);
    expect(shop("class Shop(Runner):", ...go, "    def run(self, name):", "        pass")).toEqual([
      "5 python/shell info",
    ]);
    expect(shop("class Shop(Other):", ...go)).toEqual(["5 python/shell info"]);
    expect(shop("class One(Two):", "    pass", "class Two(One):", ...go)).toEqual(["5 python/shell info"]);
  });

  it.each([
    [
      "a plain value is what it is compared with",
      ['match r.args["n"]:', '    case "a" | "b": os.system(r.args["n"])'],
      undefined,
    ],
    ["a name has what was matched", ['match r.args["n"]:', "    case name: os.system(name)"], "8"],
    ["so has a name after as", ['match r.args["n"]:', "    case str() as name: os.system(name)"], "8"],
    ["and a part of a list", ['match r.args["n"].split():', "    case [first, *rest]: os.system(first)"], "8"],
    ["and a part of a mapping", ["match r.get_json():", '    case {"name": name}: os.system(name)'], "8"],
    [
      "other cases say nothing",
      ['match r.args["n"]:', '    case "a": pass', '    case _: os.system(r.args["n"])'],
      "9",
    ],
  ])("REV-6: match: %s", (_, lines, line) => {
    expect(found(page(...lines))).toEqual(line === undefined ? [] : [`${line} ${SHELL}`]);
  });

  it("REV-6: broken, deep and hostile files are read as far as they go", () => {
    expect(found(`def (:\n  ]]\n${page('os.system(r.args["d"])')}`)).toContain(`9 ${SHELL}`);
    for (const text of [
      "(".repeat(50_000),
      `x = ${"[".repeat(20_000)}`,
      `x = ${"a + ".repeat(20_000)}1`,
      "if x:\n".repeat(3_000),
      `${"not ".repeat(30_000)}x`,
      `x = ${"f(".repeat(10_000)}`,
      "__proto__ = constructor\n__proto__()\n",
      "\0\uffff\ud800",
    ])
      expect(Array.isArray(found(text)), text.slice(0, 20)).toBe(true);
  });
});
