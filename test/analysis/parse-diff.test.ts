import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { classifyFile } from "../../src/analysis/classify-file.ts";
import { type FileMetadata, fileMetadata, parseDiff } from "../../src/analysis/parse-diff.ts";

const ENV = { PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", HOME: tmpdir() };
const IDENTITY = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"];

/** The diff that real git makes of two states of a folder, with its list of files read from `--raw --numstat -z`. */
function gitDiff(
  base: (folder: string) => void,
  head: (folder: string) => void,
): { patch: Buffer; metadata: FileMetadata[] } {
  const folder = mkdtempSync(join(tmpdir(), "forge-diff-"));
  const git = (...args: string[]) => execFileSync("git", [...IDENTITY, ...args], { cwd: folder, env: ENV });
  const commit = () => {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", "x");
  };
  git("init", "-q");
  base(folder);
  commit();
  head(folder);
  commit();
  const options = ["diff", "--no-color", "--no-ext-diff", "-M", "--full-index", "HEAD~1", "HEAD"];
  const patch = git(...options);
  const metadata = readList(git(...options, "--raw", "-z").toString(), git(...options, "--numstat", "-z").toString());
  rmSync(folder, { recursive: true });
  return { patch, metadata };
}

const STATUS = { A: "added", M: "modified", D: "deleted", R: "renamed", C: "copied", T: "type_changed" } as const;

function readList(raw: string, numbers: string): FileMetadata[] {
  const fields = raw.split("\0");
  const counts = numbers.split("\0");
  const files: FileMetadata[] = [];
  while (fields.length > 1) {
    const [oldMode, newMode, oldBlob, blob, letters] = fields.shift()!.slice(1).split(" ") as [
      string,
      string,
      string,
      string,
      string,
    ];
    const status = STATUS[letters[0] as keyof typeof STATUS];
    const oldPath = status === "renamed" ? fields.shift() : undefined;
    const path = fields.shift()!;
    const [added, deleted] = counts.shift()!.split("\t") as [string, string];
    if (status === "renamed") counts.splice(0, 2);
    const binary = added === "-";
    files.push({
      path,
      ...(oldPath === undefined ? {} : { oldPath }),
      status,
      oldMode,
      newMode,
      oldBlob,
      blob,
      binary,
      addedLines: binary ? 0 : Number(added),
      deletedLines: binary ? 0 : Number(deleted),
    });
  }
  return files;
}

const lines = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join("");

function write(folder: string, name: string, content: string | Buffer): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), content);
}

describe("parseDiff", () => {
  it("GH-10: gives hunks as line numbers of the new side, with three lines of context", async () => {
    const { patch, metadata } = gitDiff(
      (folder) => write(folder, "a.txt", lines(40)),
      (folder) => write(folder, "a.txt", `${lines(9)}new\n${lines(20, 10)}${lines(10, 31)}`),
    );
    const { files, problems } = await parseDiff(patch, metadata);
    expect(problems).toEqual([]);
    expect(files[0]?.hunks).toEqual([
      { newStart: 7, newEnd: 13, added: [10] },
      { newStart: 28, newEnd: 33, added: [] },
    ]);
  });

  it("says of a deleted file that its hunk shows nothing of the new side", async () => {
    const { patch, metadata } = gitDiff(
      (folder) => write(folder, "a.txt", lines(3)),
      (folder) => rmSync(join(folder, "a.txt")),
    );
    const [file] = (await parseDiff(patch, metadata)).files;
    expect(file?.status).toBe("deleted");
    expect(file?.blob).toBeUndefined();
    const { newStart, newEnd } = file!.hunks[0]!;
    expect(newEnd).toBeLessThan(newStart);
  });

  it("finds the section of every file, however its name is written in the patch", async () => {
    const names = [
      'quote".js',
      "new\nline.js",
      "tab\t.js",
      "back\\slash.js",
      "grüße.js",
      "-rf.js",
      "a b/c d.js",
      "end ",
      " b/x b/y",
      "😀.ts",
    ];
    const { patch, metadata } = gitDiff(
      () => undefined,
      (folder) => {
        for (const name of names) write(folder, name, "one\ntwo\n");
      },
    );
    const { files, problems } = await parseDiff(patch, metadata);
    expect(problems).toEqual([]);
    expect(files.map(({ path }) => path).sort()).toEqual([...names].sort());
    for (const file of files) expect(file.hunks).toEqual([{ newStart: 1, newEnd: 2, added: [1, 2] }]);
  });

  it("reads renames, mode changes, links, changed types and binaries", async () => {
    const { patch, metadata } = gitDiff(
      (folder) => {
        write(folder, "old.txt", lines(30));
        write(folder, "run.sh", "echo\n");
        write(folder, "image.bin", Buffer.from([0, 1, 2]));
        write(folder, "becomes-link", "text\n");
      },
      (folder) => {
        renameSync(join(folder, "old.txt"), join(folder, "new.txt"));
        write(folder, "new.txt", `${lines(30)}more\n`);
        chmodSync(join(folder, "run.sh"), 0o755);
        write(folder, "image.bin", Buffer.from([0, 9, 9]));
        rmSync(join(folder, "becomes-link"));
        symlinkSync("/etc/passwd", join(folder, "becomes-link"));
      },
    );
    const { files, problems } = await parseDiff(patch, metadata);
    const byPath = new Map(files.map((file) => [file.path, file]));
    expect(problems).toEqual([]);
    expect(byPath.get("new.txt")).toMatchObject({ status: "renamed", oldPath: "old.txt", hunks: [{ added: [31] }] });
    expect(byPath.get("run.sh")).toMatchObject({ mode: "100755", hunks: [] });
    expect(byPath.get("image.bin")).toMatchObject({ binary: true, hunks: [] });
    expect(byPath.get("becomes-link")).toMatchObject({
      status: "type_changed",
      mode: "120000",
      hunks: [{ added: [1] }],
    });
  });

  it("counts lines by line feeds only: CRLF, lone returns, byte order marks, invalid UTF-8 and a missing last line feed", async () => {
    const head = Buffer.concat([
      Buffer.from("\ufeffone\r\ntwo\rstill two\u2028and still\n"),
      Buffer.from([0xff, 0xfe, 10]),
      Buffer.from("--- four\n++ five"),
    ]);
    const { patch, metadata } = gitDiff(
      () => undefined,
      (folder) => write(folder, "a.txt", head),
    );
    expect(await parseDiff(patch, metadata)).toMatchObject({
      problems: [],
      files: [{ hunks: [{ newStart: 1, newEnd: 5, added: [1, 2, 3, 4, 5] }] }],
    });
  });

  it("reads a line of 1 MB", async () => {
    const { patch, metadata } = gitDiff(
      () => undefined,
      (folder) => write(folder, "a.js", `${"x".repeat(1_000_000)}\nlast\n`),
    );
    expect(await parseDiff(patch, metadata)).toMatchObject({ problems: [], files: [{ hunks: [{ added: [1, 2] }] }] });
  });

  it("GH-11a: loses only the file whose hunk was cut off, and names it", async () => {
    const { patch, metadata } = gitDiff(
      () => undefined,
      (folder) => {
        write(folder, "a.txt", lines(5));
        write(folder, "b.txt", lines(50));
      },
    );
    const { files, problems } = await parseDiff(patch.subarray(0, patch.length - 100), metadata);
    expect(files.map(({ hunks }) => hunks.length)).toEqual([1, 0]);
    expect(problems).toEqual([{ path: "b.txt", reason: expect.stringContaining("cut off") }]);
  });

  it("GH-11a: names a file that the patch does not mention although it adds lines", async () => {
    const metadata: FileMetadata = {
      path: "a",
      status: "added",
      oldMode: "000000",
      newMode: "100644",
      binary: false,
      addedLines: 2,
      deletedLines: 0,
    };
    expect((await parseDiff("", [metadata])).problems).toEqual([
      { path: "a", reason: "the patch has no section for it" },
    ]);
  });

  it("takes the text of a file from its range where git's list gives one: names may be any bytes then", async () => {
    const { patch, metadata } = gitDiff(
      () => undefined,
      (folder) => {
        write(folder, "same", "one\n");
        write(folder, "twice", "one\ntwo\n");
      },
    );
    const second = patch.indexOf("\ndiff --git ") + 1;
    const ranges = [
      { start: 0, end: second },
      { start: second, end: patch.length },
    ];
    const named = metadata.map((file, index) => ({ ...file, path: '"caf\\351"', patchRange: ranges[index]! }));
    const { files, problems } = await parseDiff(patch, named);
    expect(problems).toEqual([]);
    expect(files.map(({ hunks }) => hunks[0]?.added)).toEqual([[1], [1, 2]]);
  });

  it("GH-11a: a listed file whose lines git did not count is a gap, not a file without added lines", async () => {
    const listed = {
      status: "modified",
      oldPath: "a.ts",
      newPath: "a.ts",
      oldMode: "100644",
      newMode: "100644",
      oldSha: "a",
      newSha: "b",
      oldKind: "file",
      newKind: "file",
      similarity: undefined,
      addedLines: undefined,
      deletedLines: undefined,
      binary: true,
      tooLarge: true,
      oldBytes: 1,
      newBytes: 1,
      patchRange: undefined,
    } as const;
    const { files, problems } = await parseDiff("", fileMetadata([listed]));
    expect(problems).toHaveLength(1);
    expect(classifyFile(files[0]!, { skipped: "larger than 2 MB" })).toMatchObject({
      look: "none",
      reason: "larger than 2 MB",
      gap: true,
    });
  });
});
