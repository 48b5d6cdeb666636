import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFolder } from "../../../src/pipeline/change/read-folder.ts";

let place: string;
let origin: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "forge-base-")));
  origin = join(place, "origin");
  git(place, "init", "-q", "-b", "main", origin);
  git(origin, "config", "uploadpack.allowFilter", "true");
  commit("begin");
});
afterEach(() => rmSync(place, { recursive: true }));

function git(at: string, ...args: string[]): string {
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "merge.renames=false"];
  return execFileSync("git", ["-C", at, ...identity, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
}

/** Adds a line to the file of that name. @returns the id of the commit */
function commit(name: string, at = origin): string {
  appendFileSync(join(at, name), `${name} at ${git(at, "rev-list", "--all", "--count")}\n`);
  git(at, "add", ".");
  git(at, "commit", "-qm", name);
  return git(at, "rev-parse", "HEAD");
}

function onto(branch: string, ...names: string[]): void {
  git(origin, "checkout", "-q", branch);
  for (const name of names) commit(name);
}

function clone(...how: string[]): string {
  const folder = join(place, "clone");
  execFileSync("git", ["clone", "-q", ...how, `file://${origin}`, folder], { stdio: "pipe" });
  return folder;
}

/** Paths that count as the change, or the code and the words of the refusal. */
async function changed(folder: string, base: string | undefined = "origin/main"): Promise<string> {
  const request = { folder, all: false, ...(base === "" ? {} : { base }) };
  try {
    return (await readFolder(request)).files.map(({ path, addedLines }) => `${path} +${addedLines}`).join(", ");
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
}

const SHALLOW = /^history_missing: this is a shallow clone.*git fetch --unshallow fetches it, git fetch --deepen=100 a/;

/** `topic` adds one file; `main` moved on by two. */
function movedOn(): void {
  git(origin, "checkout", "-qb", "topic");
  onto("topic", "own");
  onto("main", "theirs", "more");
  git(origin, "checkout", "-q", "topic");
}

describe("R21: a branch is not blamed for what came to the base since", () => {
  it.each([
    [["--depth", "1", "--no-single-branch"], SHALLOW],
    [["--depth", "2", "--no-single-branch"], SHALLOW],
    [["--depth", "3", "--no-single-branch"], /^own \+1$/],
    [["--depth", "1"], /^base_not_found: There is no commit "origin\/main" here: this clone has not all branches/],
    [
      ["--single-branch"],
      /^base_not_found: .*\(git remote set-branches origin "\*" && git fetch origin fetches them\)/,
    ],
    [[], /^own \+1$/],
  ])("in a clone by %j", async (how, said) => {
    movedOn();
    const folder = clone(...how);
    expect(await changed(folder)).toMatch(said);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("where CI fetched the merge commit and its parents alone", async () => {
    movedOn();
    git(origin, "checkout", "-q", "main");
    git(origin, "merge", "-q", "--no-edit", "topic");
    expect(await changed(clone("--depth", "2"), "HEAD^1")).toBe("own +1");
  });

  it("once the missing history is there as the words say", async () => {
    movedOn();
    const folder = clone("--depth", "1", "--no-single-branch");
    git(folder, "fetch", "-q", "--deepen=100");
    expect(await changed(folder)).toBe("own +1");
    rmSync(folder, { recursive: true });
    git(origin, "checkout", "-q", "main");
    clone("--single-branch", "-b", "topic");
    expect(await changed(folder, "")).toMatch(
      /no default branch .*: this clone has not all branches .*; then name one/,
    );
    git(folder, "remote", "set-branches", "origin", "*");
    git(folder, "fetch", "-q", "origin");
    expect(await changed(folder, "main")).toMatch(/no commit "main" here, but there is "origin\/main": name that with/);
    expect(await changed(folder, "")).toBe("own +1");
  });

  it("where an old merge leads round the cut to an older common commit", async () => {
    git(origin, "checkout", "-qb", "old");
    commit("old");
    onto("main", "one", "two", "three");
    git(origin, "checkout", "-qb", "topic");
    commit("own");
    onto("main", "four", "five");
    git(origin, "merge", "-q", "--no-edit", "old");
    git(origin, "checkout", "-q", "topic");
    expect(await changed(clone("--depth", "3", "--no-single-branch"))).toMatch(SHALLOW);
    expect(await changed(origin, "main")).toBe("own +1");
    git(origin, "checkout", "-q", "main");
    rmSync(join(place, "clone"), { recursive: true });
    expect(await changed(clone("--depth", "1", "--no-single-branch"), "origin/main")).toBe("");
  });

  it("where a graft hides that history is missing", async () => {
    movedOn();
    const folder = clone("--depth", "1", "--no-single-branch");
    rmSync(join(folder, ".git", "shallow"));
    const tips = git(folder, "rev-parse", "HEAD", "origin/main");
    writeFileSync(join(folder, ".git", "info", "grafts"), `${tips}\n`);
    expect(await changed(folder)).toMatch(/^history_missing: the history .*"origin\/main" is missing \(.+\): git fsck/);
  });

  it("where the histories have nothing in common, or there is none yet", async () => {
    git(origin, "checkout", "-q", "--orphan", "other");
    const none = /^base_unrelated: There is no commit that HEAD and "main" have in common: name another with --base/;
    expect(await changed(origin, "main")).toMatch(none);
    commit("own");
    expect(await changed(origin, "main")).toMatch(none);
  });

  it.each(["topic", "main"])("where both merged each other, %s last", async (last) => {
    movedOn();
    const tips = { topic: "main", main: "topic" };
    git(origin, "branch", "-q", "copy", last);
    const other = tips[last as "topic" | "main"];
    git(origin, "checkout", "-q", other);
    git(origin, "merge", "-q", "--no-edit", "copy");
    git(origin, "checkout", "-q", last);
    git(origin, "merge", "-q", "--no-edit", `${other}^`);
    onto("main", "later");
    onto("topic", "own too");
    expect(git(origin, "merge-base", "--all", "topic", "main").split("\n")).toHaveLength(2);
    expect(await changed(origin, "main")).toBe("own +1, own too +1");
  });

  it("in a partial clone, which says how the old contents come", async () => {
    movedOn();
    onto("topic", "begin");
    const folder = clone("--filter=blob:none");
    const said = await changed(folder);
    const found = /^content_missing: The old content of 1 changed file is missing .*: (git diff --stat \w+) fetches it/;
    const [, command = ""] = found.exec(said) ?? [said];
    git(folder, ...command.split(" ").slice(1));
    expect(await changed(folder)).toBe("begin +1, own +1");
  });
});
