import { describe, expect, it } from "vitest";
import { resolvePython } from "../../../src/analysis/imports/resolve-python.ts";

const FILES = new Set([
  "db.py",
  "app/__init__.py",
  "app/db.py",
  "app/views/__init__.py",
  "app/views/home.py",
  "app/views/tools.py",
  "scripts/run.py",
  "scripts/db.py",
  "services/pay/app/__init__.py",
  "services/pay/app/db.py",
  "services/pay/app/views.py",
  "src/shop/__init__.py",
  "src/shop/cart.py",
  "tests/cart_test.py",
]);

describe("TEST-3: a module of Python is the file that Python would load", () => {
  it.each([
    [
      "a name counts from the folder above the package, not from the package itself",
      "db",
      "app/views/home.py",
      "db.py",
    ],
    [
      "of two packages of one name the one that the importer lies in",
      "app.db",
      "services/pay/app/views.py",
      "services/pay/app/db.py",
    ],
    ["a folder above", "app.db", "scripts/run.py", "app/db.py"],
    ["in the folder of a script that belongs to no package", "db", "scripts/run.py", "scripts/db.py"],
    ["in the folder of a module, when it is nowhere else", "tools", "app/views/home.py", "app/views/tools.py"],
    ["in src", "shop.cart", "tests/cart_test.py", "src/shop/cart.py"],
    ["a package by its __init__.py", "app", "scripts/run.py", "app/__init__.py"],
    ["one dot", ".tools", "app/views/home.py", "app/views/tools.py"],
    ["two dots", "..db", "app/views/home.py", "app/db.py"],
    ["never the importer", "home", "app/views/home.py", undefined],
    ["nothing above the repository", "....db", "app/views/home.py", undefined],
    ["a package of the registry", "requests", "app/views/home.py", undefined],
  ])("%s", (_, module, importer, expected) => {
    expect(resolvePython(module, importer, FILES)).toBe(expected);
  });
});
