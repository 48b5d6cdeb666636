import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createWorkTreeStore } from "../../../src/pipeline/implement/work/work-job.ts";
import { treeOfFiles } from "../../workspace/working-tree/tree-fixture.ts";

async function shelved() {
  const fixture = await treeOfFiles([{ path: "a.ts", content: "a();\n" }]);
  const trees = createWorkTreeStore();
  const open = async () => Object.assign(await fixture.open(), { mirror: fixture.mirror() });
  return { base: fixture.base, trees, open, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

describe("the shelf of a job", () => {
  it("gives what was left to the next phase, once", async () => {
    await using it = await shelved();
    const tree = await it.open();
    await it.trees.put(tree);
    expect(await it.trees.take(it.base)).toBe(tree);
    expect(existsSync(tree.folder)).toBe(true);
    expect(await it.trees.take(it.base)).toBeUndefined();
  });

  it("closes what stands elsewhere, what nobody takes, and what another takes the place of", async () => {
    await using it = await shelved();
    const elsewhere = await it.open();
    await it.trees.put(elsewhere);
    expect(await it.trees.take("1".repeat(40))).toBeUndefined();
    expect(existsSync(elsewhere.folder)).toBe(false);
    const [first, second] = [await it.open(), await it.open()];
    await it.trees.put(first);
    await it.trees.put(second);
    expect([first, second].map(({ folder }) => existsSync(folder))).toEqual([false, true]);
    await it.trees[Symbol.asyncDispose]();
    expect(existsSync(second.folder)).toBe(false);
  });
});
