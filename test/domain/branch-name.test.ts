import { describe, expect, it } from "vitest";
import { branchName, isForgeBranch, nextBranchName } from "../../src/domain/branch-name.ts";

describe("the branch of an issue", () => {
  it.each([
    ["Rate limit login", "forge/42-rate-limit-login"],
    ["  [Bug]: can't save `größe` – Ærø & ﬁle… ", "forge/42-bug-cant-save-grosse-aero-file"],
    ["登录限速", "forge/42"],
    ["--upload-pack=x; $(touch y) ../../main.lock @{1}", "forge/42-upload-pack-x-touch-y-main-lock-1"],
    ["", "forge/42"],
    [`${"word ".repeat(40)}`, "forge/42-word-word-word-word-word-word-word-word-word-word"],
    ["x".repeat(100), `forge/42-${"x".repeat(51)}`],
  ])("IMPL-1: is a plain name whatever the title says: %j", (title, name) => {
    expect(branchName(42, title)).toBe(name);
    expect(isForgeBranch(name)).toBe(true);
  });

  it.each(["Rate limit login", "Speak HTTP 2", "登录限速", "x".repeat(100), "word ".repeat(40)])(
    "IMPL-1: is another one each time that somebody has it: %j",
    (title) => {
      const names = [branchName(42, title)];
      for (let time = 2; time < 13; time += 1) names.push(nextBranchName(names.at(-1)!, 42, title));
      expect(new Set(names).size).toBe(12);
      expect(names.every(isForgeBranch)).toBe(true);
      expect(names.at(-1)).toMatch(/-12$/);
    },
  );

  it.each([
    "main",
    "forge/0-x",
    "forge/42-",
    "forge/42-A",
    "forge/42--x",
    "forge/42-x\n",
    "forge/x",
    "refs/heads/forge/42",
    `forge/42-${"x".repeat(60)}`,
  ])("is not %j", (name) => expect(isForgeBranch(name)).toBe(false));
});
