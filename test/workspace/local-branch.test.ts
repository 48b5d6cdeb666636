import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { objectInfo } from "../../src/workspace/fetch-blobs.ts";
import { hasLooseChanges, openCheckout } from "../../src/workspace/local/checkout.ts";
import { listForgeBranches, pushToCheckout } from "../../src/workspace/local/local-branch.ts";
import { openMirror, withMirror } from "../../src/workspace/mirror.ts";

let place: string;
let folder: string;
const { signal } = new AbortController();
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "forge-branch-"));
  folder = join(place, "shop");
  execFileSync("git", ["init", "-q", "-b", "main", folder]);
  commit("one");
});
afterEach(() => rmSync(place, { recursive: true }));

function git(...args: string[]): string {
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  return execFileSync("git", ["-C", folder, ...identity, ...args], { encoding: "utf8" }).trim();
}

function commit(text: string): string {
  writeFileSync(join(folder, "file.txt"), `${text}\n`);
  git("add", ".");
  git("commit", "-qm", text);
  return git("rev-parse", "HEAD");
}

async function push(sha: string, expected: string | null, branch = "forge/1-prices") {
  return pushToCheckout({ checkout: await openCheckout(folder), branch, sha, expected, signal });
}

describe("a branch in a checkout", () => {
  it("IMPL-1: is made, moved on, and found there when that is repeated; hooks are not run", async () => {
    const first = git("rev-parse", "HEAD");
    const second = commit("two");
    writeFileSync(join(folder, ".git", "hooks", "reference-transaction"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(await push(first, null)).toEqual({ outcome: "pushed" });
    expect(await push(first, null)).toEqual({ outcome: "already" });
    expect(await push(second, first)).toEqual({ outcome: "pushed" });
    expect(await listForgeBranches(await openCheckout(folder))).toEqual(["forge/1-prices"]);
  });

  it("IMPL-1: stays where somebody else put it", async () => {
    const first = git("rev-parse", "HEAD");
    const second = commit("two");
    git("branch", "forge/1-prices", second);
    expect(await push(first, null)).toEqual({ outcome: "moved", sha: second });
    expect(git("rev-parse", "forge/1-prices")).toBe(second);
  });

  it("IMPL-1: is left alone where it is checked out, also in another worktree", async () => {
    const first = git("rev-parse", "HEAD");
    const second = commit("two");
    git("branch", "forge/1-prices", first);
    git("worktree", "add", "-q", join(place, "other"), "forge/1-prices");
    expect(await push(second, first)).toEqual({
      outcome: "refused",
      reason: expect.stringMatching(/^it is checked out in .*other; switch to another branch there$/),
    });
    expect(git("rev-parse", "forge/1-prices")).toBe(first);
  });

  it("IMPL-1: cannot stand below a branch of a shorter name, and has a name of Forge's", async () => {
    const head = git("rev-parse", "HEAD");
    git("branch", "forge");
    expect(await push(head, null)).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("'refs/heads/forge' exists"),
    });
    await expect(push(head, null, "main")).rejects.toMatchObject({ code: "branch_refused" });
  });
});

describe("a checkout", () => {
  it("is one repository from all of its worktrees", async () => {
    git("worktree", "add", "-q", "-b", "other", join(place, "other"));
    const [one, other] = [await openCheckout(folder), await openCheckout(join(place, "other"))];
    expect(other.commonDirectory).toBe(one.commonDirectory);
    expect(other.gitDirectory).not.toBe(one.gitDirectory);
    expect(await hasLooseChanges(other)).toBe(false);
    writeFileSync(join(place, "other", "new.txt"), "");
    expect(await hasLooseChanges(other)).toBe(true);
    expect(await hasLooseChanges(one)).toBe(false);
  });

  it("SEC-3: lends its objects to the mirror that was told so, and to no other", async () => {
    const { objects } = await openCheckout(folder);
    const head = git("rev-parse", "HEAD");
    const spec = {
      root: join(place, "mirrors"),
      repositoryId: "1",
      remoteUrl: "https://checkout.invalid/",
      allowHttp: false,
    };
    const isThere = async (mirror: ReturnType<typeof openMirror>) => {
      const found = await withMirror(mirror, signal, () => objectInfo(mirror, [head]));
      return found.ok && found.objects.has(head);
    };
    expect(await isThere(openMirror({ ...spec, lender: objects }))).toBe(true);
    const alternates = join(place, "mirrors", "1", "mirror.git", "objects", "info", "alternates");
    expect(readFileSync(alternates, "utf8")).toBe(`${objects}\n`);
    expect(await isThere(openMirror(spec))).toBe(false);
  });
});
