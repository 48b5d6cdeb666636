import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FolderMemory, knownId, readFolderState } from "../../../src/workspace/working-tree/folder-state.ts";
import { scanFolder } from "../../../src/workspace/working-tree/scan-folder.ts";
import { rememberWritten } from "../../../src/workspace/working-tree/working-tree.ts";
import { signal } from "./tree-fixture.ts";

const root = mkdtempSync(join(tmpdir(), "forge-state-"));
afterAll(() => rmSync(root, { recursive: true }));

describe("looking at a folder again", () => {
  it("reads a file again unless it looks as it did, and remembers none that has just changed", async () => {
    writeFileSync(join(root, "a"), "a\n");
    const memory: FolderMemory = { hashes: new Map() };
    const before = new Map([["a", { mode: "100644", sha: "1".repeat(40) }]]);
    const look = async () => {
      const found = { root, signal, files: [...(await scanFolder(root, new Set()))] };
      return (await readFolderState(found, { entries: before, unwritten: new Set() }, memory)).get("a")?.sha;
    };
    const real = "78981922613b2afb6025042ff6bd878ac1994e85";
    expect(await look()).toBe(real);
    expect(memory.hashes.size).toBe(0);
    const stamp = (await scanFolder(root, new Set())).get("a")?.stamp ?? "";
    memory.hashes.set("a", { stamp, sha: "2".repeat(40) });
    expect(await look()).toBe("2".repeat(40));
    writeFileSync(join(root, "a"), "b\n");
    expect(await look()).not.toBe("2".repeat(40));
  });

  it("knows what was written, and sees a change that follows at once", async () => {
    writeFileSync(join(root, "written"), "w\n");
    writeFileSync(join(root, "nobody's"), "n\n");
    const entries = new Map([["written", { mode: "100644", sha: "3".repeat(40) }]]);
    const memory = await rememberWritten(root, { entries, unwritten: new Set() }, join(root, "clock"));
    expect([...memory.hashes.keys()]).toEqual(["written"]);
    const looks = async () => (await scanFolder(root, new Set())).get("written")!;
    expect(knownId(memory, "written", await looks())).toBe("3".repeat(40));
    writeFileSync(join(root, "written"), "x\n");
    expect(knownId(memory, "written", await looks())).toBeUndefined();
  });
});
