/** A call of a test with its title, as globals or as members: `it( "x"`, `test.describe.parallel("x"`, `QUnit.test("x"`. */
const TITLED =
  /(?<![.\w$])(?:(?:QUnit|Deno|tap|t|lab|tdd)\.)?[fx]?(?:describe|context|it|test|suite|specify|scenario)(?:\.\w{1,20}){0,3}\s{0,80}\(\s{0,80}["'`]/;

/** The same with any title, and tables of cases: `describe(Cart,`, `it.each([1])(name`, and those of templates. */
const CALLED = /(?<![.\w$])[fx]?(?:describe|context|it|test|suite|specify)(?:\.\w{1,20}){0,3}[(`<]/;
const CHECKED = /\bexpect\s?\(|\bassert\b|\.should\b/;

/** What brings the calls along, whatever they are called where they are imported. */
const RUNNER =
  /\b(?:from\s?|import\s?\(?|require\()["'](?:vitest|node:test|test|@jest\/globals|mocha|ava|tap|tape|uvu|zora|qunit|jasmine|lab|@hapi\/lab|bun:test|@playwright\/test|@japa\/runner)["']/;

/** Functions, methods and classes that are called like tests, and classes that inherit some. */
const PYTHON =
  /^[ \t]{0,80}(?:async )?def test[_A-Z0-9]|^[ \t]{0,80}class (?:Test\w{0,80}[:(]|\w{1,80}\(.{0,200}Test)/m;

/** Whether a text of code holds tests, whatever its file is called. */
export function holdsSuite(text: string, isPython: boolean): boolean {
  if (isPython) return PYTHON.test(text);
  return TITLED.test(text) || RUNNER.test(text) || (CALLED.test(text) && CHECKED.test(text));
}
