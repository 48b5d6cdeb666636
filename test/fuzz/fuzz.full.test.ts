import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWithTools } from "../needs/programs.ts";
import { fuzzParser, problemWith } from "./fuzz-parser.ts";
import { TARGETS } from "./targets.ts";

/** A short run of what `npm run fuzz` does for minutes, always the same. */
const INPUTS = 250;
const SEED = 12;
const FINDS = new URL("./finds/", import.meta.url);

describeWithTools("parsers of foreign text (SEC-1)", () => {
  it.each(Object.entries(TARGETS))("%s: takes what is valid, and survives what is not", async (_name, target) => {
    for (const sample of target.samples) expect(await problemWith(target, sample)).toBeUndefined();
    const { finds } = await fuzzParser(target, { seed: SEED, goesOn: (inputs) => inputs < INPUTS });
    expect(finds).toEqual([]);
  });

  it("names files that are there, so that what was reached of them can be told", () => {
    const named = Object.values(TARGETS).flatMap(({ files }) => files);
    expect(named.filter((file) => !existsSync(new URL(`../../src/${file}`, import.meta.url)))).toEqual([]);
  });

  const finds = readdirSync(FINDS).filter((name) => name.endsWith(".txt"));
  it.each(finds)("takes what once broke it: %s", async (name) => {
    const target = TARGETS[name.replace(/-[0-9a-f]+\.txt$/, "")]!;
    expect(await problemWith(target, readFileSync(new URL(name, FINDS), "utf8"))).toBeUndefined();
  });
});

it("notices a parser that throws, takes long or leaves something behind", async () => {
  const of = (parse: (text: string) => unknown) => problemWith({ parse, samples: [], files: [] }, "x");
  expect(await of(() => JSON.parse("{"))).toMatch(/^throws SyntaxError/);
  const slow = async (work: () => unknown) => {
    await work();
    return 200;
  };
  expect(await problemWith({ parse: () => 1, samples: [], files: [] }, "x", slow)).toBe(
    "takes 200 ms for 1 characters",
  );
  expect(await of(() => Object.assign(Object.prototype, { polluted: 1 }))).toBe("leaves polluted on every object");
});
