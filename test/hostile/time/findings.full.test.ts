import { describe, expect, it } from "vitest";
import { addedLinesOnly } from "../../../src/analysis/filter-observations.ts";
import { fingerprint } from "../../../src/analysis/fingerprint.ts";
import { proposeFix } from "../../../src/analysis/propose-fix.ts";
import { searchedOnly } from "../../../src/analysis/searched-only.ts";
import { findSecretsInCommits } from "../../../src/analysis/secrets/secrets-in-commits.ts";
import { synthesise, withoutExcess } from "../../../src/analysis/synthesise.ts";
import type { Observation } from "../../../src/domain/findings.ts";
import { scratchFolder, sourceFile } from "../../analysis/change-of.ts";
import { turnsDuring } from "../../turns.ts";

function observation(extra: Partial<Observation> = {}): Observation {
  const place = { file: "a.ts", line: 1, endLine: 1 };
  const kind = { source: "static", rule: "biome/a", severity: "warning", category: "correctness" } as const;
  return { ...place, ...kind, message: "m", confidence: 0.8, ...extra };
}
const many = (count: number, extra: (at: number) => Partial<Observation>) =>
  Array.from({ length: count }, (_, at) => observation(extra(at)));

const HALF_A_MEGABYTE = "a();\n".repeat(100_000);

describe("texts that read slowly (SEC-1)", () => {
  it("4 of a megabyte each: others have their turn between them", async () => {
    const files = Array.from({ length: 4 }, (_, at) => sourceFile(`${at}.txt`, "curl ".repeat(190_000)));
    const { result, turns } = await turnsDuring(() => searchedOnly(files, [], [], []));
    expect(result).toHaveLength(4);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});

describe("more findings than anybody reads (REV-3, SEC-1)", () => {
  it("on 10,000 added lines all are kept", () => {
    const file = sourceFile("a.ts", HALF_A_MEGABYTE);
    const all = many(10_000, (at) => ({ line: at + 1, endLine: at + 1 }));
    expect(addedLinesOnly(all, new Map([["a.ts", file]]))).toHaveLength(10_000);
  });

  it("60,000 of them: the most severe are kept of each rule in a file, and the order does not matter", () => {
    const noise = many(60_000, (at) => ({ file: `${at % 3_000}.ts`, rule: `biome/${at % 7}` }));
    const worse = observation({ file: "last.ts", severity: "critical" });
    const result = withoutExcess([...noise, worse]);
    expect(result).toHaveLength(20_000);
    expect(result[0]).toBe(worse);
    const flood = withoutExcess([...many(5_000, () => ({})), observation({ file: "b.ts" })]);
    expect(flood).toHaveLength(501);
  });

  it("of 5,000 on one line the limit is kept", () => {
    const all = many(5_000, (at) => ({ rule: `r${at % 300}/x`, column: at * 5 + 1, endColumn: at * 5 + 3 }));
    expect(synthesise(all).kept).toHaveLength(1_000);
  });

  it("20,000 with an identity each, beside 500 that were renamed: others have their turn", async () => {
    const file = sourceFile("a.ts", HALF_A_MEGABYTE);
    const all = many(20_000, (at) => ({ line: at + 1, endLine: at + 1 }));
    const known = Array.from({ length: 500 }, (_, at) => ({ fingerprint: `${at}`, file: `old/${at}.ts` }));
    const files = new Map([["a.ts", file]]);
    const { result, turns } = await turnsDuring(() => fingerprint(all, files, Buffer.from("key"), known));
    expect(new Set(result.map((each) => each.fingerprint)).size).toBe(20_000);
    expect(turns).toBeGreaterThan(10);
  });

  it("a line of half a megabyte is never quoted, however many fixes it has", () => {
    const file = sourceFile("a.ts", `${"a();".repeat(100_000)}\n`);
    const place = (column: number) => ({ line: 1, column });
    expect(proposeFix(file, { start: place(1), end: place(2), text: "b" })).toBeUndefined();
    const short = sourceFile("a.ts", "a();\n");
    expect(proposeFix(short, { start: place(1), end: place(2), text: "b" })?.after).toBe("b();");
  });

  it("5,000 secrets of a commit are compared with 20 MB of the head in turns", async () => {
    const secret = (at: number) =>
      ["ghp", `_${at.toString(36).padStart(36, "x7Qk2mB9zT4wR1vL8nY5cD3fG6hJ0pS")}`].join("");
    const text = Array.from({ length: 5_000 }, (_, at) => `t = "${secret(at)}"\n`).join("");
    const head = sourceFile("a.ts", `${"// nothing\n".repeat(80_000)}${text}`);
    const context = { scratch: scratchFolder(), signal: new AbortController().signal };
    const commits = [{ sha: "c".repeat(40), files: [{ path: "a.ts", text, lines: [1] }] }];
    const { result, turns } = await turnsDuring(() => findSecretsInCommits({ commits }, [head], context));
    expect(result.past).toEqual([]);
    expect(turns).toBeGreaterThan(10);
  });
});
