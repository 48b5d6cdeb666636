import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SNAPSHOT_BYTES } from "../../../src/workspace/working-tree/snapshot.ts";
import { WRITE_LIMITS } from "../../../src/workspace/write-head.ts";
import { treeOfFiles, wasChanged } from "./tree-fixture.ts";

describe("a working tree that goes on elsewhere", () => {
  it("says what is too large to be kept", async () => {
    await using fixture = await treeOfFiles([{ path: "a", content: "a\n" }]);
    const tree = await fixture.open();
    const each = Math.floor(WRITE_LIMITS.fileBytes * 0.9);
    for (let count = 0; count * each <= SNAPSHOT_BYTES; count += 1) {
      writeFileSync(join(tree.folder, `noise-${count}`), randomBytes(each - count));
    }
    await expect(tree.snapshot()).rejects.toMatchObject({
      code: "working_tree_too_large",
      message: expect.stringContaining(`"noise-0" (${each.toLocaleString("en-US")} bytes), "noise-1"`),
    });
    rmSync(join(tree.folder, "noise-0"));
    await wasChanged(tree);
    expect((await tree.snapshot()).pack.length).toBeGreaterThan(each);
  });
});
