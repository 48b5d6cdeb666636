import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WRITE_LIMITS } from "../../../src/workspace/write-head.ts";
import { runTestGit } from "../test-repository.ts";
import { BY, learn, signal, treeOfFiles, wasChanged } from "./tree-fixture.ts";

const ODD_FILES = [
  { path: "a/b/c.txt", content: "c\r\n" },
  { path: "a.txt", content: "sorts between a and a/\n" },
  { path: "run.sh", content: "#!/bin/sh\n", mode: "100755" },
  { path: "größe", content: "" },
  { path: Buffer.from([0x63, 0xe9]), content: "latin1\n" },
  { path: "data.bin", content: Buffer.from([0, 1, 2, 255, 13, 10]) },
  { path: ".gitattributes", content: "* text eol=lf filter=x working-tree-encoding=UTF-16\n" },
  { path: "link.js", content: "/etc/passwd", mode: "120000" },
  { path: "module", content: "1".repeat(40), mode: "160000" },
  { path: "large.bin", content: Buffer.alloc(WRITE_LIMITS.fileBytes + 1) },
  { path: `deep/${"n".repeat(300)}/x`, content: "no disk takes this name\n" },
  { path: "node_modules/kept/index.js", content: "vendored();\n" },
];

/** `status path` of every file that is different, by plain git. */
function changes(directory: string, from: string, to: string): string[] {
  const raw = runTestGit(directory, ["diff", "--raw", "--no-renames", "--no-abbrev", from, to]).toString();
  const lines = raw.trim().split("\n");
  return raw === "" ? [] : lines.map((line) => line.replace(/^:(\d+) (\d+) \S+ \S+ (\w)\t/, "$3 $1 $2 "));
}

describe("the working tree of an implementation", () => {
  it("holds the files of the base and nothing that leads out, and is the base's tree", async () => {
    await using fixture = await treeOfFiles(ODD_FILES);
    const tree = await fixture.open();
    expect(await tree.treeId()).toBe(fixture.baseTree);
    expect(tree.head()).toBe(fixture.base);
    expect(await tree.commit({ message: "nothing", ...BY })).toEqual({ unchanged: true });
    expect(readFileSync(join(tree.folder, "a/b/c.txt"), "utf8")).toBe("c\r\n");
    expect(statSync(join(tree.folder, "run.sh")).mode & 0o111).not.toBe(0);
    expect(readdirSync(tree.folder).sort()).not.toContain("link.js");
    expect(tree.clone).toBeUndefined();
    expect(await tree.files.read("a.txt", signal)).toMatchObject({ ok: true });
  });

  it("IMPL-1: commits exactly what changed, as given, and the same for the same input", async () => {
    await using fixture = await treeOfFiles(ODD_FILES);
    const { origin, base } = fixture;
    const shas: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const tree = await fixture.open();
      const before = Buffer.from("c\r\n");
      const content = Buffer.from("changed\r\n");
      expect(await tree.files.change([{ path: "a/b/c.txt", before, content }], signal)).toEqual({ ok: true });
      rmSync(join(tree.folder, "größe"));
      chmodSync(join(tree.folder, "run.sh"), 0o644);
      chmodSync(join(tree.folder, "a.txt"), 0o755);
      renameSync(join(tree.folder, "data.bin"), join(tree.folder, "a", "new data.bin"));
      writeFileSync(join(tree.folder, "-option"), "x\n");
      const made = await tree.commit({ message: "feat: change\n\nBody <a>\0\n\n", ...BY });
      if ("unchanged" in made) throw new Error("unchanged");
      shas.push(made.sha);
      expect(tree.head()).toBe(made.sha);
      expect(await tree.treeId()).toBe(made.tree);
      expect(await tree.commit({ message: "again", ...BY })).toEqual({ unchanged: true });
      if (round === 0) learn(origin, await tree.snapshot());
    }
    expect(shas[0]).toBe(shas[1]);
    expect(changes(origin.directory, base, shas[0] ?? "").sort()).toEqual([
      "A 000000 100644 -option",
      "A 000000 100644 a/new data.bin",
      'D 100644 000000 "gr\\303\\266\\303\\237e"',
      "D 100644 000000 data.bin",
      "M 100644 100644 a/b/c.txt",
      "M 100644 100755 a.txt",
      "M 100755 100644 run.sh",
    ]);
    expect(origin.git("show", `${shas[0]}:a/b/c.txt`)).toBe("changed");
    expect(
      origin
        .git("cat-file", "commit", shas[0] ?? "")
        .split("\n")
        .slice(1),
    ).toEqual([
      `parent ${base}`,
      "author Forge <forge@example.com> 1767323045 +0000",
      "committer Forge <forge@example.com> 1767323045 +0000",
      "",
      "feat: change",
      "",
      "Body <a>",
    ]);
    expect(origin.git("fsck", "--strict", "--no-dangling", "--connectivity-only")).toBe("");
  });

  it("lets nobody write somebody else's name into a commit", async () => {
    await using fixture = await treeOfFiles([{ path: "a", content: "a\n" }]);
    const tree = await fixture.open();
    writeFileSync(join(tree.folder, "a"), "b\n");
    const author = { name: "Eve> 1 +0000\ncommitter Ana <", email: "e\n@example.com" };
    const made = await tree.commit({ ...BY, message: "x", author });
    learn(fixture.origin, await tree.snapshot());
    const text = fixture.origin.git("cat-file", "commit", "sha" in made ? made.sha : "");
    expect(text).toContain("\nauthor Eve 1 +0000committer Ana <e@example.com> 1767323045 +0000\ncommitter Eve");
  });

  it("commits no package, nothing that .gitignore names and no large thing that a program left", async () => {
    await using fixture = await treeOfFiles([
      { path: "a", content: "a\n" },
      { path: ".gitignore", content: "dist/\n*.log\n" },
      { path: "kept.log", content: "tracked all the same\n" },
      { path: "sub/.gitignore", content: "/own\n" },
    ]);
    const tree = await fixture.open();
    for (const folder of ["node_modules/p", "sub/node_modules/q", ".venv/lib", "dist/deep", "__pycache__"]) {
      mkdirSync(join(tree.folder, folder), { recursive: true });
      writeFileSync(join(tree.folder, folder, "file.js"), "x\n");
    }
    writeFileSync(join(tree.folder, "debug.log"), "x\n");
    writeFileSync(join(tree.folder, "sub", "own"), "x\n");
    writeFileSync(join(tree.folder, "core"), Buffer.alloc(WRITE_LIMITS.fileBytes + 1));
    expect(await tree.treeId()).toBe(fixture.baseTree);
    expect(await tree.files.list(signal)).toMatchObject({ paths: [".gitignore", "a", "kept.log", "sub/.gitignore"] });
    writeFileSync(join(tree.folder, "kept.log"), "changed\n");
    await wasChanged(tree);
    expect(await tree.commit({ message: "x", ...BY })).toHaveProperty("sha");
    expect((await tree.changedSince(fixture.base)).files.map(({ newPath }) => newPath)).toEqual(["kept.log"]);
  });

  it("replaces a link by a file or folder that stands in its place, and keeps it otherwise", async () => {
    await using fixture = await treeOfFiles([
      { path: "one", content: "target", mode: "120000" },
      { path: "two", content: "target", mode: "120000" },
      { path: "three", content: "target", mode: "120000" },
      { path: "module", content: "1".repeat(40), mode: "160000" },
      { path: "x", content: "x\n" },
    ]);
    const tree = await fixture.open();
    writeFileSync(join(tree.folder, "one"), "a file now\n");
    mkdirSync(join(tree.folder, "two"));
    writeFileSync(join(tree.folder, "two", "file"), "a folder now\n");
    mkdirSync(join(tree.folder, "module"));
    writeFileSync(join(tree.folder, "module", "file"), "no part of this repository\n");
    await tree.commit({ message: "x", ...BY });
    learn(fixture.origin, await tree.snapshot());
    const names = fixture.origin.git("ls-tree", "-r", "--format=%(objectmode) %(path)", tree.head());
    expect(names.split("\n")).toEqual(["160000 module", "100644 one", "120000 three", "100644 two/file", "100644 x"]);
  });

  it("looks at the folder again only when somebody has had it to change it", async () => {
    await using fixture = await treeOfFiles([{ path: "a", content: "a\n" }]);
    const tree = await fixture.open();
    expect(await tree.treeId()).toBe(fixture.baseTree);
    writeFileSync(join(tree.folder, "a"), "b\n");
    expect(await tree.treeId()).toBe(fixture.baseTree);
    await wasChanged(tree);
    expect(await tree.treeId()).not.toBe(fixture.baseTree);
  });

  it("says which tracked file grew over the limit", async () => {
    await using fixture = await treeOfFiles([{ path: "a", content: "a\n" }]);
    const tree = await fixture.open();
    writeFileSync(join(tree.folder, "a"), Buffer.alloc(WRITE_LIMITS.fileBytes + 1));
    await expect(tree.treeId()).rejects.toMatchObject({
      code: "working_tree_too_large",
      message: 'The file "a" has grown to 8,388,609 bytes, and at most 8,388,608 are kept.',
    });
  });

  it("shows what is different from a commit, as metadata and as text", async () => {
    await using fixture = await treeOfFiles([
      { path: "a.txt", content: "1\n2\n3\n4\n5\n6\n7\n8\n" },
      { path: "b.txt", content: "b\n" },
    ]);
    const tree = await fixture.open();
    expect(await tree.changedSince(fixture.base)).toMatchObject({ files: [], truncated: undefined });
    renameSync(join(tree.folder, "a.txt"), join(tree.folder, "moved.txt"));
    writeFileSync(join(tree.folder, "b.txt"), "B\n");
    await wasChanged(tree);
    await tree.commit({ message: "x", ...BY });
    rmSync(join(tree.folder, "b.txt"));
    writeFileSync(join(tree.folder, "new.txt"), "n\n");
    await wasChanged(tree);
    const since = await tree.changedSince(fixture.base);
    expect(since.files.map(({ status, oldPath, newPath }) => [status, oldPath, newPath])).toEqual([
      ["deleted", "b.txt", undefined],
      ["renamed", "a.txt", "moved.txt"],
      ["added", undefined, "new.txt"],
    ]);
    expect(since.patch.toString()).toContain("+n\n");
    const uncommitted = await tree.changedSince(tree.head());
    expect(uncommitted.files.map(({ status }) => status)).toEqual(["deleted", "added"]);
    await expect(tree.changedSince("main")).rejects.toMatchObject({ code: "invalid_revision" });
  });
});
