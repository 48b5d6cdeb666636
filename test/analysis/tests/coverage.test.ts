import { expect, it } from "vitest";
import { diffCoverage } from "../../../src/analysis/tests/coverage-report.ts";
import { readCoverage } from "../../../src/analysis/tests/read-coverage.ts";
import { readCoverageInChild } from "../../../src/analysis/tests/read-in-child.ts";
import { coverChange } from "../../../src/pipeline/testing/run-selection.ts";
import { scratchFolder } from "../change-of.ts";
import { COBERTURA, ISTANBUL, LCOV } from "./runner-output.ts";

const options = { root: "/box", only: new Set(["src/cart.js", "shop/cart.py"]) };

it("TEST-2: reads LCOV by line, branch and function, and only files of the repository", () => {
  expect(readCoverage("lcov", LCOV, options)).toEqual({
    files: [
      {
        path: "src/cart.js",
        lines: [
          [1, 1],
          [2, 2],
          [3, 0],
        ],
        branches: { covered: 2, all: 3 },
        functions: { covered: 1, all: 2 },
      },
    ],
    total: { lines: { covered: 2, all: 4 }, branches: { covered: 2, all: 3 }, functions: { covered: 1, all: 2 } },
  });
  // The same file from two test programs.
  expect(readCoverage("lcov", LCOV + LCOV.replace("DA:3,0", "DA:3,4"), options)?.files[0]?.lines[2]).toEqual([3, 4]);
});

it("TEST-2: reads Istanbul's JSON: a line is reached when one of its statements is", () => {
  expect(readCoverage("istanbul", ISTANBUL, options)?.files).toEqual([
    {
      path: "src/cart.js",
      lines: [
        [2, 2],
        [3, 0],
      ],
      branches: { covered: 2, all: 3 },
      functions: { covered: 1, all: 2 },
    },
  ]);
});

it("TEST-2: reads Cobertura's XML, whose names begin at one of its sources", () => {
  expect(readCoverage("cobertura", COBERTURA, options)?.files).toEqual([
    {
      path: "shop/cart.py",
      lines: [
        [1, 1],
        [2, 1],
        [3, 0],
      ],
      branches: { covered: 1, all: 2 },
      functions: { covered: 0, all: 0 },
    },
  ]);
});

it("TEST-2: takes nothing from what is no report", () => {
  const hostile = ["", "{}", "[]", "null", "{", '{"a":{"path":3}}', "SF:a\nDA:x,y\n", "<coverage>", "end_of_record"];
  for (const format of ["lcov", "istanbul", "cobertura"] as const) {
    for (const text of hostile) expect(readCoverage(format, text, options)?.files ?? []).toEqual([]);
  }
  const entity = COBERTURA.replace('-04.dtd"', '-04.dtd" [<!ENTITY a "b">]');
  expect(readCoverage("cobertura", entity, options)).toBeUndefined();
  expect(
    readCoverage("lcov", "SF:src/cart.js\nDA:-1,3\nDA:1e99,1\nDA:2,-4\nend_of_record\n", options)?.files[0]?.lines,
  ).toEqual([]);
});

it("TEST-2: reads coverage in a process of its own", async () => {
  const context = { signal: new AbortController().signal, scratch: scratchFolder() };
  const request = { root: "/box", paths: ["src/cart.js"] };
  expect(await readCoverageInChild(LCOV, { ...request, format: "lcov" }, context)).toMatchObject({
    files: [{ path: "src/cart.js" }],
  });
  expect(await readCoverageInChild("nothing", { ...request, format: "istanbul" }, context)).toBeUndefined();
});

it("TEST-1: says which added lines no test reached", () => {
  const lines = [
    "export function total() {",
    "  // a comment",
    "  if (empty) {",
    "    return 0;",
    "  }",
    "",
    "  return sum;",
    "}",
  ];
  const none = { covered: 0, all: 0 };
  const hits = lines.map((_, at) => [at + 1, at === 3 || at === 4 ? 0 : 1] as const);
  const covered = [{ path: "src/cart.js", lines: hits, branches: none, functions: none }];
  const change = { path: "src/cart.js", ranges: [[1, 8]] as const, lines, runs: true };
  expect(diffCoverage(covered, [change])).toEqual({
    covered: 3,
    executable: 4,
    missed: [{ path: "src/cart.js", ranges: [[4, 4]] }],
  });
  // Only what the change added counts.
  expect(diffCoverage(covered, [{ ...change, ranges: [[7, 8]] }])).toEqual({ covered: 1, executable: 1, missed: [] });
});

it("TEST-1: counts every added line of a file, and names so many ranges of it", () => {
  const lines = Array.from({ length: 1_000 }, (_, at) => `step(${at});`);
  const ranges = lines.filter((_, at) => at % 2 === 0).map((_, at) => ({ added: [2 * at + 1] }));
  const contents = new Map([["src/steps.js", Buffer.from(lines.join("\n"))]]);
  const files = [{ path: "src/steps.js", hunks: ranges }] as never;
  const graph = { symbols: new Map() } as never;
  const { executable, missed } = coverChange({ files, contents }, ["src/steps.js"], { files: [] } as never, graph);
  expect(executable).toBe(500);
  expect(missed[0]?.ranges).toHaveLength(200);
});

it("TEST-1: a changed file that no test loads is missed as a whole, unless nothing in it runs", () => {
  const change = { path: "src/new.js", ranges: [[1, 3]] as const, lines: ["const a = 1;", "", "run(a);"], runs: true };
  expect(diffCoverage([], [change])).toEqual({
    covered: 0,
    executable: 2,
    missed: [
      {
        path: "src/new.js",
        ranges: [
          [1, 1],
          [3, 3],
        ],
      },
    ],
  });
  expect(diffCoverage([], [{ ...change, runs: false }])).toEqual({ covered: 0, executable: 0, missed: [] });
});
