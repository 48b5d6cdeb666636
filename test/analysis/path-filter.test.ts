import { describe, expect, it } from "vitest";
import { isWanted } from "../../src/analysis/path-filter.ts";

describe("isWanted", () => {
  it.each([
    ["docs", "docs/a/b.md", true],
    ["docs/", "docs/a.md", true],
    ["*.md", "docs/a/b.md", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["**", ".github/workflows/ci.yml", true],
    [".github", ".github/workflows/ci.yml", true],
    ["**/*.yml", ".github/workflows/ci.yml", true],
    ["/docs", "web/docs/a.md", false],
    ["src/**", "src/.hidden/a.ts", true],
    ["*.{js,ts}", "a.ts", true],
    ["[ab].ts", "c.ts", false],
  ])("CONF-1: the glob %s on %s: %s", (glob, path, matches) => {
    expect(isWanted(path, { include: [], exclude: [glob] })).toBe(!matches);
    expect(isWanted(path, { include: [glob], exclude: [] })).toBe(matches);
  });

  it("lets exclude win over include", () => {
    expect(isWanted("src/a.gen.ts", { include: ["src"], exclude: ["*.gen.ts"] })).toBe(false);
  });
});
