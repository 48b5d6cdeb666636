import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { modulesIn, scriptImports } from "../../../src/analysis/imports/script-modules.ts";

it.each([
  ["a statement", 'import a from "./a";', "./a", false],
  ["a statement whose text is escaped", 'import a from "./\\u0061";', "./a", false],
  ["a file that is passed on", 'export * as a from "./a";', "./a", true],
  ["require", "const a = require ( './a' );", "./a", false],
  ["require of a template", "const a = require(`./a`);", "./a", false],
  ["require of TypeScript", 'import a = require("./a");', "./a", false],
  ["import()", "const ö = 1; const a = await import(`./a`);", "./a", false],
  ["import() with a comment", 'const a = import(/* webpackChunkName: "b" */ "./a");', "./a", false],
])("TEST-3: what a script asks for is found: %s", (_, text, specifier, passesOn) => {
  expect(scriptImports(parseSync("file.ts", text), text)).toEqual([{ specifier, passesOn }]);
});

it.each([
  ["a name that only a run knows", ["import(`./$", "{name}`); require(`./$", "{name}`); import(name);"].join("")],
  ["a text that looks like one", "const text = \"import a from './a'\";"],
])("TEST-3: a script asks for nothing by %s", (_, text) => {
  expect(scriptImports(parseSync("file.ts", text), text)).toEqual([]);
});

it("REV-6: without a parser, what looks like an import is one", () => {
  const text = 'import "./a"; export * from \'./b\'; require("./c"); import( "./d" ); import x = require("./e");';
  expect([...modulesIn(text)]).toEqual(["./a", "./b", "./c", "./d", "./e"]);
});
