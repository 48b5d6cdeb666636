import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allPatterns } from "../scripts/recheck/all-patterns.ts";
import { readExceptions } from "../scripts/recheck/exceptions.ts";
import { longestMatch } from "../scripts/recheck/longest-match.ts";
import { attackText, readMeasured } from "../scripts/recheck/measured.ts";
import { readVerdicts } from "../scripts/recheck/verdict-file.ts";

const { constant, dynamic } = allPatterns();
const verdicts = readVerdicts();
const { bounds, patterns: bounded, dynamic: declared } = readExceptions();
const { patterns: measured } = readMeasured();

describe("regular expressions take linear time on text from outside (SEC-8)", () => {
  it("finds the patterns of a file in every form", () => {
    expect(constant.size).toBeGreaterThan(1_500);
    expect(constant.get("/^[\\p{Zs}\\p{Cf}]{0,3}[/\\uff0f]forge(?:[\\t\\p{Zs}](.*))?$/su")?.places).toEqual([
      expect.stringMatching(/^src\/pipeline\/commands\/command-lines\.ts:\d+$/),
    ]);
  });

  it("knows the verdict of every pattern, and of no other (npm run recheck)", () => {
    expect(placesOf([...constant.keys()].filter((key) => !verdicts.has(key)))).toEqual([]);
    expect([...verdicts.keys()].filter((key) => !constant.has(key))).toEqual([]);
  });

  it("has a bound for every pattern that recheck does not call linear, and for no other", () => {
    const slow = [...verdicts].filter(([, { verdict }]) => verdict !== "safe").map(([key]) => key);
    expect(placesOf(slow.filter((key) => !Object.hasOwn(bounded, key)))).toEqual([]);
    expect(Object.keys(bounded).filter((key) => !slow.includes(key))).toEqual([]);
  });

  it("bounds a number of characters, never the time alone", () => {
    expect(Object.entries(bounds).filter(([, { characters }]) => !(characters > 0))).toEqual([]);
  });

  it("measures only patterns that have a bound as well, each on a text that can be as long as needed", () => {
    expect(Object.keys(measured).filter((key) => !Object.hasOwn(bounded, key))).toEqual([]);
    expect(Object.values(measured).filter((attack) => attackText(attack, 1_000).length < 1_000)).toEqual([]);
  });

  it("names what enforces each bound", () => {
    for (const [name, { file, symbol, characters }] of Object.entries(bounds)) {
      if (file === undefined) continue;
      const code = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
      expect(new RegExp(`\\b${symbol}\\b`).test(code), `${name}: ${symbol} in ${file}`).toBe(true);
      const [, value = characters] = new RegExp(`const ${symbol} = ([\\d_]+);`).exec(code) ?? [];
      expect(Number(`${value}`.replaceAll("_", "")), `${symbol} in ${file}`).toBeLessThanOrEqual(characters);
    }
    expect(Object.values(bounded).filter((name) => !Object.hasOwn(bounds, name))).toEqual([]);
    expect(Object.keys(bounds).filter((name) => !Object.values(bounded).includes(name))).toEqual([]);
  });

  // What cuts a text is run with a longer one in test/growth/bounds.test.ts.
  it("works out the bound of a pattern that says it has one itself", () => {
    const own = Object.entries(bounded).filter(([, name]) => bounds[name]?.file === undefined);
    expect(own.length).toBeGreaterThan(100);
    const most = ([key, name]: readonly [string, string]) => [
      longestMatch(constant.get(key)!.source),
      bounds[name]!.characters,
    ];
    expect(own.filter((each) => most(each)[0]! > most(each)[1]!)).toEqual([]);
  });

  it.each<[string, number]>([
    ["^a(?:b|cd{2,5})?$", 7],
    ["[^\\]]{1,3}(?<=x)\\b", 4],
    ["(?:a{1,3}){2}", 6],
    ["a*", Number.POSITIVE_INFINITY],
    ["a{2,}", Number.POSITIVE_INFINITY],
    ["(a)\\1", Number.POSITIVE_INFINITY],
    ["\\p{L}\\u{1F600}\\x41\\.", 4],
    ["[[a-z]--[b]]x", 2],
  ])("works out how much %j looks at in one place", (source, most) => expect(longestMatch(source)).toBe(most));

  it("gives a reason for every pattern that only exists while Forge runs", () => {
    const isDeclared = (one: { file: string; argument: string }) =>
      declared.some(({ file, argument }) => file === one.file && one.argument.startsWith(argument));
    expect(dynamic.filter((one) => !isDeclared(one))).toEqual([]);
    const isUsed = (one: { file: string; argument: string }) =>
      dynamic.some(({ file, argument }) => file === one.file && argument.startsWith(one.argument));
    expect(declared.filter((one) => !isUsed(one))).toEqual([]);
  });
});

function placesOf(keys: readonly string[]): string[] {
  return keys.map((key) => `${constant.get(key)?.places.join(", ")}: ${key}`);
}
