import { describe, expect, it } from "vitest";
import { chooseInstructions, INSTRUCTION_BUDGET } from "../../../src/pipeline/ai/find-instructions.ts";

const file = (path: string, bytes = 100, mode = "100644") => ({ path, bytes, mode });

describe("GH-15a: instructions that people already keep", () => {
  it("are found by their names, the whole repository's first, then the deeper folders'", () => {
    const files = [
      file("packages/api/AGENTS.md"),
      file("src/agents.md"),
      file("packages/CLAUDE.md"),
      file("README.md"),
      file("REVIEW.md"),
      file("docs/NOT-AGENTS.md"),
      file(".github/copilot-instructions.md"),
      file("docs/copilot-instructions.md"),
      file("AGENTS.md"),
    ];
    const { found, leftOut } = chooseInstructions({ files, truncated: false });
    expect(found.map(({ path, folder }) => `${folder}: ${path}`)).toEqual([
      ": .github/copilot-instructions.md",
      ": AGENTS.md",
      ": REVIEW.md",
      "packages: packages/CLAUDE.md",
      "packages/api: packages/api/AGENTS.md",
    ]);
    expect(leftOut).toEqual([]);
  });

  it("are left out with the reason: links, empty and large ones", () => {
    const files = [
      file("AGENTS.md"),
      file("CLAUDE.md", 9, "120000"),
      file("REVIEW.md", 0),
      file("a/AGENTS.md", INSTRUCTION_BUDGET.bytesPerFile + 1),
    ];
    expect(chooseInstructions({ files, truncated: true })).toEqual({
      found: [{ path: "AGENTS.md", bytes: 100, folder: "" }],
      leftOut: [
        { path: "CLAUDE.md", reason: "a symbolic link" },
        { path: "REVIEW.md", reason: "empty" },
        { path: "a/AGENTS.md", reason: "larger than 32 KB" },
      ],
      truncated: true,
    });
  });

  it("never go beyond the budget, however many there are", () => {
    const many = Array.from({ length: 30 }, (_, at) => file(`p${String(at).padStart(2, "0")}/AGENTS.md`));
    const byCount = chooseInstructions({ files: many, truncated: false });
    expect(byCount.found).toHaveLength(INSTRUCTION_BUDGET.files);
    expect(byCount.leftOut[0]).toEqual({ path: "p20/AGENTS.md", reason: "beyond the budget of 20 files and 64 KB" });

    const large = many.map((each) => ({ ...each, bytes: 30 * 1024 }));
    const byBytes = chooseInstructions({ files: [...large, file("z/AGENTS.md", 10)], truncated: false });
    expect(byBytes.found.map(({ path }) => path)).toEqual(["p00/AGENTS.md", "p01/AGENTS.md", "z/AGENTS.md"]);
  });
});
