import { describe, expect, it } from "vitest";
import { diffRaw } from "../../src/workspace/diff.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { pathToBytes } from "../../src/workspace/path-text.ts";
import { createPack, type Entry, type Pack } from "../hostile/git/pack.ts";
import { expectOk, type Fixture, startFixture } from "./fixture.ts";
import { runTestGit, type TestFile } from "./test-repository.ts";

/** The diff of a head that changes `before` into `after`. */
async function diffOf(fixture: Fixture, before: TestFile[], after: TestFile[], limits = {}) {
  const base = fixture.origin.commit({ branch: "main", files: before });
  const head = fixture.origin.commit({ branch: "topic", parents: [base], files: after });
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [base, head] }));
  return expectOk(await diffRaw(mirror, { base, head, limits }));
}

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");

describe("the diff of a pull request", () => {
  it("tells every kind of change, and where in the patch each file stands", async () => {
    await using fixture = await startFixture();
    const diff = await diffOf(
      fixture,
      [
        { path: "changed.txt", content: LINES },
        { path: "gone.txt", content: "gone\n" },
        { path: "moved.txt", content: `${LINES}moved\n` },
        { path: "run.sh", content: "echo\n" },
        { path: "becomes-link", content: "text\n" },
        { path: "picture.png", content: Buffer.from([0x89, 0, 1, 2]) },
      ],
      [
        { path: "added.txt", content: "new\n" },
        { path: "changed.txt", content: LINES.replace("line 3\n", "three\nand a half\n") },
        { path: "gone.txt" },
        { path: "moved.txt" },
        { path: "to/moved.txt", content: `${LINES}moved on\n` },
        { path: "run.sh", content: "echo\n", mode: "100755" },
        { path: "becomes-link", content: "/etc/passwd", mode: "120000" },
        { path: "picture.png", content: Buffer.from([0x89, 0, 1, 3]) },
        { path: "module", content: "1".repeat(40), mode: "160000" },
      ],
    );
    const shown = diff.files.map((file) => {
      const { start, end } = file.patchRange ?? { start: 0, end: 0 };
      const header = diff.patch.toString("utf8", start, end).split("\n")[0];
      const lines = file.binary ? "binary" : `+${file.addedLines} -${file.deletedLines}`;
      return [file.status, file.newPath ?? file.oldPath, file.newKind ?? file.oldKind, lines, header];
    });
    expect(shown).toEqual([
      ["added", "added.txt", "file", "+1 -0", "diff --git a/added.txt b/added.txt"],
      ["type changed", "becomes-link", "symlink", "+1 -1", "diff --git a/becomes-link b/becomes-link"],
      ["modified", "changed.txt", "file", "+2 -1", "diff --git a/changed.txt b/changed.txt"],
      ["deleted", "gone.txt", "file", "+0 -1", "diff --git a/gone.txt b/gone.txt"],
      ["added", "module", "submodule", "+1 -0", "diff --git a/module b/module"],
      ["modified", "picture.png", "file", "binary", "diff --git a/picture.png b/picture.png"],
      ["mode changed", "run.sh", "file", "+0 -0", "diff --git a/run.sh b/run.sh"],
      ["renamed", "to/moved.txt", "file", "+1 -1", "diff --git a/moved.txt b/to/moved.txt"],
    ]);
    expect(diff.truncated).toBeUndefined();
    expect(diff.files.find((file) => file.status === "renamed")?.oldPath).toBe("moved.txt");
    expect(diff.files.find((file) => file.newPath === "run.sh")).toMatchObject({
      oldMode: "100644",
      newMode: "100755",
    });
    expect(diff.files.find((file) => file.newPath === "picture.png")).toMatchObject({ newBytes: 4, tooLarge: false });
    expect(diff.files.at(-1)?.patchRange?.end).toBe(diff.patch.length);
  });

  it("reads only renames, and nothing changed at all", async () => {
    await using fixture = await startFixture();
    const renamed = await diffOf(
      fixture,
      [{ path: "a", content: LINES }],
      [{ path: "a" }, { path: "b", content: LINES }],
    );
    expect(renamed.files).toMatchObject([{ status: "renamed", oldPath: "a", newPath: "b", similarity: 100 }]);
    const same = await diffOf(fixture, [{ path: "a", content: LINES }], []);
    expect(same).toMatchObject({ files: [], truncated: undefined });
    expect(same.patch).toHaveLength(0);
  });

  it("keeps CRLF, a byte order mark, invalid UTF-8 and a line of 1 MB as they are", async () => {
    await using fixture = await startFixture();
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    const content = Buffer.concat([
      Buffer.from("\ufeffone\r\ntwo\r\n"),
      latin,
      Buffer.from(`\n${"x".repeat(1_000_000)}\n`),
    ]);
    const diff = await diffOf(
      fixture,
      [],
      [
        { path: latin, content },
        { path: '"quoted', content: "q\n" },
      ],
    );
    expect(diff.patch.includes("+\ufeffone\r\n+two\r\n")).toBe(true);
    expect(diff.patch.includes(Buffer.concat([Buffer.from("\n+"), latin, Buffer.from("\n")]))).toBe(true);
    expect(diff.patch.includes(`\n+${"x".repeat(1_000_000)}\n`)).toBe(true);
    expect(diff.files.map((file) => file.newPath)).toEqual(['"\\042quoted"', '"caf\\351"']);
    expect(diff.files.map((file) => pathToBytes(file.newPath ?? ""))).toEqual([Buffer.from('"quoted'), latin]);
  });

  it("compares with the merge base, and with the base itself for unrelated histories", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const start = origin.commit({ branch: "main", files: [{ path: "a", content: "a\n" }] });
    const base = origin.commit({ branch: "main", parents: [start], files: [{ path: "later", content: "on main\n" }] });
    const head = origin.commit({ branch: "topic", parents: [start], files: [{ path: "b", content: "b\n" }] });
    const stranger = origin.commit({ branch: "stranger", files: [{ path: "c", content: "c\n" }] });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, head, stranger] }));
    const diff = expectOk(await diffRaw(mirror, { base, head }));
    expect(diff.mergeBase).toBe(start);
    expect(diff.files.map((file) => file.newPath)).toEqual(["b"]);
    const unrelated = expectOk(await diffRaw(mirror, { base, head: stranger }));
    expect(unrelated.mergeBase).toBeUndefined();
    expect(unrelated.files.map((file) => `${file.status} ${file.newPath ?? file.oldPath}`)).toEqual([
      "deleted a",
      "added c",
      "deleted later",
    ]);
    expect(await diffRaw(mirror, { base: "0".repeat(40), head })).toMatchObject({
      ok: false,
      reason: "missing commit",
    });
  });

  it("fetches all missing contents in one request", async () => {
    await using fixture = await startFixture();
    const files = Array.from({ length: 50 }, (_, at) => ({ path: `f${at}`, content: `${at}\n` }));
    const base = fixture.origin.commit({ branch: "main", files });
    const changed = files.map(({ path }) => ({ path, content: `${path} changed\n` }));
    const head = fixture.origin.commit({ branch: "topic", parents: [base], files: changed });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    fixture.server.requests.length = 0;
    expect(expectOk(await diffRaw(mirror, { base, head })).files).toHaveLength(50);
    expect(fixture.server.requests).toEqual([
      "GET /origin.git/info/refs?service=git-upload-pack",
      "POST /origin.git/git-upload-pack",
    ]);
    expectOk(await diffRaw(mirror, { base, head }));
    expect(fixture.server.requests).toHaveLength(2);
  });
});

/** The diff of two folders that git's own programs refuse to make. */
async function crookedDiff(fixture: Fixture, make: (pack: Pack) => readonly [Entry[], Entry[]]) {
  const { origin } = fixture;
  const pack = createPack();
  const [before, after] = make(pack);
  const base = pack.commit({ tree: pack.tree(before, "as given"), parents: [] });
  const head = pack.commit({ tree: pack.tree(after, "as given"), parents: [base] });
  runTestGit(origin.directory, ["unpack-objects", "-q"], pack.bytes());
  origin.git("update-ref", "refs/heads/crooked", head);
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [base, head] }));
  return expectOk(await diffRaw(mirror, { base, head }));
}

describe("SEC-1: a folder that git's own programs do not make", () => {
  it.each(["twice", "the other way round", "out of order"])("is not looked at when a name is in it %s", async (how) => {
    await using fixture = await startFixture();
    const { truncated, files } = await crookedDiff(fixture, (pack) => {
      const file = (name: string, content: string) => ({ mode: "100644", name, id: pack.blob(content) });
      const [clean, evil, other] = [file("a.js", "clean\n"), file("a.js", "evil\n"), file("m.js", "clean\n")];
      if (how === "out of order")
        return [
          [clean, other],
          [other, evil],
        ];
      return [[other], how === "twice" ? [clean, evil, other] : [evil, clean, other]];
    });
    expect(truncated).toMatchObject({ reason: "files", detail: expect.stringContaining("holds a name twice") });
    expect(files.length).toBeGreaterThan(0);
  });

  it("costs no more than others when it holds ten billion files in eleven objects", async () => {
    await using fixture = await startFixture();
    const { truncated } = await crookedDiff(fixture, (pack) => {
      const ten = (mode: string, id: string) => Array.from({ length: 10 }, (_, at) => ({ mode, name: `n${at}`, id }));
      let id = pack.tree(ten("100644", pack.blob("one\n")));
      for (let level = 0; level < 9; level += 1) id = pack.tree(ten("40000", id));
      return [[], [{ mode: "40000", name: "bomb", id }]];
    });
    expect(truncated).toMatchObject({ reason: "files", detail: expect.stringContaining("More than") });
  });
});

describe("the limits of a diff", () => {
  it("stops at the number of files and still names those", async () => {
    await using fixture = await startFixture();
    const added = Array.from({ length: 30 }, (_, at) => ({
      path: `f${String(at).padStart(2, "0")}`,
      content: `${at}\n`,
    }));
    const diff = await diffOf(fixture, [], added, { files: 10 });
    expect(diff.truncated).toEqual({
      reason: "files",
      detail: "More than 10 files are changed, so none was looked at.",
    });
    expect(diff.files.map((file) => file.newPath)).toEqual(added.slice(0, 10).map((file) => file.path));
    expect(diff.patch).toHaveLength(0);
    expect((await diffOf(fixture, [], added.slice(0, 10), { files: 10 })).truncated).toBeUndefined();
  });

  it("cuts the text between two files and keeps all metadata", async () => {
    await using fixture = await startFixture();
    const content = "0123456789\n".repeat(100);
    const added = ["a", "b", "c", "d"].map((path) => ({ path, content: `${path}\n${content}` }));
    const diff = await diffOf(fixture, [], added, { patchBytes: 3_000 });
    expect(diff.truncated).toEqual({ reason: "patch bytes", detail: "The diff is longer than 3000 bytes." });
    expect(diff.files.map((file) => [file.newPath, file.addedLines, file.patchRange !== undefined])).toEqual([
      ["a", 101, true],
      ["b", 101, true],
      ["c", 101, false],
      ["d", 101, false],
    ]);
    expect(diff.patch.toString().endsWith("+0123456789\n")).toBe(true);
    expect(diff.patch.toString().match(/^diff --git/gm)).toHaveLength(2);
  });

  it("shows no text of a file above the limit and says that it is too large", async () => {
    await using fixture = await startFixture();
    const diff = await diffOf(fixture, [], [{ path: "large.txt", content: "x\n".repeat(600) }], { fileBytes: 1_000 });
    expect(diff.files).toMatchObject([{ newPath: "large.txt", binary: true, tooLarge: true, newBytes: 1_200 }]);
    expect(diff.patch.toString()).toContain("Binary files /dev/null and b/large.txt differ");
  });

  it("keeps the list of files when their contents are too much to fetch", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const noise = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919 * (at % 251)) & 0xff));
    const base = origin.commit({ branch: "main" });
    const head = origin.commit({ branch: "topic", parents: [base], files: [{ path: "noise.bin", content: noise }] });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    const diff = expectOk(await diffRaw(mirror, { base, head, fetchLimits: { timeMs: 60_000, bytes: 5_000 } }));
    expect(diff.truncated?.reason).toBe("contents");
    expect(diff.files).toMatchObject([{ status: "added", newPath: "noise.bin", addedLines: undefined }]);
  });
});
