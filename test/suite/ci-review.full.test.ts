import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-ci-review-"));
  git("init", "--quiet", "--initial-branch=main");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  return execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd: folder,
  }).toString();
}

function commit(path: string, content: string): void {
  writeFileSync(join(folder, path), content);
  git("add", path);
  git("commit", "--quiet", "-m", path);
}

/** As `.ci/run` starts it, in a checkout. */
function review(base = "") {
  const args = [resolve(".ci", "review.ts")];
  const env = { ...process.env, FORGE_CI_BASE: base };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
  return { status, out: stdout, err: stderr };
}

it("DOC-1: CI passes a clean change, and stops at a secret, which a person decides about too", () => {
  commit("a.ts", "export const one = 1;\n");
  expect(review()).toEqual({
    status: 0,
    out: "There is no earlier commit here, so there is nothing to compare with: Forge reviewed nothing.\n",
    err: "",
  });
  commit("b.ts", "export const two = 2;\n");
  const clean = review();
  expect(clean).toMatchObject({ status: 0, err: "" });
  expect(clean.out).toContain("Only the last commit is compared.");
  expect(clean.out).toContain("Verdict: approved.");
  commit("c.ts", `export const key = "${["AKIA", "Q3ZK7N5XW2LMP4TB"].join("")}";\n`);
  const secret = review();
  expect(secret).toMatchObject({ status: 1, err: "Forge's own review has 1 blocking finding.\n" });
  expect(secret.out).toContain("c.ts:1: critical: ");
  expect(secret.out).toContain("Verdict: human required. Blocking: 1;");
  expect(secret.out).not.toContain("Q3ZK7N5XW2LMP4TB");
});

it("DOC-1: CI stops where the review breaks down", () => {
  // A commit that has nothing in common with this one is no base, which `forge review` only finds out itself.
  const alien = git("commit-tree", "-m", "alien", git("rev-parse", "HEAD^{tree}").trim()).trim();
  const { status, err } = review(alien);
  expect(status).toBe(1);
  expect(err).toContain("could not review");
  expect(err).toContain("Forge's own review gave no report, so nothing was reviewed.\n");
});
