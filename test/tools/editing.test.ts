import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../src/tools/apply-patch.ts";
import { editFile, writeFile } from "../../src/tools/edit-file.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { failureOf, folderWith, textFrom } from "./tool-fixture.ts";

function editor(files: Readonly<Record<string, string | Buffer>>) {
  const folder = folderWith(files);
  return {
    ...folder,
    read: (path: string) => textFrom(readFile(folder), { path }),
    edit: editFile(folder),
    write: writeFile(folder),
    patch: applyPatch(folder),
  };
}

describe("edit_file", () => {
  it("TOOLS-1: replaces exactly one place and shows it as it reads now", async () => {
    const { read, edit, textOf } = editor({ "a.ts": "one\ntwo\nthree\n" });
    await read("a.ts");
    const said = await textFrom(edit, { path: "a.ts", old_text: "two", new_text: "2\n2b" });
    expect(said).toContain("Replaced one place at line 2.");
    expect(said).toContain("1|one\n2|2\n3|2b\n4|three\n");
    expect(textOf("a.ts")).toBe("one\n2\n2b\nthree\n");
  });

  it("TOOLS-1: needs the file to have been read since it last changed", async () => {
    const { root, read, edit, textOf } = editor({ "a.ts": "one\n" });
    const change = { path: "a.ts", old_text: "one", new_text: "1" };
    expect(await failureOf(edit, change)).toBe('not_read: "a.ts" was not read yet: read it first, then edit it.');
    await read("./a.ts");
    writeFileSync(join(root, "a.ts"), "one more\n");
    expect(await failureOf(edit, change)).toContain("changed: ");
    expect(await failureOf(edit, change)).toContain("not_read: ");
    await read("a.ts");
    await textFrom(edit, change);
    // Its own edit counts as seen.
    await textFrom(edit, { path: "a.ts", old_text: "1 more", new_text: "2" });
    expect(textOf("a.ts")).toBe("2\n");
  });

  it("says where a text is not unique or nearly there, and takes all of them when asked", async () => {
    const { read, edit, textOf } = editor({ "a.ts": "x = 1;\ny = 2;\nx = 1;\n", "b.ts": "  if (a) {\n\treturn;\n" });
    await read("a.ts");
    await read("b.ts");
    const change = { path: "a.ts", old_text: "x = 1;", new_text: "x = $&;" };
    expect(await failureOf(edit, change)).toContain("many_matches: old_text stands there 2 times, at lines 1, 3:");
    expect(await textFrom(edit, { ...change, replace_all: true })).toContain("Replaced 2 places, the first at line 1.");
    expect(textOf("a.ts")).toBe("x = $&;\ny = 2;\nx = $&;\n");
    expect(await failureOf(edit, { path: "b.ts", old_text: "if (a) {\n  return;", new_text: "" })).toContain(
      "lines 1 to 2 differ from it in white space",
    );
    expect(await failureOf(edit, { path: "b.ts", old_text: "while", new_text: "" })).toContain("no_match: ");
    expect(await failureOf(edit, { path: "gone", old_text: "a", new_text: "b" })).toContain("not_found: ");
  });

  it("keeps Windows line ends, and leaves what is not text alone", async () => {
    const { read, edit, reads, textOf, files } = editor({
      "w.ts": "one\r\ntwo\r\n",
      latin: Buffer.from("caf\xe9", "latin1"),
    });
    await read("w.ts");
    await textFrom(edit, { path: "w.ts", old_text: "one\ntwo", new_text: "1\n2" });
    expect(textOf("w.ts")).toBe("1\r\n2\r\n");
    await read("latin");
    expect(await failureOf(edit, { path: "latin", old_text: "caf", new_text: "x" })).toContain("binary: ");
    expect(reads.known("latin")).toEqual(
      ((await files.read("latin", new AbortController().signal)) as { content: Buffer }).content,
    );
  });
});

describe("write_file", () => {
  it("TOOLS-1: makes new files and replaces what was read", async () => {
    const { read, write, textOf } = editor({ "a.ts": "old\n" });
    expect(await textFrom(write, { path: "new/deep/b.ts", content: "b\n" })).toBe('Created "new/deep/b.ts": 1 lines.');
    expect(await failureOf(write, { path: "a.ts", content: "x" })).toContain("not_read: ");
    await read("a.ts");
    expect(await textFrom(write, { path: "a.ts", content: "x\ny" })).toBe('Replaced "a.ts": 2 lines.');
    expect(textOf("a.ts")).toBe("x\ny");
    // What it wrote it knows.
    expect(await textFrom(write, { path: "new/deep/b.ts", content: "" })).toContain("0 lines");
  });

  it.each(["/tmp/x", "../x", ".git/hooks/pre-commit", ".GIT/config", "git~1/x", "-rf", "a\nb", "a/..", "."])(
    "SEC-4: does not write to %j",
    async (path) => {
      const { root, write } = editor({});
      expect(await failureOf(write, { path, content: "x" })).not.toContain("no failure");
      expect(existsSync(join(root, ".git"))).toBe(false);
    },
  );

  it("writes no mark over a secret that the agent was not shown", async () => {
    const token = `gh${"p"}_${"a1".repeat(18)}`;
    const { read, write, textOf } = editor({ ".env": `TOKEN=${token}\nMODE=a\n` });
    expect(await read(".env")).toContain("TOKEN=[redacted]");
    expect(await failureOf(write, { path: ".env", content: "TOKEN=[redacted]\nMODE=b\n" })).toContain("redacted: ");
    expect(textOf(".env")).toContain(token);
  });

  it("stays within the paths that an agent may write", async () => {
    const folder = folderWith({});
    const refusePath = (path: string) => (path.endsWith(".test.ts") ? undefined : "Only tests may be written here.");
    const write = writeFile({ ...folder, refusePath });
    expect(await failureOf(write, { path: "src/a.ts", content: "x" })).toBe(
      "not_yours: Only tests may be written here.",
    );
    expect(await textFrom(write, { path: "src/a.test.ts", content: "x" })).toContain("Created");
  });
});

describe("apply_patch", () => {
  const PATCH = [
    "diff --git a/a.ts b/a.ts",
    "--- a/a.ts",
    "+++ b/a.ts",
    "@@ -1,3 +1,3 @@",
    " one",
    "-two",
    "+2",
    " three",
    "--- /dev/null",
    "+++ b/new.ts",
    "@@ -0,0 +1,2 @@",
    "+fresh",
    "+file",
    "--- a/gone.ts",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-bye",
  ].join("\n");

  it("TOOLS-1: changes, creates and deletes files in one go", async () => {
    const { root, read, patch, textOf } = editor({ "a.ts": "one\ntwo\nthree\n", "gone.ts": "bye\n" });
    await read("a.ts");
    await read("gone.ts");
    expect(await textFrom(patch, { patch: PATCH })).toBe(
      'Applied: changed "a.ts", created "new.ts", deleted "gone.ts".',
    );
    expect(textOf("a.ts")).toBe("one\n2\nthree\n");
    expect(textOf("new.ts")).toBe("fresh\nfile\n");
    expect(existsSync(join(root, "gone.ts"))).toBe(false);
  });

  it("TOOLS-1: does nothing at all when one file does not fit", async () => {
    const { root, read, patch, textOf } = editor({ "a.ts": "one\ntwo\nthree\n", "gone.ts": "not bye\n" });
    await read("a.ts");
    await read("gone.ts");
    expect(await failureOf(patch, { patch: PATCH })).toContain("Nothing was changed.");
    expect(textOf("a.ts")).toBe("one\ntwo\nthree\n");
    expect(existsSync(join(root, "new.ts"))).toBe(false);
  });

  it("finds a hunk by its text when its numbers are wrong or missing", async () => {
    const { read, patch, textOf } = editor({ "a.ts": "x\ny\nx\ny\nx\ny\n" });
    await read("a.ts");
    await textFrom(patch, { patch: "--- a.ts\n+++ a.ts\n@@ -4,2 +4,2 @@\n x\n-y\n+z\n" });
    expect(textOf("a.ts")).toBe("x\ny\nx\nz\nx\ny\n");
    await textFrom(patch, { patch: "--- a/a.ts\n+++ b/a.ts\n@@\n-z\n+Z\n@@\n x\n-y\n+last\n" });
    expect(textOf("a.ts")).toBe("x\ny\nx\nZ\nx\nlast\n");
    expect(await failureOf(patch, { patch: "--- a/a.ts\n+++ b/a.ts\n@@\n-x\n+w\n" })).toContain("many_matches: ");
  });

  it("SEC-8: refuses more hunks than can be looked for in a long file, and changes nothing", async () => {
    const { read, patch, textOf } = editor({ "a.txt": "a\n".repeat(50_000) });
    await read("a.txt");
    const hunks = "@@ -1 +1 @@\n-a\n+b\n".repeat(500);
    expect(await failureOf(patch, { patch: `--- a/a.txt\n+++ b/a.txt\n${hunks}` })).toContain("too_large: ");
    expect(textOf("a.txt")).not.toContain("b");
  });

  it("keeps or takes the last line break as the patch says", async () => {
    const { read, patch, textOf } = editor({ "a.ts": "one\ntwo" });
    await read("a.ts");
    await textFrom(patch, { patch: "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n" });
    expect(textOf("a.ts")).toBe("1\ntwo");
    await textFrom(patch, { patch: "--- a/a.ts\n+++ b/a.ts\n@@ -2 +2 @@\n-two\n\\ No newline at end of file\n+2\n" });
    expect(textOf("a.ts")).toBe("1\n2\n");
    await textFrom(patch, { patch: "--- a/a.ts\n+++ b/a.ts\n@@ -2 +2 @@\n-2\n+3\n\\ No newline at end of file\n" });
    expect(textOf("a.ts")).toBe("1\n3");
  });

  it.each([
    ["prose", "please change a.ts"],
    ["a rename", "diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n"],
    ["two names", "--- a/a.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-one\n+1\n"],
    ["no hunk", "--- a/a.ts\n+++ b/a.ts\n"],
    ["a strange line", "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n*one\n"],
    ["a file twice", "--- a/a.ts\n+++ b/a.ts\n@@\n-one\n+1\n--- a/a.ts\n+++ b/a.ts\n@@\n-one\n+2\n"],
    ["a way out", "--- /dev/null\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n"],
    ["git's own", "--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n"],
  ])("refuses %s", async (_, patch) => {
    const each = editor({ "a.ts": "one\n" });
    await each.read("a.ts");
    expect(await failureOf(each.patch, { patch })).not.toContain("no failure");
    expect(each.textOf("a.ts")).toBe("one\n");
  });
});
