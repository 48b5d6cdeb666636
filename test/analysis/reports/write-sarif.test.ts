import { describe, expect, it } from "vitest";
import { readSarif } from "../../../src/analysis/reports/read-sarif.ts";
import { writeSarif } from "../../../src/analysis/reports/write-sarif.ts";
import { FACTS } from "../../../src/analysis/rule-facts.ts";
import type { Finding } from "../../../src/domain/findings.ts";
import { codeScanningFaults } from "./code-scanning.ts";
import { isSarif } from "./sarif-schema.ts";

const finding: Finding = {
  id: "F-9M4D",
  fingerprint: "ab".repeat(32),
  source: "security",
  rule: "patterns/program/shell",
  severity: "critical",
  category: "security",
  file: "src/a b#c/é.ts",
  line: 3,
  column: 5,
  endLine: 4,
  endColumn: 2,
  message: "`dir` comes from the request.",
  why: "Whoever sends the request runs commands.",
  flow: [
    { line: 2, text: "request.query.dir" },
    { path: "src/run.ts", line: 3, text: "eval" },
  ],
  confidence: 0.85,
  fix: { file: "src/a b#c/é.ts", startLine: 3, endLine: 4, before: "eval(dir)\n;", after: "run(dir);" },
};
const style: Finding = {
  ...omit(finding, "column", "endColumn", "why", "flow", "fix"),
  id: "F-2222",
  source: "static",
  rule: "biome/format",
  severity: "info",
  category: "style",
  file: '"caf\\351.ts"',
};

const remedy = 'Run the program itself with a list of arguments: `execFile(program, ["--", value])`.';
const docs = "Examples are in docs/patterns.md#programshell of Forge.";

function step(uri: string, startLine: number, text: string) {
  const artifactLocation = { uri, uriBaseId: "%SRCROOT%" };
  return { location: { physicalLocation: { artifactLocation, region: { startLine } }, message: { text } } };
}

function omit<T extends object, K extends keyof T>(from: T, ...keys: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;
}

describe("findings as SARIF", () => {
  it("OPS-1: is valid, whatever a finding has; a log without its tool, with line 0 or a level of its own is not", () => {
    const log = writeSarif([finding, style], { version: "0.1.0", notes: ["Not checked: dependencies."] });
    expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true);
    const [run] = log.runs;
    expect(isSarif({ ...log, runs: [{ ...run, tool: {} }] })).toBe(false);
    expect(isSarif(writeSarif([{ ...finding, line: 0 }], { version: "0.1.0" }))).toBe(false);
    expect(isSarif({ ...log, runs: [{ ...run, results: [{ message: { text: "a" }, level: "critical" }] }] })).toBe(
      false,
    );
  });

  it("CLI-2: leads from a rule of ours to its section of the documentation, and from another's to its own page", () => {
    const biome = { ...style, rule: "biome/suspicious/noDoubleEquals" };
    const pages = "https://github.com/acme/forge/blob/HEAD/";
    const [run] = writeSarif([finding, biome], { version: "0.1.0", pages }).runs;
    expect(run?.tool.driver.rules.map(({ helpUri }) => helpUri)).toEqual([
      "https://biomejs.dev/linter/rules/no-double-equals/",
      `${pages}docs/patterns.md#programshell`,
    ]);
  });

  it("OPS-1: has the members that the schema of SARIF 2.1.0 asks for", () => {
    expect(writeSarif([finding, style], { version: "0.1.0", notes: ["Not checked: dependencies."] })).toEqual({
      $schema: expect.stringMatching(/^https:.*sarif-schema-2\.1\.0\.json$/),
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "Forge",
              version: "0.1.0",
              rules: [
                {
                  id: "biome/format",
                  name: "Format",
                  shortDescription: { text: "Format" },
                  fullDescription: { text: "Format." },
                  help: { text: "Format.", markdown: "Format." },
                  defaultConfiguration: { level: "note" },
                  properties: { tags: ["style"], precision: "high", "problem.severity": "recommendation" },
                },
                {
                  id: "patterns/program/shell",
                  name: "Command injection",
                  shortDescription: { text: "Command injection" },
                  fullDescription: { text: `Command injection (CWE-78). ${remedy}` },
                  help: {
                    text: `Command injection (CWE-78).\n${remedy}\n${docs}`,
                    markdown: `Command injection (CWE-78).\n\n${remedy}\n\n${docs}`,
                  },
                  helpUri: "https://cwe.mitre.org/data/definitions/78.html",
                  defaultConfiguration: { level: "error" },
                  properties: {
                    tags: ["security", "external/cwe/cwe-078"],
                    precision: "high",
                    "security-severity": "9.5",
                  },
                },
              ],
            },
          },
          columnKind: "utf16CodeUnits",
          originalUriBaseIds: { "%SRCROOT%": { description: { text: "The root of the repository." } } },
          invocations: [
            {
              executionSuccessful: true,
              toolExecutionNotifications: [{ level: "warning", message: { text: "Not checked: dependencies." } }],
            },
          ],
          results: [
            {
              ruleId: "patterns/program/shell",
              ruleIndex: 1,
              level: "error",
              message: { text: `\`dir\` comes from the request. Whoever sends the request runs commands. ${remedy}` },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "src/a%20b%23c/%C3%A9.ts", uriBaseId: "%SRCROOT%" },
                    region: { startLine: 3, startColumn: 5, endLine: 4, endColumn: 2 },
                  },
                },
              ],
              partialFingerprints: { "forgeFingerprint/v1": finding.fingerprint },
              rank: 85,
              codeFlows: [
                {
                  threadFlows: [
                    {
                      locations: [
                        step("src/a%20b%23c/%C3%A9.ts", 2, "request.query.dir"),
                        step("src/run.ts", 3, "eval"),
                      ],
                    },
                  ],
                },
              ],
              fixes: [
                {
                  artifactChanges: [
                    {
                      artifactLocation: { uri: "src/a%20b%23c/%C3%A9.ts", uriBaseId: "%SRCROOT%" },
                      replacements: [
                        {
                          deletedRegion: { startLine: 3, startColumn: 1, endLine: 5, endColumn: 1 },
                          insertedContent: { text: "run(dir);\n" },
                        },
                      ],
                    },
                  ],
                },
              ],
              properties: {
                id: "F-9M4D",
                severity: "critical",
                category: "security",
                confidence: 0.85,
                layer: "security",
              },
            },
            expect.objectContaining({
              ruleIndex: 0,
              level: "note",
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "caf%E9.ts", uriBaseId: "%SRCROOT%" },
                    region: { startLine: 3, endLine: 4 },
                  },
                },
              ],
            }),
          ],
        },
      ],
    });
  });

  it("OPS-1: keeps what code scanning documents: lengths, tags, one location and one fingerprint for each result", () => {
    const findings = [...FACTS.keys()].map((rule): Finding => ({ ...finding, rule }));
    const log = writeSarif(findings, { version: "0.1.0" });
    expect(isSarif(log), JSON.stringify(isSarif.errors?.slice(0, 3))).toBe(true);
    expect(codeScanningFaults(log)).toEqual([]);
    expect(JSON.stringify(log.runs[0]?.tool), "no rule speaks of one finding").not.toContain("request.query.dir");
    const foreign = { ...finding, rule: `own/${"x".repeat(2_000)}` };
    expect(codeScanningFaults(writeSarif([foreign], { version: "0.1.0" }))).toEqual([]);
    const [run] = log.runs;
    const wrong = { ...log, runs: [{ ...run!, results: [{ ...run!.results[0]!, locations: [], ruleIndex: 1 }] }] };
    expect(codeScanningFaults(wrong)).toHaveLength(2);
  });

  it("OPS-1: reads back as the same places, severities and categories", () => {
    const text = JSON.stringify(writeSarif([finding, style], { version: "0.1.0" }));
    const { observations, dropped, problem } = readSarif(text, { root: "/checkout" });
    const place = ({
      severity,
      category,
      file,
      line,
      column,
      endLine,
      endColumn,
      confidence,
    }: Omit<Finding, "id" | "fingerprint">) => ({
      severity,
      category,
      file,
      line,
      column,
      endLine,
      endColumn,
      confidence,
    });
    expect(observations.map(place)).toEqual([finding, style].map(place));
    expect([dropped, problem]).toEqual([[], undefined]);
  });

  it("OPS-1: without findings it is a log with no results", () => {
    expect(writeSarif([], { version: "0.1.0" }).runs[0]).toMatchObject({
      results: [],
      tool: { driver: { rules: [] } },
    });
  });
});
