import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BY, learn, treeOfFiles, wasChanged } from "./tree-fixture.ts";

const LINES = ["1", "2", "3", "4", "5", "6", "7", "8"];
const FILES = [
  { path: "shared.txt", content: `${LINES.join("\n")}\n` },
  { path: "old.txt", content: "old\n" },
  { path: "dir/file.txt", content: "file\n" },
  { path: "link", content: "target", mode: "120000" },
];
const MERGE = { message: "Merge the base", ...BY };

describe("merging into a working tree", () => {
  it("makes a merge commit with both sides' changes and brings the files up to date", async () => {
    await using fixture = await treeOfFiles(FILES);
    const { origin, base } = fixture;
    const tree = await fixture.open();
    writeFileSync(join(tree.folder, "shared.txt"), `${LINES.join("\n")}\nours\n`);
    await tree.commit({ message: "ours", ...BY });
    const ours = tree.head();
    const theirs = origin.commit({
      branch: "main",
      parents: [base],
      files: [
        { path: "shared.txt", content: `theirs\n${LINES.join("\n")}\n` },
        { path: "old.txt" },
        { path: "dir/file.txt" },
        { path: "dir", content: "a file now\n", mode: "100755" },
        { path: "new/er.txt", content: "new\n" },
        { path: "noise.bin", content: randomBytes(100_000) },
      ],
    });
    // What programs leave in the way of files that come in.
    mkdirSync(join(tree.folder, "node_modules"));
    symlinkSync(fixture.scratchRoot, join(tree.folder, "new"));
    const merged = await tree.merge({ commit: theirs, ...MERGE });
    expect(merged).toEqual({ ok: true, sha: tree.head() });
    const read = (path: string) => readFileSync(join(tree.folder, path), "utf8");
    expect(read("shared.txt")).toBe(`theirs\n${LINES.join("\n")}\nours\n`);
    expect([read("dir"), read("new/er.txt"), existsSync(join(tree.folder, "old.txt"))]).toEqual([
      "a file now\n",
      "new\n",
      false,
    ]);
    expect(existsSync(join(fixture.scratchRoot, "er.txt"))).toBe(false);
    expect(await tree.commit({ message: "nothing left", ...BY })).toEqual({ unchanged: true });

    const snapshot = await tree.snapshot();
    expect(snapshot.merged).toEqual([theirs]);
    expect(snapshot.pack.length).toBeLessThan(10_000);
    learn(origin, snapshot);
    expect(origin.git("log", "-1", "--format=%P", tree.head())).toBe(`${ours} ${theirs}`);
    origin.git("fsck", "--strict", "--connectivity-only");
    const second = await fixture.open({ snapshot });
    expect([second.head(), await second.treeId()]).toEqual([tree.head(), await tree.treeId()]);
    expect((await second.changedSince(theirs)).files.map(({ newPath }) => newPath)).toEqual(["shared.txt"]);
  });

  it("changes nothing where git finds a conflict, and names the files", async () => {
    await using fixture = await treeOfFiles(FILES);
    const tree = await fixture.open();
    writeFileSync(join(tree.folder, "shared.txt"), "ours\n");
    await tree.commit({ message: "ours", ...BY });
    const [head, id] = [tree.head(), await tree.treeId()];
    const files = [
      { path: "shared.txt", content: "theirs\n" },
      { path: "new.txt", content: "new\n" },
    ];
    const theirs = fixture.origin.commit({ branch: "main", parents: [fixture.base], files });
    expect(await tree.merge({ commit: theirs, ...MERGE })).toEqual({ ok: false, files: ["shared.txt"] });
    expect([tree.head(), await tree.treeId()]).toEqual([head, id]);
    expect((await tree.snapshot()).merged).toEqual([]);
  });

  it("takes a commit on top of ours as it is, and one that we have for nothing new", async () => {
    await using fixture = await treeOfFiles(FILES);
    const { origin, base } = fixture;
    const tree = await fixture.open();
    writeFileSync(join(tree.folder, "ours.txt"), "ours\n");
    await tree.commit({ message: "ours", ...BY });
    learn(origin, await tree.snapshot());
    const person = origin.commit({
      branch: "forge/1",
      parents: [tree.head()],
      files: [{ path: "person.txt", content: "person\n" }],
    });
    expect(await tree.merge({ commit: base, ...MERGE })).toEqual({ ok: true, sha: tree.head() });
    expect(await tree.merge({ commit: person, ...MERGE })).toEqual({ ok: true, sha: person });
    expect(readFileSync(join(tree.folder, "person.txt"), "utf8")).toBe("person\n");
    writeFileSync(join(tree.folder, "more.txt"), "more\n");
    await wasChanged(tree);
    await expect(tree.merge({ commit: person, ...MERGE })).rejects.toMatchObject({ code: "working_tree_dirty" });
    const snapshot = await tree.snapshot();
    const second = await fixture.open({ snapshot });
    expect([second.head(), await second.treeId()]).toEqual([person, snapshot.tree]);
  });

  it("PIPE-7: keeps what came back from an older commit, though the mirror was thrown away", async () => {
    await using fixture = await treeOfFiles(FILES);
    const mirror = fixture.mirror();
    const tree = await fixture.open({ mirror });
    const deleted = [{ path: "old.txt" }];
    const theirs = fixture.origin.commit({ branch: "main", parents: [fixture.base], files: deleted });
    expect(await tree.merge({ commit: theirs, ...MERGE })).toEqual({ ok: true, sha: theirs });
    writeFileSync(join(tree.folder, "back.txt"), "old\n");
    await wasChanged(tree);
    await tree.commit({ message: "back", ...BY });
    rmSync(mirror.places.gitDirectory, { recursive: true });
    const second = await fixture.open({ snapshot: await tree.snapshot() });
    expect(readFileSync(join(second.folder, "back.txt"), "utf8")).toBe("old\n");
    expect(await second.treeId()).toBe(await tree.treeId());
  });

  it("fetches the commit itself and refuses what is none", async () => {
    await using fixture = await treeOfFiles(FILES);
    const tree = await fixture.open();
    await expect(tree.merge({ commit: "1".repeat(40), ...MERGE })).rejects.toMatchObject({
      code: "working_tree_unavailable",
      context: { reason: "missing commit" },
    });
    await expect(tree.merge({ commit: "--help", ...MERGE })).rejects.toMatchObject({ code: "invalid_revision" });
  });
});
