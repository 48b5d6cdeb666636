import { lstatSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { WRITE_LIMITS, writeHead } from "../../src/workspace/write-head.ts";
import { expectOk, startFixture } from "./fixture.ts";
import { runTestGit, type TestFile } from "./test-repository.ts";

const { signal } = new AbortController();

async function written(files: readonly TestFile[]) {
  await using fixture = await startFixture();
  const head = fixture.origin.commit({ branch: "main", files });
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [head] }));
  const folder = mkdtempSync(join(tmpdir(), "forge-head-"));
  return { folder, outcome: await writeHead(mirror, head, folder, signal) };
}

describe("writing the files of a commit", () => {
  it("gives contents, names and the executable bit as they are, without filters", async () => {
    const { folder, outcome } = await written([
      { path: "a/b/c.txt", content: "c\r\n" },
      { path: "run.sh", content: "#!/bin/sh\n", mode: "100755" },
      { path: "größe", content: "" },
      { path: Buffer.from([0x63, 0xe9]), content: "latin1\n" },
      { path: ".gitattributes", content: "* text eol=lf filter=x\n" },
    ]);
    expect(outcome).toEqual({ ok: true, files: 5, left: 0 });
    expect(readFileSync(join(folder, "a/b/c.txt"), "utf8")).toBe("c\r\n");
    expect(statSync(join(folder, "run.sh")).mode & 0o111).not.toBe(0);
    expect(statSync(join(folder, "größe")).mode & 0o111).toBe(0);
    const names = readdirSync(folder, { encoding: "buffer" }).map((name) => name.toString("latin1"));
    expect(names).toContain("c\u00e9");
  });

  it("SEC-1: writes no link, no submodule and no file above the limit", async () => {
    const { folder, outcome } = await written([
      { path: "link.js", content: "/etc/passwd", mode: "120000" },
      { path: "module", content: "0".repeat(39).concat("1"), mode: "160000" },
      { path: "large.bin", content: Buffer.alloc(WRITE_LIMITS.fileBytes + 1) },
      { path: "a.js", content: "a();\n" },
    ]);
    expect(outcome).toEqual({ ok: true, files: 1, left: 3 });
    expect(readdirSync(folder)).toEqual(["a.js"]);
  });

  it("SEC-1: writes nothing outside the folder and nothing that configures git, whatever the tree says", async () => {
    await using fixture = await startFixture();
    const { directory } = fixture.origin;
    const git = (args: readonly string[], input?: Buffer) => runTestGit(directory, args, input).toString().trim();
    const blob = git(["hash-object", "-w", "--stdin"], Buffer.from("x\n"));
    const tree = (entries: readonly [mode: string, name: string, sha: string][]) =>
      git(
        ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
        Buffer.concat(
          entries.map(([mode, name, sha]) =>
            Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, "hex")]),
          ),
        ),
      );
    const inner = tree([["100644", "config", blob]]);
    const root = tree([
      ["40000", "..", inner],
      ["40000", ".GIT", inner],
      ["40000", ".git", inner],
      ["100644", "a.js", blob],
    ]);
    const head = git(["commit-tree", root, "-m", "hostile"]);
    git(["update-ref", "refs/heads/hostile", head]);
    const mirror = fixture.mirror();
    const fetched = await fetchCommits(mirror, { shas: [head] });
    const parent = mkdtempSync(join(tmpdir(), "forge-head-"));
    const folder = mkdtempSync(join(parent, "head-"));
    // Git may refuse the fetch already; what it lets through must not get out of the folder.
    if (fetched.ok) expect(await writeHead(mirror, head, folder, signal)).toEqual({ ok: true, files: 1, left: 3 });
    expect(readdirSync(parent)).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => lstatSync(join(folder, name)).isDirectory())).toEqual([]);
  });

  it("refuses a folder that is not empty rather than write over something", async () => {
    await using fixture = await startFixture();
    const head = fixture.origin.commit({ branch: "main", files: [{ path: "a.js", content: "a();\n" }] });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [head] }));
    const folder = mkdtempSync(join(tmpdir(), "forge-head-"));
    expectOk(await writeHead(mirror, head, folder, signal));
    await expect(writeHead(mirror, head, folder, signal)).rejects.toThrow("EEXIST");
  });
});
