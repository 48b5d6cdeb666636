import { describe, expect, it } from "vitest";
import { compareWithCeilings, folderOf, lowered, readCeilings } from "../../../scripts/plain-english/ceilings.ts";
import { checkCeilings } from "../../../scripts/plain-english/check.ts";
import type { Suspect } from "../../../scripts/plain-english/suspects.ts";

const suspects = (path: string, count: number): Suspect[] =>
  Array.from({ length: count }, (_, index) => ({ path, line: index + 1, phrase: "phrase", text: "text" }));

const noneAdded = () => new Map();

describe("the folder of a file", () => {
  it.each([
    ["src/store/jobs/held-job.ts", "src/store"],
    ["src/github/effects/comments.ts", "src/github"],
    ["src/github/words/command/refusals.ts", "src/github/words"],
    ["src/main.ts", "src"],
    ["test/store/jobs.test.ts", "test/store"],
    ["docs/pages/policy.md", "docs"],
    ["README.md", "README.md"],
  ])("%s counts for %s", (path, folder) => {
    expect(folderOf(path)).toBe(folder);
  });
});

describe("ceilings", () => {
  it("are 0 for a new folder", () => {
    expect(compareWithCeilings({ new: 1 }, {}).above).toEqual([{ folder: "new", ceiling: 0, count: 1 }]);
  });

  it("fall to the count, never rise, and disappear at 0", () => {
    expect(lowered({ docs: 5, demo: 2, bench: 3 }, { docs: 4, demo: 7, new: 1 })).toEqual({ docs: 4, demo: 2 });
  });

  it("are whole numbers from 1", () => {
    expect(readCeilings('{ "docs": 5 }')).toEqual({ docs: 5 });
    expect(() => readCeilings('{ "docs": 0 }')).toThrow("The ceiling of docs");
    expect(() => readCeilings('{ "docs": "many" }')).toThrow("The ceiling of docs");
  });
});

describe("the check", () => {
  it("passes at the ceiling without a word", () => {
    expect(checkCeilings(suspects("docs/a.md", 2), { docs: 2 }, noneAdded)).toEqual({ passed: true, lines: [] });
  });

  it("passes below the ceiling and says how to lower it", () => {
    expect(checkCeilings(suspects("docs/a.md", 1), { docs: 2, demo: 1 }, noneAdded)).toEqual({
      passed: true,
      lines: [
        "demo is down to 0 suspect lines, and its ceiling is 1.",
        "docs is down to 1 suspect line, and its ceiling is 2.",
        "To save the lower ceilings, run `node scripts/plain-english.ts --lower`.",
      ],
    });
  });

  it("fails above the ceiling and names the lines that are new on the branch", () => {
    const added = () => new Map([["docs/a.md", new Set([2, 9])]]);
    expect(checkCeilings(suspects("docs/a.md", 3), { docs: 2 }, added)).toEqual({
      passed: false,
      lines: [
        "docs has 3 suspect lines, and its ceiling is 2. New on this branch:",
        "  docs/a.md:2: phrase | text",
        "",
        "Rewrite these lines. docs/plain-english.md shows how.",
      ],
    });
  });

  it("names every line of a new file", () => {
    const added = () => new Map([["docs/b.md", "all" as const]]);
    const { lines } = checkCeilings([...suspects("docs/a.md", 1), ...suspects("docs/b.md", 1)], { docs: 1 }, added);
    expect(lines.filter((line) => line.startsWith("  "))).toEqual(["  docs/b.md:1: phrase | text"]);
  });

  it("names at most 20 lines of a folder where none is known to be new", () => {
    const { lines } = checkCeilings(suspects("docs/a.md", 23), { docs: 22 }, noneAdded);
    expect(lines[0]).toBe("docs has 23 suspect lines, and its ceiling is 22. Its lines:");
    expect(lines.slice(20, 22)).toEqual(["  docs/a.md:20: phrase | text", "  and 3 more"]);
  });
});
