import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readExceptions } from "../../scripts/recheck/exceptions.ts";
import { BOUND_DRIVERS } from "./bound-drivers.ts";
import { longestMatched, plainKey } from "./longest-matched.ts";

const { bounds, patterns } = readExceptions();
const lengths = Object.entries(bounds).filter(([, { file }]) => file !== undefined);

it.each(lengths)("SEC-8: no pattern is matched on more than its bound says: %s", async (name, { characters }) => {
  const longest = await longestMatched(BOUND_DRIVERS[name] ?? (() => undefined));
  const own = Object.keys(patterns).filter((key) => patterns[key] === name);
  const seen = own.map((key) => {
    const end = key.lastIndexOf("/");
    return { key, most: longest.get(plainKey(key.slice(1, end), key.slice(end + 1))) ?? 0 };
  });
  // Where nothing was matched, nothing was shown.
  expect(seen.filter(({ most }) => most === 0 || most > characters)).toEqual([]);
});

it("SEC-8: a row's patterns are matched by what bounds the text, and by nothing else", () => {
  const folder = new URL("../../src/analysis/patterns/", import.meta.url);
  const own = /\b(?:text|file|statement|callee|within|reads|each|texts|compares|composes)\??\.(?:test|exec)\(/;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(files.filter((file) => own.test(readFileSync(new URL(file, folder), "utf8")))).toEqual([]);
});

it("gives every bound that is a length a text that is longer", () => {
  expect(Object.keys(BOUND_DRIVERS).toSorted()).toEqual(lengths.map(([name]) => name).toSorted());
});
