import { describe, expect, it } from "vitest";
import { branchName, isForgeBranch } from "../../src/domain/branch-name.ts";

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
