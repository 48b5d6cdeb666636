import { describe, expect, it } from "vitest";
import { LONGEST_CODE, matchesCode, matchesSomewhere } from "../../src/analysis/patterns/match-code.ts";

describe("patterns on code (SEC-8)", () => {
  it.each([0, 17_900, 19_995, 20_000, 37_000, 100_000])(
    "finds what stands %d characters behind the beginning",
    (before) => {
      for (const part of ["a", "a\n", `${"a".repeat(30)}\n`]) {
        const text = `${part.repeat(before).slice(0, before)}csrf(b)${part.repeat(30_000)}`;
        expect(matchesSomewhere(/csrf\([^\n)]*\)/, text), JSON.stringify(part)).toBe(true);
        expect(matchesSomewhere(/csrf\([^\n)]*\)c/, text)).toBe(false);
      }
    },
  );

  it("takes no place within a line for its beginning, where lines are shorter than a piece", () => {
    expect(matchesSomewhere(/^b/m, `${"a b\n".repeat(30_000)}`)).toBe(false);
    expect(matchesSomewhere(/^b/m, `${"a b\n".repeat(30_000)}b`)).toBe(true);
  });

  it("looks at no more of a text than it says", () => {
    expect(matchesCode(/b/, `${"a".repeat(LONGEST_CODE - 1)}b`)).toBe(true);
    expect(matchesCode(/b/, `${"a".repeat(LONGEST_CODE)}b`)).toBe(false);
    expect(matchesCode(/c/, "abc", 0, 3, 2)).toBe(false);
  });
});
