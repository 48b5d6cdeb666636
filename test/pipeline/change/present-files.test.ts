import { expect, it } from "vitest";
import { presentFiles } from "../../../src/pipeline/change/present-files.ts";

it("REV-4: a change is compared once for all who read it, and only what the head has text of", async () => {
  const file = (path: string) => ({ path, status: "modified", hunks: [], binary: false }) as never;
  const files = [file("a.ts"), file("gone.ts"), file("large.bin")];
  const contents = new Map<string, never>([
    ["a.ts", Buffer.from("const a = 2;\n") as never],
    ["large.bin", { skipped: "larger than the limit" } as never],
  ]);
  const change = { files, contents, oldContents: new Map([["a.ts", Buffer.from("const a = 1;\n") as never]]) };
  const presented = await presentFiles(change);
  expect(presented.map(({ path }) => path)).toEqual(["a.ts"]);
  expect(presented[0]?.text).toContain("    1 +|const a = 2;");
  expect(await presentFiles({ ...change })).toBe(presented);
  expect(await presentFiles({ ...change, files: [...files] })).not.toBe(presented);
});
