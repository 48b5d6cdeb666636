// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read, not run
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { measureCorpus, sharesOf } from "../../scripts/patterns/measure-corpus.ts";
import { patternDocs } from "../../scripts/patterns/write-docs.ts";
import { describeHit, patterns } from "../../src/analysis/analysers/patterns.ts";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { RULES } from "../../src/analysis/patterns/rules/all-rules.ts";
import { findLineStarts, placeOf } from "../../src/analysis/source-file.ts";
import { readerContext, sourceFile } from "./change-of.ts";

const CORPUS = join(import.meta.dirname, "patterns", "corpus");
const LESSONS = join(import.meta.dirname, "patterns", "lessons");
const read = findInsecureCode();

/** `line rule severity` of what is found. */
const found = (text: string, dialect: "tsx" | "ts" | "js" = "tsx") => {
  const result = read({ id: 0, text, dialect });
  if ("unread" in result) return [result.unread];
  const starts = findLineStarts(text);
  return result.hits.map(({ rule, severity, from }) => `${placeOf(starts, from).line} ${rule} ${severity}`);
};
/** A handler with these lines in it. */
const handler = (...lines: string[]) =>
  ['import { exec } from "node:child_process";', 'app.get("/", async (req, res) => {', ...lines, "});"].join("\n");
const SHELL = "program/shell error";

describe("the tables of insecure code", () => {
  it("REV-6: every row finds its wrong example and is silent about its right one", () => {
    for (const row of [...RULES.sinks, ...RULES.settings]) {
      expect(found(row.wrong).join(), `${row.id}\n${row.wrong}`).toContain(` ${row.id} `);
      expect(found(row.right), `${row.id}\n${row.right}`).toEqual([]);
    }
  });

  it("REV-6: of rows that share a rule each is told in its own words", () => {
    for (const row of [...RULES.sinks, ...RULES.settings]) {
      const result = read({ id: 0, text: row.wrong, dialect: "tsx" });
      const told = "hits" in result ? result.hits.map((hit) => describeHit(hit).message) : [];
      expect(told.join("\n"), row.wrong).toContain(row.words.what);
    }
  });

  it("REV-6: a suggestion mends its wrong example: it parses, nothing is found in it, and it does what the words say", () => {
    const mended = [...RULES.sinks, ...RULES.settings].filter(({ fix }) => fix !== undefined);
    expect(mended.length).toBeGreaterThan(40);
    for (const { id, wrong, fix, words } of mended) {
      const result = read({ id: 0, text: wrong, dialect: "tsx" });
      const edit = "hits" in result ? result.hits.find(({ rule }) => rule === id)?.fix : undefined;
      expect(edit, `${id}\n${wrong}`).toBeDefined();
      const text = `${wrong.slice(0, edit?.from)}${edit?.text}${wrong.slice(edit?.to)}`;
      expect(parseSync("example.tsx", text, { lang: "tsx" }).errors, text).toEqual([]);
      expect(found(text), `${id}\n${text}`).toEqual([]);
      if (/\bLeave (?:it|`\w+`) out/.test(words.mend)) expect(fix, id).toEqual({ without: true });
    }
  });

  it.each([
    [
      "pg",
      "`SELECT * FROM a WHERE b = '${req.query.b}' AND c > ${req.query.c}`",
      '"SELECT * FROM a WHERE b = $1 AND c > $2", [req.query.b, req.query.c]',
    ],
    ["mysql2", '"SELECT * FROM a WHERE b = \'" + req.query.b + "\'"', '"SELECT * FROM a WHERE b = ?", [req.query.b]'],
    ["pg", '"INSERT INTO a (b) VALUES (" + req.body.b + ")"', '"INSERT INTO a (b) VALUES ($1)", [req.body.b]'],
    ["pg", "`SELECT * FROM a ORDER BY ${req.query.by}`", undefined],
    ["pg", "`SELECT * FROM ${req.query.table}`", undefined],
    ["pg", "`SELECT * FROM a WHERE b LIKE '%${req.query.b}%'`", undefined],
    ["pg", '"SELECT * FROM a WHERE b = " + req.query.b, [1]', undefined],
    ["oracledb", '"SELECT * FROM a WHERE b = " + req.query.b', undefined],
  ])(
    "REV-6: values of a query become parameters where the driver is known and each is a value: %s %s",
    (driver, query, wanted) => {
      const text = handler(`const db = require("${driver}").createPool({}); db.query(${query});`);
      const result = read({ id: 0, text, dialect: "js" });
      const hit = "hits" in result ? result.hits.find(({ rule }) => rule === "sql/query-text") : undefined;
      expect(hit).toBeDefined();
      expect(hit?.fix?.text).toBe(wanted);
    },
  );

  it("docs/patterns.md is what `npm run docs:patterns` writes", () => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "patterns.md"), "utf8");
    expect(page === patternDocs()).toBe(true);
  });
});

describe("the corpus, written without a look at the rules", () => {
  it("REV-6: at least 76 % of its wrong lines are found, at most 8 % of its right ones flagged", () => {
    const { wrong, right, foundShare, flaggedShare } = sharesOf(measureCorpus(CORPUS));
    expect(Math.min(wrong, right)).toBeGreaterThan(400);
    expect(foundShare).toBeGreaterThan(0.76);
    expect(flaggedShare).toBeLessThan(0.08);
  });

  it("REV-6: of short lessons at least 90 % of the wrong lines are found, at most 3 % of the right ones flagged", () => {
    const { wrong, right, foundShare, flaggedShare } = sharesOf(measureCorpus(LESSONS));
    expect(Math.min(wrong, right)).toBeGreaterThan(150);
    expect(foundShare).toBeGreaterThan(0.9);
    expect(flaggedShare).toBeLessThan(0.03);
  });
});

describe("what rows say of one place", () => {
  it("REV-6: is said once, by the one that says more, with the fix of either", () => {
    const both = (line: string) =>
      found(handler('const fs = require("fs"); const path = require("path");', line)).map((each) => each.slice(2));
    expect(both('fs.readFileSync(path.join("/data", req.query.name));')).toEqual(["path/file error"]);
    expect(both('path.join("/data", req.query.name);')).toEqual(["path/joined warning"]);
    expect(both('const target = path.join("/data", req.query.name);\nfs.readFileSync(target);')).toEqual([
      "path/file error",
    ]);
    const xml = 'require("libxmljs").parseXml(req.body, { noent: true });';
    expect(both(xml)).toEqual(["data/xml error"]);
    const result = read({ id: 0, text: handler(xml), dialect: "js" });
    expect("hits" in result && result.hits[0]?.fix?.text).toBe("false");
  });

  it("REV-6: the name alone of a database from another file warns, and does not block", () => {
    const ask = (from: string) => found(`${from}\n${handler('db.all("SELECT a FROM b WHERE c = " + req.query.c);')}`);
    for (const from of ['const db = require("./db");', 'import db from "../db.ts";'])
      expect(ask(from)).toEqual(["4 sql/query-text warning"]);
    expect(found(`import { update } from "./store.ts";\n${handler("update(req.body);")}`)).toEqual([]);
  });
});

describe("the way of foreign input", () => {
  it.each([
    ["an assignment", "let dir = req.query.dir; exec('ls ' + dir);"],
    ["a later assignment", "let dir = 'a'; dir = req.query.dir; exec(`ls ${dir}`);"],
    ["destructuring with another name", "const { query: { dir: where = '.' } } = req; exec('ls ' + where);"],
    ["an object", "const options = { dir: req.query.dir }; exec('ls ' + options.dir);"],
    ["a list", "const parts = ['ls']; parts.push(req.query.dir); exec(parts.join(' '));"],
    ["a map over a list", "exec(req.body.names.map((name) => 'rm ' + name).join(';'));"],
    ["a value as text", "exec('ls ' + Buffer.from(req.query.dir, 'base64').toString('utf8'));"],
    ["methods of text", "exec(('ls ' + req.query.dir.trim()).toLowerCase());"],
    ["a choice", "exec(req.query.dir ? `ls ${req.query.dir}` : 'ls');"],
    ["an added text", "let command = 'ls '; command += req.query.dir; exec(command);"],
    ["a promise", "const body = await req.json(); exec('ls ' + body.dir);"],
    ["a promise that is made", "const dir = await new Promise((done) => done(req.query.dir)); exec('ls ' + dir);"],
    ["what is spread", "const options = { ...req.query }; exec(['ls', ...[options.dir]].join(' '));"],
    ["a map of names", "const names = new Map(); names.set('a', req.query.dir); exec('ls ' + names.get('a'));"],
    [
      "a callback of a function of its own",
      "const each = (value, use) => use(value); each(req.query.dir, (dir) => exec('ls ' + dir));",
    ],
    ["a loop", "for (const each of req.body.all) exec('ls ' + each);"],
    ["JSON", "exec('ls ' + JSON.parse(req.body.options).dir);"],
  ])("REV-6: is followed through %s", (_, code) => {
    expect(found(handler(code))).toEqual([`3 ${SHELL}`]);
  });

  it("REV-6: is followed through helpers, in and out", () => {
    const out = "function commandFor(dir) {\n  return 'ls ' + dir;\n}\n";
    expect(found(`${handler("exec(commandFor(req.query.dir));")}\n${out}`)).toEqual([`3 ${SHELL}`]);
    const inner = "const list = (dir) => {\n  exec('ls ' + dir);\n};\n";
    expect(found(`${inner}${handler("list(req.query.dir);")}`)).toEqual([`2 ${SHELL}`]);
    const field = `import { exec } from "node:child_process";
class Lister {
  constructor(req) { this.dir = req.query.dir; }
  list() { exec("ls " + this.dir); }
}`;
    expect(found(field)).toEqual([`4 ${SHELL}`]);
  });

  it("REV-6: a parameter is a remark, a constant nothing", () => {
    const code = (dir: string) =>
      `import { exec } from "node:child_process";\nexport function list(dir) {\n  exec("ls " + ${dir});\n}`;
    expect(found(code("dir"))).toEqual(["3 program/shell info"]);
    expect(found(code("'a'"))).toEqual([]);
    expect(found(`const HOME = "/home";\n${code("HOME")}`)).toEqual([]);
  });

  it("knows a name from another of the same name", () => {
    expect(found(handler("const exec = (text) => text; exec('ls ' + req.query.dir);"))).toEqual([]);
    expect(found(handler("const dir = 'a'; { const dir = req.query.dir; } exec('ls ' + dir);"))).toEqual([]);
  });

  it("an assignment that everybody passes replaces the value", () => {
    expect(found(handler("let dir = req.query.dir; dir = 'a'; exec('ls ' + dir);"))).toEqual([]);
    expect(found(handler("let dir = req.query.dir; if (a) dir = 'a'; exec('ls ' + dir);"))).toEqual([`3 ${SHELL}`]);
  });
});

describe("checks on the way", () => {
  it.each([
    ["a number", "const n = Number(req.query.n); exec(`head -n ${n}`);"],
    ["a list", "if (!['a', 'b'].includes(req.query.dir)) return; exec('ls ' + req.query.dir);"],
    ["a set, in a branch", "const { dir } = req.query; if (ALLOWED.has(dir)) { exec('ls ' + dir); }"],
    ["a table", "const table = { a: '/a' }; exec('ls ' + table[req.query.dir]);"],
    [
      "a comparison",
      "const { dir } = req.query; if (dir !== 'a' && dir !== 'b') throw new Error(); exec('ls ' + dir);",
    ],
    ["an anchored pattern", "const { dir } = req.query; if (!/^\\w+$/.test(dir)) return res.end(); exec('ls ' + dir);"],
    ["an address of IP", "if (isIP(req.query.dir) === 0) return; exec('ls ' + req.query.dir);"],
    ["an answer that is compared", "if (['a'].includes(req.query.dir) === false) return; exec('ls ' + req.query.dir);"],
    ["a method of this file", "const child = { exec: (text) => text.length }; child.exec('ls ' + req.query.dir);"],
    ["a schema", "const { dir } = schema.parse(req.query); exec('ls ' + dir);"],
    ["a switch", "switch (req.query.dir) { case 'a': exec('ls ' + req.query.dir); }"],
    ["a replacement of everything else", "exec('ls ' + req.query.dir.replace(/[^a-z]/g, ''));"],
  ])("REV-6: %s silences it", (_, code) => {
    expect(found(handler(code))).toEqual([]);
  });

  it.each([
    [
      "a check whose answer nobody minds",
      "const { dir } = req.query; if (!['a'].includes(dir)) console.log(1); exec('ls ' + dir);",
    ],
    ["a check behind it", "exec('ls ' + req.query.dir); if (!['a'].includes(req.query.dir)) return;"],
    ["a check of another value", "if (!['a'].includes(req.query.other)) return; exec('ls ' + req.query.dir);"],
    ["a pattern that matches a part", "const { dir } = req.query; if (!/\\w+/.test(dir)) return; exec('ls ' + dir);"],
    ["an answer that is compared the other way", "if (isIP(req.query.dir) !== 0) return; exec('ls ' + req.query.dir);"],
    [
      "a method of this file that does it",
      "const child = { run: (text) => exec(text) };\nchild.run('ls ' + req.query.dir);",
    ],
    ["a text in the input", "const { dir } = req.query; if (!dir.includes('home')) return; exec('ls ' + dir);"],
    ["one replacement", "exec('ls ' + req.query.dir.replace(';', ''));"],
    [
      "a cleaning of another language",
      "exec('ls ' + escapeHtml(req.query.dir));\nfunction escapeHtml(text) { return text.replace(/</g, '&lt;'); }",
    ],
    [
      "a helper that only sounds like it",
      "exec('ls ' + sanitize(req.query.dir));\nfunction sanitize(text) { return text; }",
    ],
  ])("REV-6: %s does not", (_, code) => {
    expect(found(handler(code))).toEqual([`3 ${SHELL}`]);
  });
});

describe("checks of paths", () => {
  const ROOTED =
    'const fs = require("fs"); const path = require("path"); const file = path.resolve(ROOT, req.query.name);';
  const opened = (check: string) => found(handler(ROOTED, check, "fs.readFileSync(file);"));

  it("REV-6: what lies in a folder, by its way from there or by its beginning, is silent", () => {
    const away = "const away = path.relative(ROOT, file);";
    expect(opened(`${away} if (away.startsWith("..") || path.isAbsolute(away)) return;`)).toEqual([]);
    expect(opened("if (!file.startsWith(ROOT + path.sep)) return;")).toEqual([]);
  });

  it("REV-6: a way that nobody looks at, or that is looked at for something else, is not", () => {
    const away = "const away = path.relative(ROOT, file);";
    expect(opened(away)).toEqual(["5 path/file error"]);
    expect(opened(`${away} if (away.startsWith("public")) console.log(away);`)).toContain("5 path/file error");
  });
});

describe("what others have checked", () => {
  const nest = (pipe: string) =>
    found(`import { Controller, Get, Param${pipe && ", ParseIntPipe"} } from "@nestjs/common";
import { exec } from "node:child_process";
@Controller() class A { @Get() a(@Param("n"${pipe}) n) { exec("head -n " + n); } }`);

  it("REV-6: a parameter behind a pipe of NestJS that parses it is a number, another is not", () => {
    expect(nest("")).toEqual([`3 ${SHELL}`]);
    expect(nest(", ParseIntPipe")).toEqual([]);
    expect(nest(", new ParseIntPipe({ optional: true })")).toEqual([]);
  });

  it("REV-6: where multer put an upload is its choice, how the browser called it is not", () => {
    const saved = (name: string) => found(handler(`require("fs").renameSync(req.file.${name}, "a");`));
    expect(saved("path")).toEqual([]);
    expect(saved("originalname")).toEqual(["3 path/file error"]);
  });

  it("REV-6: an address whose kind was looked at runs no script", () => {
    const linked = (check: string) =>
      found(`const url = new URL(new URLSearchParams(location.search).get("a")); ${check} anchor.href = url.href;`);
    expect(linked("")).toEqual(["1 page/link warning"]);
    expect(linked('if (url.protocol !== "https:") throw new Error("kind");')).toEqual([]);
    expect(linked('if (url.protocol === "https:") throw new Error("kind");')).toEqual(["1 page/link warning"]);
    expect(linked('if (url.protocol !== "javascript:") throw new Error("kind");')).toEqual(["1 page/link warning"]);
  });
});

describe("hostile files", () => {
  it("what parses of a broken file is read, and hostile names are names", () => {
    const text = "const __proto__ = 1, constructor = 2; function toString(hasOwnProperty) { return hasOwnProperty; }\n";
    expect(found(`${text}${handler("exec('ls ' + req.query.constructor + req.query.__proto__);")}`)).toEqual([
      `4 ${SHELL}`,
    ]);
    expect(found(`private x = 1;\n${handler("exec('ls ' + req.query.dir);")}`)[0]).toMatch(/parse|shell/);
  });

  it("what is nested deeply, or larger than 4 MB, ends in its limits with a word", () => {
    const deep = `exec(${"f(".repeat(2_000)}req.query.a${")".repeat(2_000)});`;
    expect(found(handler(deep)).join()).toMatch(/^$|shell|nested|parse/);
    expect(found(handler(`exec(${"a + ".repeat(2_000)} req.query.a);`))).toEqual([`3 ${SHELL}`]);
    expect(found(`"${"a".repeat(4 * 1024 * 1024)}"`)).toEqual(["larger than 4 MB"]);
  });

  it("functions that ask themselves are followed once", () => {
    const walk = "function holds(node) { return node.left ? holds(node.left) || holds(node.right) : check(node); }";
    expect(found(`${walk}\n${handler("if (holds(req.body)) exec('ls ' + req.query.dir);")}`)).toEqual([`4 ${SHELL}`]);
  });
});

describe("the analyser", () => {
  const analyse = async (head: string, base?: string) => {
    const context = readerContext();
    return patterns.analyse([sourceFile("src/run.ts", head, base)], context);
  };

  it("REV-6: tells the way by its lines, what it is good for and what mends it", async () => {
    const { observations, problems } = await analyse(handler("  const dir = req.query.dir;", "  exec(`ls ${dir}`);"));
    expect(problems).toEqual([]);
    expect(observations).toMatchObject([
      {
        ...{ rule: "patterns/program/shell", severity: "error", source: "security", line: 4, confidence: 0.85 },
        message: "`req.query.dir` comes from the request and goes into a command that a shell runs.",
        flow: [
          { line: 3, text: "req.query.dir" },
          { line: 3, text: "dir" },
          { line: 4, text: "exec" },
        ],
        why: "`;id` behind it runs `id` on the server, and so does any other program.",
        remedy: 'Run the program itself with a list of arguments: `execFile(program, ["--", value])`.',
      },
    ]);
  });

  it("REV-6: a change that opens the way to an old place is told where it does", async () => {
    const base = handler("  const dir = 'a';", "  exec(`ls ${dir}`);");
    const head = handler("  const dir = req.query.dir;", "  exec(`ls ${dir}`);");
    const { observations } = await analyse(head, base);
    expect(observations.map(({ line }) => line)).toEqual([3]);
  });
});
