import { describe, expect, it } from "vitest";
import { moduleAsked, pythonModules } from "../../../src/analysis/imports/python-modules.ts";

describe("TEST-3: imports of Python are read as Python reads them", () => {
  it.each([
    ["one name", "import app\n", ["app"]],
    ["a list with other names", "import os, app.db as db\n", ["os", "app.db"]],
    ["a name of a module", "from app import db\n", ["app", "app:db"]],
    ["all names", "from app import *\n", ["app"]],
    ["dots without a blank behind them", "from .import db\n", [".", ".:db"]],
    ["two dots", "from ..core import db\n", ["..core", "..core:db"]],
    ["brackets", "from app import (\n  db, # first\n\n  web as w,\n)\nimport os\n", ["app", "app:db", "app:web", "os"]],
    ["a backslash", "from app \\\r\n  import db, \\\r\n  web\r\n", ["app", "app:db", "app:web"]],
    [
      "statements on one line",
      "import sys; import app\ntry: import db\nexcept ImportError: pass\n",
      ["sys", "app", "db"],
    ],
    ["inside of a function", "def a():\n\tfrom app import db\n", ["app", "app:db"]],
    ["letters of any language", "import größe\n", ["größe"]],
    ["brackets that never close", "from app import (db,\nfrom web import (\nimport os", ["app", "app:db", "web", "os"]],
    [
      "an import below brackets that never close",
      "def a():\n  from app import (\n  # none\n  import os\n",
      ["app", "os"],
    ],
    ["a mark of the order of bytes", "\ufeffimport app\n", ["app"]],
    ["no import", "importer = 1\nfrom_ = 2\nx = a.import_module\nfrom app\nimport\n", []],
  ])("%s", (_, text, modules) => expect([...pythonModules(text)]).toEqual(modules));

  it.each([
    ["app", "app"],
    ["app:db", "app.db"],
    [".:db", ".db"],
    ["..core:db", "..core.db"],
  ])("says %s as one name", (asked, name) => expect(moduleAsked(asked)).toBe(name));
});
