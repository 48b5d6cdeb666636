import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GitError } from "simple-git";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askGit, orFailed } from "../../src/workspace/local/ask-git.ts";
import { type Checkout, listLocalCommits, openCheckout } from "../../src/workspace/local/checkout.ts";
import { resolveRevision, resolveRevisions } from "../../src/workspace/local/resolve-revisions.ts";

let place: string;
let checkout: Checkout;
beforeEach(async () => {
  // A quote, which the script of the limits has to survive.
  place = mkdtempSync(join(tmpdir(), "forge's git-"));
  git("init", "-q", "-b", "main");
  commit("one");
  checkout = await openCheckout(place);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true });
});

function git(...args: string[]): string {
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  return execFileSync("git", ["-C", place, ...identity, ...args], { encoding: "utf8" }).trim();
}

function commit(message: string): string {
  writeFileSync(join(place, "file.txt"), message);
  git("add", ".");
  git("commit", "-qm", message);
  return git("rev-parse", "HEAD");
}

describe("SEC-3: git's porcelain on a checkout of somebody's own", () => {
  it("believes no configuration but ours, whatever the person's environment says", async () => {
    writeFileSync(join(place, "foreign"), "[core]\n\tpager = touch started\n[foreign]\n\tkey = value\n");
    git("config", "foreign.local", "value");
    vi.stubEnv("GIT_CONFIG_GLOBAL", join(place, "foreign"));
    vi.stubEnv("GIT_DIR", "/nonexistent");
    vi.stubEnv("TMPDIR", place);
    const listed = await askGit(checkout, (ask) => ask.raw(["config", "--list", "--show-scope"]));
    const lines = listed.trim().split("\n");
    expect(lines).toContain("command\tcore.hookspath=/dev/null");
    expect(lines).toContain("command\tcore.fsmonitor=false");
    expect(lines.filter((line) => /foreign|pager/.test(line) || /^(?:system|global)/.test(line))).toEqual([]);
  });

  it("takes a name that is an option for a name", async () => {
    for (const name of ["--output=/tmp/x", "-cfoo.bar=x", "-c", "--git-dir=/", "--all", "HEAD --all", "", "a..b"]) {
      expect(await resolveRevision(checkout, name), name).toBeUndefined();
    }
    expect(await resolveRevision(checkout, "@")).toBe(git("rev-parse", "HEAD"));
  });

  it("looks several names up in their order, and takes no name with several lines for several", async () => {
    const head = git("rev-parse", "HEAD");
    git("tag", "first");
    const names = ["gone", "main", "main\nfirst", "main\0x", "a b", "first"];
    expect(await resolveRevisions(checkout, names)).toEqual([undefined, head, undefined, undefined, undefined, head]);
    expect(await resolveRevisions(checkout, ["main", "gone"], "tree")).toEqual([
      git("rev-parse", "HEAD^{tree}"),
      undefined,
    ]);
  });

  it("lists no commit that only a message tells of", async () => {
    const base = git("rev-parse", "HEAD");
    const sha = commit(`òòòòòò ${"a".repeat(40)} ${"b".repeat(40)}\n\n òò\n${"c".repeat(40)}`);
    const listed = await listLocalCommits(checkout, base, sha);
    expect(listed.map((one) => one.sha)).toEqual([sha]);
  });

  it("ends what puts out more than its limit", async () => {
    writeFileSync(join(place, "large"), Buffer.alloc(65 * 1024 * 1024));
    const large = git("-c", "core.compression=0", "hash-object", "-w", "large");
    const read = await orFailed(askGit(checkout, (ask) => ask.raw(["cat-file", "blob", large])));
    expect(read).toBeInstanceOf(GitError);
  });

  it("has simple-git refuse what could start a program, beside what git is told", async () => {
    const started = orFailed(askGit(checkout, (ask) => ask.raw(["-c", "alias.x=!touch started", "x"])));
    expect(String(await started)).toContain("allowUnsafeAlias");
  });
});
