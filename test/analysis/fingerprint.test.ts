import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fingerprint, type KnownFinding } from "../../src/analysis/fingerprint.ts";
import type { Observation } from "../../src/domain/findings.ts";
import { sourceFile } from "./change-of.ts";

const KEY = Buffer.from("key");

/** Fingerprints of a finding of `rule` on every line that contains `mark`. */
async function prints(
  path: string,
  text: string,
  options: { mark?: string; rule?: string; key?: Buffer; known?: KnownFinding[] } = {},
): Promise<string[]> {
  const { mark = "==", rule = "biome/x", key = KEY, known } = options;
  const observations = text.split("\n").flatMap((line, index): Observation[] =>
    line.includes(mark)
      ? [
          {
            source: "static",
            rule,
            severity: "error",
            category: "correctness",
            file: path,
            line: index + 1,
            column: line.indexOf(mark) + 1,
            endLine: index + 1,
            endColumn: line.indexOf(mark) + 1 + mark.length,
            message: "m",
            confidence: 1,
          },
        ]
      : [],
  );
  const files = new Map([[path, sourceFile(path, text)]]);
  return (await fingerprint(observations, files, key, known)).map((observation) => observation.fingerprint);
}

const CODE = "before();\nif (a == 1) {\n  after();\n}\n";

describe("fingerprint", () => {
  it("GH-3a: survives shifted lines and new indentation", async () => {
    const original = await prints("a.ts", CODE);
    expect(original[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await prints("a.ts", `new();\nnew();\n${CODE}`)).toEqual(original);
    expect(await prints("a.ts", CODE.replaceAll(/^/gm, "\t"))).toEqual(original);
  });

  it("GH-3a: tells rules, files, code and equal code apart", async () => {
    const all = [
      ...(await prints("a.ts", CODE + CODE)),
      ...(await prints("b.ts", CODE)),
      ...(await prints("a.ts", CODE, { rule: "biome/y" })),
      ...(await prints("a.ts", CODE.replace("1", "2"))),
      ...(await prints("a.ts", CODE.replace("before", "other"))),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it("does not depend on the order in which analysers report", async () => {
    const observations = [2, 6].map(
      (line): Observation => ({
        source: "static",
        rule: "r/x",
        severity: "info",
        category: "style",
        file: "a.ts",
        line,
        endLine: line,
        message: "m",
        confidence: 1,
      }),
    );
    const files = new Map([["a.ts", sourceFile("a.ts", CODE + CODE)]]);
    const forward = await fingerprint(observations, files, KEY);
    const backward = await fingerprint(observations.toReversed(), files, KEY);
    expect(backward.toReversed()).toEqual(forward);
  });

  it("GH-3a: follows a finding through renames, again on the next head", async () => {
    const [first] = await prints("old.ts", CODE);
    const known = [{ fingerprint: first!, file: "old.ts" }];
    expect(await prints("new.ts", CODE, { known })).toEqual([first]);
    expect(await prints("newer.ts", `x();\n${CODE}`, { known })).toEqual([first]);
  });

  it("gives a copy its own identity while the original is still there", async () => {
    const files = new Map(["old.ts", "copy.ts"].map((path) => [path, sourceFile(path, CODE)]));
    const observations = ["old.ts", "copy.ts"].map(
      (file): Observation => ({
        source: "static",
        rule: "biome/x",
        severity: "error",
        category: "correctness",
        file,
        line: 2,
        endLine: 2,
        message: "m",
        confidence: 1,
      }),
    );
    const [original] = await fingerprint(observations.slice(0, 1), files, KEY);
    const [again, copy] = await fingerprint(observations, files, KEY, [
      { fingerprint: original!.fingerprint, file: "old.ts" },
    ]);
    expect(again?.fingerprint).toBe(original?.fingerprint);
    expect(copy?.fingerprint).not.toBe(original?.fingerprint);
  });

  it("SEC-6: knows a secret again wherever it moves in its file, and nobody without the key can try candidates", async () => {
    const secret = { mark: "s3cret-value", rule: "secrets/x" };
    const [first] = await prints("a.ts", "const a = 's3cret-value';\n", secret);
    expect(await prints("a.ts", "f();\nconst other = ['s3cret-value', 1];\n", secret)).toEqual([first]);
    expect(await prints("a.ts", "const a = 's3cret-value';\n", { ...secret, key: Buffer.from("other") })).not.toEqual([
      first,
    ]);
    const unkeyed = createHash("sha256")
      .update("a.ts\0secrets/x\0s3cret-value\0" + "0")
      .digest("hex");
    expect(first).not.toBe(unkeyed);
  });
});
