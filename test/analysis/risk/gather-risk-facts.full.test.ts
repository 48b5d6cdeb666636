import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { assessRisk, reassessRisk } from "../../../src/analysis/risk/assess-risk.ts";
import { gatherRiskFacts } from "../../../src/analysis/risk/gather-risk-facts.ts";
import type { ChangedFile } from "../../../src/domain/hunks.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import { asksForPerson } from "../../../src/domain/risk.ts";

const scratchRoot = mkdtempSync(join(tmpdir(), "forge-risk-"));
afterAll(() => rmSync(scratchRoot, { recursive: true }));

function added(path: string, text: string): [ChangedFile, [string, Buffer]] {
  const lines = text.trimEnd().split("\n").length;
  const hunk = { newStart: 1, newEnd: lines, added: Array.from({ length: lines }, (_, at) => at + 1) };
  const common = { mode: "100644", binary: false, addedLines: lines, deletedLines: 0, hunks: [hunk] };
  return [{ path, status: "added", ...common }, [path, Buffer.from(text)]];
}

function gather(texts: Readonly<Record<string, string>>, review: object = {}) {
  const all = Object.entries(texts).map(([path, text]) => added(path, text));
  return gatherRiskFacts({
    files: all.map(([file]) => file),
    contents: new Map(all.map(([, content]) => content)),
    oldContents: new Map(),
    configuration: RepoConfig.parse({ review }),
    scratchRoot,
    signal: new AbortController().signal,
  });
}

const nested =
  "export function f(a: number): number {\n  if (a > 1) {\n    if (a > 2) return 2;\n  }\n  return 1;\n}\n";
const blocking = { severity: "error", category: "correctness", confidence: 0.9 } as const;

describe("RISK-1: what a change is, read from its diff", () => {
  it("measures the complexity of what parses, in a process that may die", async () => {
    const deep = `export const a = ${"[".repeat(40_000)}${"]".repeat(40_000)};\n`;
    expect(await gather({ "src/a.ts": nested, "src/deep.ts": deep, "b.py": "x = 1\n" })).toMatchObject({
      addedComplexity: 3,
    });
    expect((await gather({ "b.py": "x = 1\n" })).addedComplexity).toBeUndefined();
    expect((await gather({ "src/a.ts": "export const = 1;\n" })).addedComplexity).toBeUndefined();
  });

  it("finds migrations, grants of workflows and protected paths", async () => {
    const facts = await gather(
      {
        "db/migrate/20261101_add.rb": "add_column :a, :b\n",
        "src/V2__add.sql": "alter table a add b;\n",
        "docs/migrations/readme.md": "# How\n",
        "test/migrations/a.test.ts": "export {};\n",
        ".github/workflows/ci.yml": "permissions: write-all\n",
        "auth/login.ts": "export const a = 1;\n",
      },
      { protected_paths: ["auth/"], path_weights: { "auth/": 12 } },
    );
    expect(facts).toMatchObject({
      migrations: ["db/migrate/20261101_add.rb", "src/V2__add.sql"],
      workflowPermissions: [".github/workflows/ci.yml"],
      protectedPaths: ["auth/login.ts"],
      pathWeights: [{ glob: "auth/", weight: 0.6 }],
    });
  });
});

describe("REV-3a: whether a risk asks for a person", () => {
  const level = async (
    texts: Readonly<Record<string, string>>,
    open: Parameters<typeof reassessRisk>[1],
    review = {},
  ) => reassessRisk(assessRisk(await gather(texts, review)), open);

  it("counts blocking findings in the level, and not as a reason to call a person", async () => {
    const risk = await level({ "a.ts": "export const a = 1;\n" }, [blocking]);
    expect([risk.score, risk.level, asksForPerson(risk)]).toEqual([51, "high", false]);
  });

  it("calls a person for a protected path, and not for a secret, which is a finding that is counted", async () => {
    const secret = await level({ "a.ts": "export const a = 1;\n" }, [{ ...blocking, secret: true }]);
    expect([secret.score, asksForPerson(secret)]).toEqual([76, false]);
    expect(reassessRisk(secret, []).floors).toEqual([]);
    const guarded = await level({ "auth/a.ts": "export const a = 1;\n" }, [], { protected_paths: ["auth/"] });
    expect([guarded.score, asksForPerson(guarded)]).toEqual([51, true]);
    expect(reassessRisk(guarded, []).floors).toEqual(guarded.floors);
  });
});
