import { describe, expect, it } from "vitest";
import { patterns } from "../../src/analysis/analysers/patterns.ts";
import { readerContext, sourceFile } from "./change-of.ts";

const HIT =
  'const { exec } = require("node:child_process");\napp.get("/", (req) => {\n  exec("ls " + req.query.a);\n});\n';

async function analysed(path: string, text: string) {
  const context = readerContext();
  const { observations, problems } = await patterns.analyse([sourceFile(path, text)], context);
  return { rules: observations.map(({ rule }) => rule), problems };
}

describe("bad input of the patterns", () => {
  it("REV-6: a file of just under 4 MB is read, a larger one named", async () => {
    const line = (at: number) => `export const value${at} = compute(first, second, { third: [1, 2, 3] });\n`;
    const large = Array.from({ length: 55_000 }, (_, at) => line(at))
      .join("")
      .slice(0, 4 * 1024 * 1024 - 300);
    const { rules, problems } = await analysed("src/large.js", `${HIT}${large}\n`);
    expect(rules).toEqual(["patterns/program/shell"]);
    expect(problems).toEqual([]);
    const more = await analysed("src/larger.js", `${large}${large}`);
    expect(more.problems.map(({ reason }) => reason)).toEqual(["not searched for insecure code: larger than 4 MB"]);
  });
});
