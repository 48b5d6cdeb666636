import { describe, expect, it } from "vitest";
import { readSarif } from "../../../src/analysis/reports/read-sarif.ts";
import { Observation } from "../../../src/domain/findings.ts";

const ROOT = "/checkout/shop";

type Json = Readonly<Record<string, unknown>>;

function log(run: Json): string {
  return JSON.stringify({
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "Sniff", rules: [{ id: "R1" }] } }, ...run }],
  });
}

function result(more: Json = {}, uri = "src/a.ts", region: unknown = { startLine: 3 }): Json {
  const locations = [{ physicalLocation: { artifactLocation: { uri }, region } }];
  return { ruleId: "R1", message: { text: "Mind this." }, locations, ...more };
}

function read(run: Json, mostObservations?: number) {
  return readSarif(log(run), { root: ROOT, ...(mostObservations === undefined ? {} : { mostObservations }) });
}

function one(more: Json, rule: Json = {}, tool = "Sniff") {
  const driver = { name: tool, rules: [{ id: "R1", ...rule }] };
  const { observations } = read({ tool: { driver }, results: [result(more)] });
  expect(observations).toHaveLength(1);
  return observations[0];
}

describe("a SARIF log", () => {
  it("REV-5: gives observations with place, severity, category and message", () => {
    const region = { startLine: 3, startColumn: 5, endLine: 4, endColumn: 2 };
    const rule = { id: "R1", fullDescription: { text: "It breaks." }, properties: { tags: ["correctness"] } };
    const report = read({
      tool: { driver: { name: "Sniff 2 (beta)", rules: [rule] } },
      results: [result({ level: "error" }, "src/a.ts", region)],
    });
    expect(report).toEqual({
      observations: [
        {
          source: "static",
          rule: "sniff-2-beta/R1",
          severity: "error",
          category: "correctness",
          file: "src/a.ts",
          line: 3,
          column: 5,
          endLine: 4,
          endColumn: 2,
          message: "Mind this.",
          why: "It breaks.",
          confidence: 0.8,
        },
      ],
      dropped: [],
    });
    expect(Observation.array().parse(report.observations)).toEqual(report.observations);
  });

  it.each<[Json, Json, string]>([
    [{ level: "error" }, {}, "error"],
    [{ level: "note" }, {}, "info"],
    [{ level: "none" }, {}, "info"],
    [{}, {}, "warning"],
    [{ level: 7 }, {}, "warning"],
    [{}, { defaultConfiguration: { level: "error" } }, "error"],
    [{ level: "note" }, { defaultConfiguration: { level: "error" } }, "info"],
    [{ kind: "review", level: "error" }, {}, "info"],
    [{ kind: "open" }, {}, "info"],
    [{ kind: "informational", level: "none" }, {}, "info"],
    [{ kind: "fail", level: "error" }, {}, "error"],
    [{ level: "note" }, { properties: { tags: ["security"], "security-severity": "9.1" } }, "critical"],
    [{ level: "note" }, { properties: { tags: ["external/cwe/cwe-79"], "security-severity": 7 } }, "error"],
    [{ level: "error" }, { properties: { tags: ["security"], "security-severity": "none" } }, "error"],
    [{ level: "note" }, { properties: { tags: ["style"], "security-severity": "9.1" } }, "info"],
  ])("FIND-1: %j of a rule %j is %s", (more, rule, severity) => {
    expect(one(more, rule)?.severity).toBe(severity);
  });

  it.each<[Json, Json, number]>([
    [{}, {}, 0.8],
    [{}, { properties: { precision: "low" } }, 0.4],
    [{ rank: 10 }, { properties: { precision: "very-high" } }, 0.95],
    [{ rank: 35 }, {}, 0.35],
    [{ rank: -1 }, {}, 0.8],
    [{ rank: 1e308 }, {}, 0.8],
  ])("FIND-1: %j of a rule %j has confidence %d", (more, rule, confidence) => {
    expect(one(more, rule)?.confidence).toBe(confidence);
  });

  it("FIND-1: what a tool for weaknesses reports is security, and what one for secrets reports is a secret", () => {
    expect(one({}, {}, "Bandit")).toMatchObject({ source: "security", category: "security" });
    expect(one({}, {}, "gitleaks")).toMatchObject({ category: "security", secret: true });
    expect(one({}, {}, "Sniff")).not.toHaveProperty("secret");
  });

  it("REV-5: finds the rule by number, by id, in extensions and without its last part", () => {
    const driver = { name: "Sniff", rules: [{ id: "R1" }, "broken", { id: "R2", shortDescription: { text: "two" } }] };
    const extensions = [{ name: "more", rules: [{ id: "X1", shortDescription: { text: "extension" } }] }];
    const named = (more: Json) => {
      const given = { ...result(), ruleId: undefined, message: {}, ...more };
      const [found] = read({ tool: { driver, extensions }, results: [given] }).observations;
      return [found?.rule, found?.message];
    };
    expect(named({ ruleIndex: 2 })).toEqual(["sniff/R2", "two"]);
    expect(named({ ruleId: "R2" })).toEqual(["sniff/R2", "two"]);
    expect(named({ ruleId: "R2/part" })).toEqual(["sniff/R2/part", "two"]);
    expect(named({ rule: { index: 0, toolComponent: { index: 0 } } })).toEqual(["sniff/X1", "extension"]);
    expect(named({ ruleId: "X1" })).toEqual(["sniff/X1", "extension"]);
    expect(named({ ruleIndex: 99 })).toEqual(["sniff/unnamed", "unnamed without a message"]);
  });

  it("REV-5: fills placeholders and takes links into the report out of the message", () => {
    const rule = { messageStrings: { plain: { text: "{0} flows into {1}, {7}" } } };
    expect(one({ message: { id: "plain", arguments: ["dir", "[exec](2)"] } }, rule)?.message).toBe(
      "dir flows into exec, {7}",
    );
    expect(one({ message: { id: "constructor" } }, { ...rule, shortDescription: { text: "short" } })?.message).toBe(
      "short",
    );
  });

  it("REV-5: resolves bases of URIs and files by their number", () => {
    const { observations } = read({
      originalUriBaseIds: { SRC: { uri: "file:///checkout/shop/src/" }, BROKEN: 7 },
      artifacts: [null, { location: { uri: "b.ts", uriBaseId: "SRC" } }],
      results: [
        result({ locations: [{ physicalLocation: { artifactLocation: { uri: "a.ts", uriBaseId: "SRC" } } }] }),
        result({ locations: [{ physicalLocation: { artifactLocation: { index: 1 } } }] }),
        result({ locations: [{ physicalLocation: { artifactLocation: { uri: "c.ts", uriBaseId: "BROKEN" } } }] }),
      ],
    });
    expect(observations.map(({ file, line }) => [file, line])).toEqual([
      ["src/a.ts", 1],
      ["src/b.ts", 1],
      ["c.ts", 1],
    ]);
  });
});

describe("a SARIF log that cannot be trusted", () => {
  it("REV-5: counts by reason what it drops", () => {
    const report = read({
      results: [
        result({}, "/etc/passwd"),
        result({}, "../outside.ts"),
        result({}, "file:///etc/shadow"),
        result({ suppressions: [{ kind: "inSource" }] }),
        result({ suppressions: [{ kind: "external", status: "accepted" }] }),
        result({ suppressions: [{ kind: "external", status: "underReview" }] }),
        result({ suppressions: [] }),
        result({ kind: "pass" }),
        result({ kind: "notApplicable" }),
        result({}, "file:///checkout/shop/../secret.ts"),
        result({}, "%2e%2e/outside.ts"),
        result({}, "C:\\\\Users\\\\a.ts"),
        result({}, "https://example.com/a.ts"),
        result({ baselineState: "absent" }),
        result({ locations: [] }),
        result({ locations: "here" }),
        result({ locations: [{ physicalLocation: { artifactLocation: { index: 1e9 } } }] }),
        null,
        "result",
        [],
        {},
      ],
    });
    expect(report.observations).toHaveLength(2);
    expect(Object.fromEntries(report.dropped.map(({ reason, count }) => [reason, count]))).toEqual({
      "outside the checkout": 7,
      suppressed: 2,
      "not a finding": 3,
      "no file": 4,
      "not readable": 3,
    });
  });

  it("REV-5: keeps the most severe of 25,000 results and counts the rest", () => {
    const results = Array.from({ length: 25_000 }, (_, at) =>
      result({ level: at === 24_999 ? "error" : "note" }, `f${at}.ts`),
    );
    const report = read({ results });
    expect(report.observations).toHaveLength(2_000);
    expect(report.observations[0]?.file).toBe("f0.ts");
    expect(report.observations.at(-1)).toMatchObject({ file: "f24999.ts", severity: "error" });
    expect(report.dropped).toEqual([{ reason: "above the limit", count: 23_000 }]);
    expect(read({ results: results.slice(0, 3) }, 2).dropped).toEqual([{ reason: "above the limit", count: 1 }]);
  });

  it.each([
    [
      { startLine: 0, endLine: 9 },
      { line: 1, endLine: 1 },
    ],
    [{ startLine: -4 }, { line: 1, endLine: 1 }],
    [{ startLine: 2.5 }, { line: 1, endLine: 1 }],
    [{ startLine: "3" }, { line: 1, endLine: 1 }],
    [{ startLine: 1e300 }, { line: 1, endLine: 1 }],
    [{ charOffset: 12 }, { line: 1, endLine: 1 }],
    ["region", { line: 1, endLine: 1 }],
    [null, { line: 1, endLine: 1 }],
    [
      { startLine: 5, endLine: 3, startColumn: 9, endColumn: 2 },
      { line: 5, endLine: 5, column: 9 },
    ],
    [
      { startLine: 5, endColumn: 2 },
      { line: 5, endLine: 5 },
    ],
  ])("REV-5: the region %j becomes %j", (region, place) => {
    const [found] = read({ results: [result({}, "a.ts", region)] }).observations;
    const { line, column, endLine, endColumn } = found as Observation;
    expect(
      Object.fromEntries(Object.entries({ line, column, endLine, endColumn }).filter(([, n]) => n !== undefined)),
    ).toEqual(place);
  });

  it("REV-5: cuts and cleans messages and names", () => {
    const text = `one\r\ntwo\u0007\u001b[31m${"😀".repeat(2_000_000)}`;
    const found = one({ message: { text }, ruleId: `R\n${"9".repeat(500)}` });
    expect(found?.message.length).toBeLessThanOrEqual(1_000);
    expect(found?.message.length).toBeGreaterThan(990);
    expect(found?.message.isWellFormed()).toBe(true);
    expect(found?.message.startsWith("one\ntwo[31m😀")).toBe(true);
    expect(found?.message.endsWith("😀…")).toBe(true);
    expect(found?.rule).toMatch(/^sniff\/R-9{1,120}…$/);
    const links = one({ message: { text: `${"[".repeat(500_000)}${"{0}".repeat(500_000)}` } });
    expect(links?.message.length).toBeLessThanOrEqual(1_000);
  });

  it.each<[string, string, string]>([
    ["an empty text", "", "its report is empty"],
    ["half an object", "{", "its report is not JSON"],
    ["a tower of brackets", "[".repeat(100_000), "its report is not JSON"],
    ["null", "null", "its report is not a SARIF log"],
    ["a list", "[]", "its report is not a SARIF log"],
    ["no runs", '{"version":"2.1.0"}', "its report is not a SARIF log"],
    ["runs of a wrong type", '{"version":"2.1.0","runs":{}}', "its report is not a SARIF log"],
    ["another version", '{"version":"1.0.0","runs":[]}', "its report is not SARIF of version 2.1.0"],
    ["a run without a tool", '{"version":"2.1.0","runs":[{"results":[]}]}', "a run in its report cannot be read"],
    [
      "a failed run",
      log({ invocations: [{ executionSuccessful: false }], results: [] }),
      "it says that it did not succeed",
    ],
  ])("REV-5: %s is a problem of the tool", (_, text, problem) => {
    expect(readSarif(text, { root: ROOT })).toEqual({ observations: [], dropped: [], problem });
  });

  it("REV-5: bases that lead outside, or stand on each other in a circle, lead nowhere", () => {
    const at = (uriBaseId: string) =>
      result({ locations: [{ physicalLocation: { artifactLocation: { uri: "a.ts", uriBaseId } } }] });
    const report = read({
      originalUriBaseIds: {
        OUT: { uri: "file:///etc/" },
        UP: { uri: "../" },
        ONE: { uri: "x/", uriBaseId: "TWO" },
        TWO: { uri: "y/", uriBaseId: "ONE" },
      },
      results: [at("OUT"), at("UP"), at("ONE")],
    });
    expect(report).toEqual({ observations: [], dropped: [{ reason: "outside the checkout", count: 3 }] });
  });

  it("REV-5: a byte order mark before the log is no part of it", () => {
    expect(readSarif(`\ufeff${log({ results: [result()] })}`, { root: ROOT }).observations).toHaveLength(1);
  });

  it("REV-5: one broken run does not cost the others", () => {
    const text = JSON.stringify({ version: "2.1.0", runs: [7, JSON.parse(log({ results: [result()] })).runs[0]] });
    expect(readSarif(`\ufeff${text}`, { root: ROOT })).toMatchObject({
      observations: [{ file: "src/a.ts" }],
      problem: "a run in its report cannot be read",
    });
  });
});
