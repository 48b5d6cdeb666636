import { describe, expect, it } from "vitest";
import { readBiome } from "../../../src/analysis/reports/read-biome.ts";
import { readEslint } from "../../../src/analysis/reports/read-eslint.ts";
import { readReport } from "../../../src/analysis/reports/read-report.ts";
import { readTsc } from "../../../src/analysis/reports/read-tsc.ts";
import { Observation } from "../../../src/domain/findings.ts";
import { REPORT_FORMATS } from "../../../src/domain/repo-config.ts";
import fc from "../../properties.ts";

const options = { root: "/checkout/shop" };

describe("ESLint's JSON", () => {
  const message = {
    ruleId: "no-eval",
    severity: 2,
    message: "eval can be harmful.",
    line: 3,
    column: 5,
    endLine: 3,
    endColumn: 9,
  };

  it("REV-5: gives observations, counts suppressed and foreign ones", () => {
    const text = JSON.stringify([
      {
        filePath: "/checkout/shop/src/a.js",
        messages: [
          message,
          { ruleId: null, fatal: true, severity: 2, message: "Parsing error: Unexpected token", line: 9, column: 1 },
          { ruleId: "@typescript-eslint/no-unused-vars", severity: 1, message: "'a' is unused.", line: 1, column: 7 },
          { ruleId: null, severity: 1, message: "Unused eslint-disable directive.", line: 4, column: 1 },
          { ruleId: null, fatal: false, severity: 1, message: "File ignored because of a matching ignore pattern." },
          { ruleId: "x" },
        ],
        suppressedMessages: [message, message],
      },
      { filePath: "/etc/passwd", messages: [message, message, null] },
      { filePath: 7 },
    ]);
    const report = readEslint(text, options);
    expect(report.observations.map((o) => [o.rule, o.severity, o.category, o.line, o.confidence])).toEqual([
      ["eslint/no-eval", "error", "security", 3, 0.8],
      ["eslint/parse-error", "error", "correctness", 9, 0.95],
      ["eslint/@typescript-eslint/no-unused-vars", "warning", "maintainability", 1, 0.8],
      ["eslint/directive", "warning", "best_practice", 4, 0.8],
    ]);
    expect(report.observations[0]).toMatchObject({ file: "src/a.js", source: "security", column: 5, endColumn: 9 });
    expect(report.dropped).toEqual([
      { reason: "suppressed", count: 2 },
      { reason: "not a finding", count: 1 },
      { reason: "not readable", count: 2 },
      { reason: "outside the checkout", count: 3 },
    ]);
    expect(Observation.array().parse(report.observations)).toEqual(report.observations);
  });

  it("REV-5: is read with metadata, too, and refused otherwise", () => {
    const file = { filePath: "src/a.js", messages: [message] };
    expect(readEslint(JSON.stringify({ results: [file], metadata: {} }), options).observations).toHaveLength(1);
    expect(readEslint('{"results":7}', options).problem).toBe("its report is not ESLint's JSON");
    expect(readEslint("Oops! Something went wrong! :(", options).problem).toBe("its report is not JSON");
  });
});

describe("Biome's JSON", () => {
  const location = { path: "src/a b.js", start: { line: 2, column: 14 }, end: { line: 2, column: 16 } };
  const diagnostic = {
    severity: "error",
    message: "Using == may be unsafe.",
    category: "lint/suspicious/noDoubleEquals",
    location,
  };

  it("REV-5: gives observations as version 2 prints them", () => {
    const whole = { path: "src/b.js", start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };
    const text = JSON.stringify({
      summary: { errors: 3, diagnosticsNotPrinted: 0 },
      diagnostics: [
        diagnostic,
        { ...diagnostic, severity: "warning", category: "lint/security/noGlobalEval" },
        { ...diagnostic, category: "format", message: "Formatter would have printed something else", location: whole },
        { ...diagnostic, severity: "information", category: null, location: { path: { file: "src/c.js" } } },
        { ...diagnostic, location: { path: null } },
        { ...diagnostic, location: { path: "../a.js" } },
        "diagnostic",
      ],
      command: "check",
    });
    const report = readBiome(text, options);
    expect(report.observations.map((o) => [o.rule, o.severity, o.category, o.file, o.line])).toEqual([
      ["biome/suspicious/noDoubleEquals", "error", "correctness", "src/a b.js", 2],
      ["biome/security/noGlobalEval", "warning", "security", "src/a b.js", 2],
      ["biome/format", "error", "style", "src/b.js", 1],
      ["biome/diagnostic", "info", "correctness", "src/c.js", 1],
    ]);
    expect(report.dropped.map(({ reason, count }) => [reason, count])).toEqual([
      ["no file", 1],
      ["outside the checkout", 1],
      ["not readable", 1],
    ]);
    expect(report.problem).toBeUndefined();
  });

  it("REV-5: gives the lines of 2.0 to 2.3, which print bytes of the text", () => {
    const sourceCode = "const a = 1;\n/* é */ let never = 1;\n";
    const span = [Buffer.byteLength(sourceCode.slice(0, 21)), Buffer.byteLength(sourceCode.slice(0, 24))];
    const place = { path: { file: "src/c.js" }, span, sourceCode };
    const older = { ...diagnostic, message: [{ content: "Use" }], description: "Use const.", location: place };
    expect(readBiome(JSON.stringify({ diagnostics: [older] }), options).observations).toMatchObject([
      { line: 2, column: 9, endLine: 2, endColumn: 12, message: "Use const." },
    ]);
  });

  it("REV-5: says when Biome left diagnostics out, or printed something else", () => {
    const text = JSON.stringify({ summary: { diagnosticsNotPrinted: 40 }, diagnostics: [diagnostic] });
    expect(readBiome(text, options)).toMatchObject({
      observations: [{ line: 2 }],
      problem: "it left out 40 of its diagnostics (see its option --max-diagnostics)",
    });
    expect(readBiome("{}", options).problem).toBe("its report is not Biome's JSON");
  });
});

describe("the output of tsc", () => {
  it("REV-5: gives observations with what is explained below them, with CRLF as without", () => {
    const lines = [
      "src/a(1,2).ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      "  The types of 'a.b' are incompatible.",
      "    Type 'string' is not assignable to type 'number'.",
      "/checkout/shop/src/b.ts(1,1): error TS6133: 'a' is declared but its value is never read.",
      "../other/c.ts(1,1): error TS2322: Elsewhere.",
      "  Also elsewhere.",
      "",
    ];
    const report = readTsc(lines.join("\n"), options);
    expect(report).toEqual({
      observations: [
        {
          source: "static",
          rule: "tsc/TS2322",
          severity: "error",
          category: "correctness",
          file: "src/a(1,2).ts",
          line: 12,
          column: 5,
          endLine: 12,
          message:
            "Type 'string' is not assignable to type 'number'.\n  The types of 'a.b' are incompatible.\n    Type 'string' is not assignable to type 'number'.",
          confidence: 0.9,
        },
        expect.objectContaining({ rule: "tsc/TS6133", category: "maintainability", file: "src/b.ts", line: 1 }),
      ],
      dropped: [{ reason: "outside the checkout", count: 1 }],
    });
    expect(readTsc(lines.join("\r\n"), options)).toEqual(report);
  });

  it("REV-5: is read with colours", () => {
    const colour = (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`;
    const head = `${colour(96, "src/t.ts")}:${colour(93, "1")}:${colour(93, "7")} - ${colour(91, "error")}${colour(90, " TS2322: ")}No.`;
    const text = [
      head,
      "",
      `${colour(7, "1")} const a: number = "x";`,
      "",
      "  src/u.ts:3:1",
      "",
      "Found 1 error in src/t.ts:1",
    ];
    expect(readTsc(text.join("\n"), options)).toMatchObject({
      observations: [{ file: "src/t.ts", line: 1, column: 7, message: "No." }],
      dropped: [],
    });
  });

  it("REV-5: what stands at no place is a problem of the tool", () => {
    expect(readTsc("error TS5023: Unknown compiler option '--foo'.\n", options)).toEqual({
      observations: [],
      dropped: [{ reason: "no file", count: 1 }],
      problem: "it did not check everything (TS5023: Unknown compiler option '--foo'.)",
    });
    expect(readTsc("sh: tsc: not found\n", options).problem).toBe("its output is not that of tsc");
    expect(readTsc("", options)).toEqual({ observations: [], dropped: [] });
    expect(readTsc("Found 0 errors.\n", options)).toEqual({ observations: [], dropped: [] });
  });

  it("REV-5: long explanations are cut", () => {
    const more = `src/a.ts(1,1): error TS1: Long.\n${"  more\n".repeat(300_000)}`;
    const [found] = readTsc(more, options).observations;
    expect(found?.message.split("\n")).toHaveLength(21);
  });
});

describe("any reader", () => {
  it("REV-5: never throws, and gives only observations that are well formed and inside the checkout", () => {
    const json = fc.oneof(
      fc.json(),
      fc.json().map((inner) => `{"version":"2.1.0","runs":[${inner}],"diagnostics":[${inner}],"results":[${inner}]}`),
      fc
        .json()
        .map(
          (inner) =>
            `{"version":"2.1.0","runs":[{"tool":{"driver":{}},"results":[${inner},{"message":${inner},"locations":[{"physicalLocation":{"artifactLocation":{"uri":${inner}},"region":${inner}}}]}]}]}`,
        ),
      fc.json().map((inner) => `[{"filePath":"a","messages":[${inner},{"message":"x","line":${inner}}]}]`),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(json, (text) => {
        for (const format of REPORT_FORMATS) {
          const { observations } = readReport(format, text, options);
          expect(Observation.array().safeParse(observations).success).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
