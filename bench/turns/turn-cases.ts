import { dependencies } from "../../src/analysis/analysers/dependencies.ts";
import { readReportInChild } from "../../src/analysis/configured-analyser.ts";
import { addedLinesOnly } from "../../src/analysis/filter-observations.ts";
import { fingerprint } from "../../src/analysis/fingerprint.ts";
import { presentChange } from "../../src/analysis/present-change.ts";
import { searchedOnly } from "../../src/analysis/searched-only.ts";
import { findSecretsInCommits } from "../../src/analysis/secrets/secrets-in-commits.ts";
import { synthesise, withoutExcess } from "../../src/analysis/synthesise.ts";
import type { Observation } from "../../src/domain/findings.ts";
import type { ReportFormat } from "../../src/domain/repo-config.ts";
import { membersOf } from "../../src/github/handlers/members-of.ts";
import { createJsonCheck } from "../../src/github/intake/json-object.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { redactStringsInTurns } from "../../src/safety/redact-value.ts";
import { planPackages } from "../../src/workspace/install/plan-packages.ts";
import { scratchFolder, sourceFile } from "../../test/analysis/change-of.ts";
import { READERS } from "../../test/hostile/time/readers.ts";

/** Work that must give others their turn: the longest time for which it holds the event loop has a limit. */
export interface TurnCase {
  readonly name: string;
  readonly limitMs: number;
  /**
   * Makes the input, which is not measured.
   * @param share of the full size, from 0 to 1
   */
  readonly prepare: (share: number) => () => unknown;
}

const context = () => ({ scratch: scratchFolder(), signal: new AbortController().signal });
const repeat = (text: string, times: number) => text.repeat(Math.max(1, Math.round(times)));
const listOf = <T>(length: number, make: (at: number) => T) =>
  Array.from({ length: Math.max(1, Math.round(length)) }, (_, at) => make(at));

function observation(extra: Partial<Observation>): Observation {
  const place = { file: "a.ts", line: 1, endLine: 1 };
  const kind = { source: "static", rule: "biome/a", severity: "warning", category: "correctness" } as const;
  return { ...place, ...kind, message: "m", confidence: 0.8, ...extra };
}

function secret(at: number): string {
  return ["ghp", `_${at.toString(36).padStart(36, "x7Qk2mB9zT4wR1vL8nY5cD3fG6hJ0pS")}`].join("");
}

function report(name: string, format: ReportFormat, text: (share: number) => string): TurnCase {
  return {
    name: `report of ${name}`,
    limitMs: 200,
    prepare: (share) => {
      const bytes = Buffer.from(text(share));
      return () => readReportInChild({ format, bytes, root: "/box", paths: ["b.ts"] }, context());
    },
  };
}

function lockFiles(path: string, text: (version: string, packages: number) => string): TurnCase {
  return {
    name: `60,000 packages of ${path} compared`,
    limitMs: 50,
    prepare: (share) => {
      const count = 60_000 * share;
      // Without a diff of the two, which takes its own time.
      const file = { ...sourceFile(path, "\n"), text: text("1.0.1", count), oldText: text("1.0.0", count) };
      return () => dependencies.analyse([file], context());
    },
  };
}

const lines = (count: number, line: (at: number) => string) => listOf(count, line).join("");

export const TURNS: readonly TurnCase[] = [
  {
    name: "four texts of a megabyte searched",
    limitMs: 250,
    prepare: (share) => {
      const files = listOf(4, (at) => sourceFile(`${at}.txt`, repeat("curl ", 190_000 * share)));
      return () => searchedOnly(files, [], [], []);
    },
  },
  {
    name: "100,000 findings on added lines",
    limitMs: 200,
    prepare: (share) => {
      const file = sourceFile("a.ts", repeat("a();\n", 100_000 * share));
      const all = listOf(100_000 * share, (at) => observation({ line: at + 1, endLine: at + 1 }));
      return () => addedLinesOnly(all, new Map([["a.ts", file]]));
    },
  },
  {
    name: "600,000 findings, the most severe kept",
    limitMs: 500,
    prepare: (share) => {
      const all = listOf(600_000 * share, (at) => observation({ file: `${at % 3_000}.ts`, rule: `biome/${at % 7}` }));
      return () => withoutExcess(all);
    },
  },
  {
    name: "20,000 findings on one line",
    limitMs: 400,
    prepare: (share) => {
      const all = listOf(20_000 * share, (at) =>
        observation({ rule: `r${at % 300}/x`, column: at * 5 + 1, endColumn: at * 5 + 3 }),
      );
      return () => synthesise(all);
    },
  },
  {
    name: "20,000 findings with their identities",
    limitMs: 150,
    prepare: (share) => {
      const files = new Map([["a.ts", sourceFile("a.ts", repeat("a();\n", 100_000 * share))]]);
      const all = listOf(20_000 * share, (at) => observation({ line: at + 1, endLine: at + 1 }));
      const known = listOf(500, (at) => ({ fingerprint: `${at}`, file: `old/${at}.ts` }));
      return () => fingerprint(all, files, Buffer.from("key"), known);
    },
  },
  {
    name: "5,000 secrets of a commit looked for in 20 MB",
    limitMs: 200,
    prepare: (share) => {
      const text = lines(5_000 * share, (at) => `t = "${secret(at)}"\n`);
      const head = sourceFile("a.ts", `${repeat("// nothing\n", 80_000 * share)}${text}`);
      const commits = [{ sha: "c".repeat(40), files: [{ path: "a.ts", text, lines: [1] }] }];
      return () => findSecretsInCommits({ commits }, [head], context());
    },
  },
  {
    name: "three megabytes of a model's texts redacted",
    limitMs: 100,
    prepare: (share) => {
      const redact = createRedactor(["a known secret value"]);
      const results = listOf(60, (at) => `${repeat("// a line of code\n", 3_000 * share)}${secret(at)}`);
      return () => redactStringsInTurns({ results }, redact);
    },
  },
  {
    name: "500 bodies of nothing but keys at once",
    limitMs: 200,
    prepare: (share) => {
      const keys = listOf(7_000 * share, (at) => `"${at.toString(36)}":1`).join(",");
      const bodies = listOf(500, (at) => Buffer.from(`{"${at}":0,${keys}}`));
      const check = createJsonCheck();
      return () => Promise.all(bodies.map((body) => check(body)));
    },
  },
  ...[
    ["a million keys", (share: number) => `{"a":1,"x":{${listOf(1_000_000 * share, (at) => `"k${at}":0`).join(",")}}}`],
    ["8 million objects", (share: number) => `{"x":[${repeat("{},", 8_000_000 * share)}{}],"a":1}`],
    ["24 MB of words", (share: number) => `{"x":"${repeat("word ", 4_800_000 * share)}","a":1}`],
  ].map(([name, text]) => ({
    name: `members of ${name}`,
    limitMs: 150,
    prepare: (share: number) => {
      const body = Buffer.from((text as (share: number) => string)(share));
      const wanted = new Set(["a", "id", "body", "repositories"]);
      return () => membersOf(body, wanted);
    },
  })),
  {
    name: "80,000 changed lines shown",
    limitMs: 250,
    prepare: (share) => {
      const [before, after] = ["old", "new"].map((word) => lines(80_000 * share, (at) => `${word} ${at}\n`));
      return () => presentChange({ path: "a.ts", before: before!, after: after! });
    },
  },
  {
    name: "a megabyte of the shortest lines shown",
    limitMs: 250,
    prepare: (share) => {
      const after = lines(500_000 * share, (at) => (at % 1_100 === 0 ? "b\n" : "a\n"));
      return () => presentChange({ path: "a.ts", before: repeat("a\n", 500_000 * share), after });
    },
  },
  {
    name: "a small change of the shortest lines shown",
    limitMs: 250,
    prepare: (share) => {
      const change = { path: "a.ts", before: repeat("\n", 32_000 * share), after: repeat("a\n", 16_000 * share) };
      return () => presentChange(change);
    },
  },
  report("3 MB of empty objects", "sarif", (share) => `{"version":"2.1.0","runs":[${repeat("{},", 1e6 * share)}{}]}`),
  report("20 MB of brackets", "eslint", (share) => repeat("[", 20_000_000 * share)),
  report("20 MB of elements", "checkstyle", (share) => `<checkstyle>${repeat("<a>", 7_000_000 * share)}`),
  report("5 MB of lines", "tsc", (share) => repeat("a(1,1): error TS1: x\n", 250_000 * share)),
  lockFiles("package-lock.json", (version, count) =>
    JSON.stringify({
      lockfileVersion: 3,
      packages: Object.fromEntries(listOf(count, (at) => [`node_modules/p${at}`, { version }])),
    }),
  ),
  lockFiles(
    "pnpm-lock.yaml",
    (version, count) =>
      `lockfileVersion: '9.0'\n\npackages:\n\n${lines(count, (at) => `  p${at}@${version}:\n    resolution: {integrity: sha512-a}\n\n`)}`,
  ),
  lockFiles("Cargo.lock", (version, count) =>
    lines(count, (at) => `[[package]]\nname = "p${at}"\nversion = "${version}"\nsource = "registry+a"\n\n`),
  ),
  {
    name: "settings of Yarn with a million members planned",
    limitMs: 250,
    prepare: (share) => {
      const texts = new Map([
        ["package.json", '{ "dependencies": { "a": "1.0.0" } }'],
        ["yarn.lock", "__metadata:\n  version: 8\n"],
        [".yarnrc.yml", `a: [${repeat("{a: b}, ", 1_000_000 * share)}]\n`],
      ]);
      const request = { texts, day: "2026-01-31", registries: ["pypi.org"] };
      return () => planPackages(request, new AbortController().signal, { timeMs: 1_000, memoryMib: 128 });
    },
  },
  {
    name: "the tokens of five megabytes estimated",
    limitMs: 50,
    prepare: (share) => {
      const text = `${repeat("const value = 1;\n", 150_000 * share)}${repeat("请检查这个文件", 350_000 * share)}`;
      return () => estimateTextTokens(text);
    },
  },
  ...["suppressions", "neutralise", "redact", "command lines", "command", "dismissal", "marker"].map((reader) => ({
    name: `ten texts of a quarter of a megabyte: ${reader}`,
    limitMs: 1_250,
    prepare: (share: number) => {
      const parts = ["`", "[a](", "@a ", "<!--", "://a:b", "// eslint-disable ", "\n/forge ", "> ", " ", "a"];
      const texts = parts.map((part) => repeat(part, (262_144 * share) / part.length));
      return () => {
        for (const text of texts) READERS[reader]!(text);
      };
    },
  })),
];
