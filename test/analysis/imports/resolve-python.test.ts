import { describe, expect, it } from "vitest";
import { PythonFiles } from "../../../src/analysis/imports/python-files.ts";
import { resolvePython } from "../../../src/analysis/imports/resolve-python.ts";

const FILES = [
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
  ...["both.py", "both/__init__.py", "parts/one.py", "app/plain/one.py", "app/_fast.pyx", "app/logging.py"],
  ...["packages/pay/python/paid/__init__.py", "packages/pay/python/paid/till.py"],
  ...["tests/django/test_views.py", "email/__init__.py"],
];

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
    ["a package before a module of its name", "both", "run.py", "both/__init__.py"],
    ["a name of a module that is one itself", "app:db", "scripts/run.py", "app/db.py"],
    ["a name of a module that is none", "app:VERSION", "scripts/run.py", undefined],
    ["a module of the same folder by its name", ".:tools", "app/views/home.py", "app/views/tools.py"],
    ["a folder that is no package", "parts:one", "run.py", "parts/one.py"],
    ["a folder that only settings name", "paid.till", "tests/cart_test.py", "packages/pay/python/paid/till.py"],
    ["what is built from another language", "app._fast", "app/db.py", "app/_fast.pyx"],
    ["one that Python brings along, not a file of its name", "logging", "run.py", undefined],
  ])("%s", async (_, module, importer, expected) => {
    const { files, isLost } = resolvePython(module, importer, await PythonFiles.read(FILES));
    expect([files[0], isLost]).toEqual([expected, false]);
  });

  it.each([
    ["a module that its package does not have", "app.none", "scripts/run.py"],
    ["the same from the other end of the repository", "paid.none", "tests/cart_test.py"],
    ["one dot", ".none", "app/views/home.py"],
    ["a name of a folder that has no file of its own", ".:none", "scripts/run.py"],
    ["a name of a folder within a package", "app.plain:none", "scripts/run.py"],
  ])("is lost where only the repository can have it: %s", async (_, module, importer) => {
    const meaning = resolvePython(module, importer, await PythonFiles.read(FILES));
    expect(meaning).toEqual({ files: [], isGuess: false, isLost: true });
  });

  it.each([
    ["a package of others that a folder of the repository is called after", "django.conf", "run.py"],
    ["a folder that others may fill as well", "parts.none", "run.py"],
    ["the version that a build writes", "._version", "app/db.py"],
    ["nothing above the repository", "....db", "app/views/home.py"],
    ["a module of Python itself", "email.none", "run.py"],
  ])("is not lost: %s", async (_, module, importer) => {
    const meaning = resolvePython(module, importer, await PythonFiles.read(FILES));
    expect(meaning).toEqual({ files: [], isGuess: false, isLost: false });
  });

  it("gives every file that may be meant where only their names say so", async () => {
    const files = await PythonFiles.read([...FILES, "tools/paid/till.py"]);
    expect(resolvePython("paid.till", "tests/cart_test.py", files)).toEqual({
      files: ["packages/pay/python/paid/till.py", "tools/paid/till.py"],
      ...{ isGuess: true, isLost: false },
    });
    // `tools` without `app.views` before it is more likely a package of others.
    expect(resolvePython("tools", "run.py", files)).toMatchObject({ files: ["app/views/tools.py"], isGuess: true });
  });
});
