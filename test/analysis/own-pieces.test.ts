import { describe, expect, it } from "vitest";
import { isOfOwnPieces } from "../../src/analysis/own-pieces.ts";

const ORDER = 'query = f"SELECT id FROM orders ORDER BY {column} LIMIT {limit}"';
const COLUMN = 'column = self.ORDERS.get(request.GET.get("order"), "created_at")';

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
    ["a number in two functions", 'f"LIMIT {n}"', "def a(n: int):\n    pass\ndef b(n: int = 3):\n    pass\n"],
  ])("is no finding: %s", (_what, code, text) => {
    expect(isOfOwnPieces(code, `${text}    ${code}\n`)).toBe(true);
  });

  it.each([
    ["a text", 'f"ORDER BY {name}"', "def page(name: str):\n"],
    ["a name of which nothing is known", 'f"ORDER BY {name}"', ""],
    ["a fallback that was asked for", 'f"ORDER BY {name}"', "def page(key):\n    name = COLUMNS.get(key, key)\n"],
    ["one of two values", 'f"ORDER BY {name}"', "def page(key):\n    name = COLUMNS[key]\n    name = key\n"],
    ["a number in one function and anything in another", 'f"LIMIT {n}"', "def a(n: int):\n    pass\ndef b(n):\n"],
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
    expect(isOfOwnPieces(code, `${text}    ${code}\n`)).toBe(false);
  });
});
