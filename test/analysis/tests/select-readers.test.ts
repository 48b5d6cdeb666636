import { describe, expect, it } from "vitest";
import { PROJECTS } from "../../../scripts/selection/projects.ts";
import { selectFor, writeFiles } from "../../../scripts/selection/select.ts";
import { createGraphReader, createOutlineMemory } from "../../../src/analysis/map/read-graph.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";

const { signal } = new AbortController();
const outlines = createOutlineMemory();
const reader = (files: ReturnType<typeof folderWith>["files"]) =>
  createGraphReader({ files, scratch: temporaryFolder(), immutable: true, outlines })(signal);

// One process parses the files of all projects, as they are and as they are changed.
const everything = PROJECTS.flatMap(({ files, mutations }, at) =>
  [files, ...mutations.map(({ to }) => to)].flatMap((side, number) =>
    Object.entries(side).flatMap(([path, text]) => (text === null ? [] : [[`${at}/${number}/${path}`, text] as const])),
  ),
);
await reader(folderWith(Object.fromEntries(everything)).files);

// R11 and R12 are among them: an alias, data that is read, a program that a test starts.
// `npm run measure:selection` runs these projects and checks `breaks`.
describe.each(PROJECTS)("TEST-3: $name", ({ files, mutations }) => {
  it("selects the tests that each change breaks", async () => {
    const before = new Set(Object.keys(files));
    const missed: unknown[] = [];
    for (const mutation of mutations) {
      const folder = folderWith(files);
      writeFiles(folder.root, mutation.to);
      const { selection } = await selectFor(folder.files, await reader(folder.files), mutation, before, signal);
      const left = mutation.breaks.filter((path) => !selection.files.includes(path));
      if (left.length > 0) missed.push([mutation.what, left, selection]);
    }
    expect(missed).toEqual([]);
  });
});
