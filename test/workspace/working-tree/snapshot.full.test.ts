import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TreeSnapshot } from "../../../src/workspace/working-tree/snapshot.ts";
import { WRITE_LIMITS } from "../../../src/workspace/write-head.ts";
import { BY, learn, treeOfFiles, wasChanged } from "./tree-fixture.ts";

const FILES = [
  { path: "a/b/c.txt", content: "c\r\n" },
  { path: "run.sh", content: "#!/bin/sh\n", mode: "100755" },
  { path: "moved.ts", content: "export const moved = 1;\n".repeat(20) },
  { path: "gone.ts", content: "gone\n" },
  { path: Buffer.from([0x63, 0xe9]), content: "latin1\n" },
  { path: "link", content: "target", mode: "120000" },
  { path: "module", content: "1".repeat(40), mode: "160000" },
  { path: ".gitignore", content: "out/\n" },
];
/** More than a working tree writes. */
const LARGE = { path: "large.bin", content: Buffer.alloc(WRITE_LIMITS.fileBytes + 1) };

describe("a working tree that goes on elsewhere", () => {
  it("PIPE-6, PIPE-7: gives commits and uncommitted files back exactly, to a machine that has nothing", async () => {
    await using fixture = await treeOfFiles([...FILES, LARGE]);
    const tree = await fixture.open();
    renameSync(join(tree.folder, "moved.ts"), join(tree.folder, "a", "moved on.ts"));
    await tree.commit({ message: "one", ...BY });
    writeFileSync(join(tree.folder, "data.bin"), Buffer.from([0, 255, 13, 10, 0]));
    await wasChanged(tree);
    await tree.commit({ message: "two", ...BY });
    rmSync(join(tree.folder, "gone.ts"));
    chmodSync(join(tree.folder, "run.sh"), 0o644);
    writeFileSync(join(tree.folder, "new.sh"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(tree.folder, ":(top)größe"), "odd\n");
    await wasChanged(tree);
    const id = await tree.treeId();
    const snapshot = await tree.snapshot();
    expect(snapshot).toMatchObject({ base: fixture.base, head: tree.head(), tree: id, merged: [] });

    const second = await fixture.open({ snapshot: kept(snapshot) });
    expect([second.head(), await second.treeId()]).toEqual([tree.head(), id]);
    expect(statSync(join(second.folder, "new.sh")).mode & 0o111).not.toBe(0);
    expect(statSync(join(second.folder, "run.sh")).mode & 0o111).toBe(0);
    expect(readFileSync(join(second.folder, "data.bin"))).toEqual(Buffer.from([0, 255, 13, 10, 0]));
    const statuses = (given: Awaited<ReturnType<typeof tree.changedSince>>) =>
      given.files.map(({ status, oldPath, newPath }) => [status, oldPath, newPath]);
    expect(statuses(await second.changedSince(tree.head()))).toEqual(statuses(await tree.changedSince(tree.head())));
    expect(statuses(await second.changedSince(fixture.base))).toContainEqual(["renamed", "moved.ts", "a/moved on.ts"]);

    // Both go on in the same way, and what they make is whole.
    const [one, other] = [
      await tree.commit({ message: "three", ...BY }),
      await second.commit({ message: "three", ...BY }),
    ];
    expect(one).toEqual(other);
    learn(fixture.origin, await second.snapshot());
    expect(fixture.origin.git("rev-list", "--count", `${fixture.base}..${second.head()}`)).toBe("3");
    fixture.origin.git("fsck", "--strict", "--connectivity-only");
  });

  it("packs nothing where nothing was done, and not again where nothing changed since", async () => {
    await using fixture = await treeOfFiles(FILES);
    const tree = await fixture.open();
    const first = await tree.snapshot();
    expect(first).toEqual({
      base: fixture.base,
      head: fixture.base,
      tree: fixture.baseTree,
      merged: [],
      pack: Buffer.alloc(0),
    });
    expect(await tree.snapshot()).toBe(first);
    writeFileSync(join(tree.folder, "new"), "n\n");
    await wasChanged(tree);
    const second = await tree.snapshot();
    expect(second).not.toBe(first);
    expect(await tree.snapshot()).toBe(second);
    await tree.commit({ message: "x", ...BY });
    const third = await tree.snapshot();
    expect(third.tree).toBe(second.tree);
    expect(third.head).not.toBe(second.head);
    const again = await fixture.open({ snapshot: third });
    expect(await again.snapshot()).toBe(third);
  });

  it("packs contents that were copied or brought back without needing the base's own", async () => {
    await using fixture = await treeOfFiles([...FILES, { path: "deep/er/original.ts", content: "original();\n" }]);
    const tree = await fixture.open();
    mkdirSync(join(tree.folder, "copies"));
    writeFileSync(join(tree.folder, "copies", "copy.ts"), "original();\n");
    const { pack } = await tree.snapshot();
    expect(pack.length).toBeLessThan(1_000);
    const second = await fixture.open({ snapshot: await tree.snapshot() });
    expect(await second.treeId()).toBe(await tree.treeId());
  });

  it("refuses a pack that is damaged and one of another base", async () => {
    await using fixture = await treeOfFiles(FILES);
    const tree = await fixture.open();
    writeFileSync(join(tree.folder, "new"), "n\n");
    const snapshot = await tree.snapshot();
    const pack = Buffer.from(snapshot.pack);
    pack[20]! ^= 1;
    await expect(fixture.open({ snapshot: { ...snapshot, pack } })).rejects.toMatchObject({
      code: "working_tree_unavailable",
    });
    const other = fixture.origin.commit({ branch: "other", files: [] });
    await expect(fixture.open({ snapshot: { ...snapshot, base: other } })).rejects.toMatchObject({
      code: "working_tree_unavailable",
    });
  });
});

/** As it comes back from a store. */
function kept({ pack, ...rest }: TreeSnapshot): TreeSnapshot {
  return { ...JSON.parse(JSON.stringify(rest)), pack: Buffer.from(pack.toString("base64"), "base64") };
}
