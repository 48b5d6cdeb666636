import { describe, expect, it } from "vitest";
import { PROJECTS } from "../../../scripts/selection/projects.ts";
import { selectFor, writeFiles } from "../../../scripts/selection/select.ts";
import { createOutlineMemory } from "../../../src/analysis/map/read-graph.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";

const place = { outlines: createOutlineMemory(), signal: new AbortController().signal };

describe.each(PROJECTS)("TEST-3: $name", ({ files, mutations }) => {
  it("selects the tests that each change breaks", async () => {
    const before = new Set(Object.keys(files));
    const missed: unknown[] = [];
    for (const mutation of mutations) {
      const folder = folderWith(files);
      writeFiles(folder.root, mutation.to);
      const { selection } = await selectFor(folder.files, mutation, before, { ...place, scratch: temporaryFolder() });
      if (process.env.SHOW) console.log(mutation.what, selection);
      const left = mutation.breaks.filter((path) => !selection.files.includes(path));
      if (left.length > 0) missed.push([mutation.what, left, selection]);
    }
    expect(missed).toEqual([]);
  });
});
