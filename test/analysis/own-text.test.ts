import { describe, expect, it } from "vitest";
import { OwnText } from "../../src/analysis/patterns/python/own-text.ts";

const ORDER = 'query = f"SELECT id FROM orders ORDER BY {column} LIMIT {limit}"';
const COLUMN = 'column = self.ORDERS.get(request.GET.get("order"), "created_at")';

/** The code inside of the last function of the text. */
function isOwn(code: string, text: string): boolean {
  const whole = `${text}    ${code}\n`;
  return new OwnText(whole).isPutTogether(whole.length - code.length - 1, whole.length);
}

describe("REV-6: an f-string whose pieces the program chooses", () => {
  it.each([
    ["a constant", 'f"SELECT * FROM {TABLE}"', ""],
    ["a column of a table, and a number", ORDER, `def page(request, limit: int = 50):\n    ${COLUMN}\n`],
    ["an item of a table", 'f"ORDER BY {name}"', "def page(key):\n    name = COLUMNS[key]\n"],
    [
      "a member of an enum",
      'f"ORDER BY {sort.value}"',
      "class Column(str, Enum):\n    name = 'n'\ndef page(sort: Column):\n",
    ],
    [
      "a number in one function, though another takes anything",
      'f"LIMIT {n}"',
      "def b(n):\n    pass\ndef a(n: int):\n",
    ],
    [
      "placeholders, as many as there are",
      'f"IN ({marks})"',
      'def page(ids):\n    marks = ",".join(["?"] * len(ids))\n',
    ],
    ["placeholders, made one by one", 'f"IN ({marks})"', 'def page(ids):\n    marks = ", ".join("%s" for _ in ids)\n'],
    ["a loop over constants", 'f"DROP TABLE {name}"', 'def clear():\n    for name in ["a", "b"]:\n    '],
    [
      "a name that is one of a list",
      'f"ORDER BY {name}"',
      "def page(name):\n    if name not in NAMES:\n        raise ValueError\n",
    ],
    ["a number that is made here", 'f"LIMIT {int(n)}"', "def page(n):\n"],
    ["the table of a model", 'f"TRUNCATE {model._meta.db_table}"', "def clear(model):\n"],
    [
      "a field that the class writes",
      'f"SELECT * FROM {self.table}"',
      'class Store:\n    table = "a"\n    def all(self):\n    ',
    ],
    [
      "a condition that only this file hands over",
      'f"SELECT * FROM a WHERE {where}"',
      'class Store:\n    def one(self, key):\n        return self._find("b = ?", key)\n    def _find(self, where, *values):\n    ',
    ],
    ["a number in two functions", 'f"LIMIT {n}"', "def a(n: int):\n    pass\ndef b(n: int = 3):\n    pass\n"],
  ])("is no finding: %s", (_what, code, text) => {
    expect(isOwn(code, text)).toBe(true);
  });

  it.each([
    ["a text", 'f"ORDER BY {name}"', "def page(name: str):\n"],
    ["a name of which nothing is known", 'f"ORDER BY {name}"', ""],
    ["a fallback that was asked for", 'f"ORDER BY {name}"', "def page(key):\n    name = COLUMNS.get(key, key)\n"],
    ["one of two values", 'f"ORDER BY {name}"', "def page(key):\n    name = COLUMNS[key]\n    name = key\n"],
    ["a number in one function and anything in this one", 'f"LIMIT {n}"', "def a(n: int):\n    pass\ndef b(n):\n"],
    [
      "a condition that others hand over, too",
      'f"SELECT * FROM a WHERE {where}"',
      'class Store:\n    def one(self, key):\n        return self.find("b = ?", key)\n    def find(self, where, *values):\n    ',
    ],
    [
      "a condition that this file puts together of anything",
      'f"SELECT * FROM a WHERE {where}"',
      'class Store:\n    def one(self, key):\n        return self._find("b = " + key)\n    def _find(self, where, *values):\n    ',
    ],
    [
      "a field that is handed over",
      'f"SELECT * FROM {self.table}"',
      "class Store:\n    def __init__(self, table):\n        self.table = table\n    def all(self):\n    ",
    ],
    ["a field of which nothing is known", 'f"SELECT * FROM {self.table}"', "class Store:\n    def all(self):\n    "],
    ["a loop", 'f"LIMIT {n}"', "def a(n: int):\n    pass\ndef b(all):\n    for n in all:\n"],
    ["a tuple", 'f"LIMIT {n}"', "def a(n: int):\n    pass\ndef b(all):\n    n, m = all\n"],
    ["a walrus", 'f"LIMIT {n}"', "def a(n: int):\n    pass\ndef b(all):\n    if n := all:\n"],
    ["more behind it", 'f"LIMIT {n}"', "def a(n: int):\n    n += request.text\n"],
    [
      "a class that is no enum",
      'f"ORDER BY {sort.value}"',
      "class Column(BaseModel):\n    value: str\ndef page(sort: Column):\n",
    ],
    ["a call", 'f"ORDER BY {name()}"', ""],
    ["text put together in two ways", 'f"ORDER BY {TABLE}" + name', ""],
  ])("stays a finding: %s", (_what, code, text) => {
    expect(isOwn(code, text)).toBe(false);
  });
});

describe("REV-6: a command for a shell", () => {
  const isOwn = (text: string) => new OwnText(text).isCommand(text.indexOf("shell="));

  it.each([
    [
      "what is quoted",
      'def dig(host):\n    run(f"dig +short {shlex.quote(host)}", shell=True)\n'.replace(/^/, "import shlex\n"),
    ],
    ["a number", 'def last(lines: int):\n    run(f"tail -n {lines} a.log", shell=True)\n'],
    ["a constant of another file", "from paths import CLEAN\nrun(CLEAN, shell=True)\n"],
    ["a constant", 'CLEAN = "rm -r out"\nrun(CLEAN, shell=True)\n'],
  ])("is its own: %s", (_what, text) => {
    expect(isOwn(text)).toBe(true);
  });

  it.each([
    ["a text", 'def dig(host):\n    run(f"dig +short {host}", shell=True)\n'],
    ["half of it quoted", 'import shlex\ndef dig(a, b):\n    run(f"dig {shlex.quote(a)} {b}", shell=True)\n'],
    ["what is called a constant", "CLEAN = input()\nrun(CLEAN, shell=True)\n"],
    ["what is quoted for another place", 'import html\ndef dig(a):\n    run(f"dig {html.escape(a)}", shell=True)\n'],
  ])("is not: %s", (_what, text) => {
    expect(isOwn(text)).toBe(false);
  });
});
