import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { baseOfChange } from "../../.ci/review.ts";

it("DOC-1: CI compares a change with where it began, also the first commit and a shallow checkout", () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-ci-review-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: folder })
      .toString()
      .trim();
  const commit = (message: string) => {
    git("commit", "--quiet", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet", "--initial-branch=main");
  const first = commit("first");
  expect(baseOfChange(undefined, folder)).toBeUndefined();
  expect(baseOfChange("0".repeat(40), folder)).toBeUndefined();
  const second = commit("second");
  expect(baseOfChange(undefined, folder)).toBe(first);
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  // A push to main: its own branch is no base.
  expect(baseOfChange("", folder)).toBe(first);
  git("switch", "--quiet", "-c", "topic");
  commit("third");
  commit("fourth");
  expect(baseOfChange(undefined, folder)).toBe(second);
  expect(baseOfChange(first, folder)).toBe(first);
  // What is not in the checkout is not compared with.
  expect(baseOfChange("f".repeat(40), folder)).toBe(second);
  expect(baseOfChange("--all", folder)).toBe(second);
});
