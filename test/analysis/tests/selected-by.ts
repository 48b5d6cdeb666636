import type { Project } from "../../../scripts/selection/project.ts";
import { PROJECTS } from "../../../scripts/selection/projects.ts";
import { selectFor, writeFiles } from "../../../scripts/selection/select.ts";
import { createGraphReader, createOutlineMemory } from "../../../src/analysis/map/read-graph.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";

const { signal } = new AbortController();
const outlines = createOutlineMemory();
const reader = (files: ReturnType<typeof folderWith>["files"]) =>
  createGraphReader({ files, scratch: temporaryFolder(), immutable: true, outlines })(signal);

/** One process parses the files of all these projects, as they are and as they are changed. */
export async function readAll(projects: readonly Project[]): Promise<void> {
  const everything = projects.flatMap(({ files, mutations }, at) =>
    [files, ...mutations.map(({ to }) => to)].flatMap((side, number) =>
      Object.entries(side).flatMap(([path, text]) =>
        text === null ? [] : [[`${at}/${number}/${path}`, text] as const],
      ),
    ),
  );
  await reader(folderWith(Object.fromEntries(everything)).files);
}

/** Tests that a change of a project breaks and that are not selected for it, with the selection. */
export async function missedBy({ files, mutations }: Project): Promise<readonly unknown[]> {
  const before = new Set(Object.keys(files));
  const missed: unknown[] = [];
  for (const mutation of mutations) {
    const folder = folderWith(files);
    writeFiles(folder.root, mutation.to);
    const { selection } = await selectFor(folder.files, await reader(folder.files), mutation, before, signal);
    // Everything is run without names, and so are tests that only the runner's settings know.
    const left = selection.kind === "full" ? [] : mutation.breaks.filter((path) => !selection.files.includes(path));
    if (left.length > 0) missed.push([mutation.what, left, selection]);
  }
  return missed;
}

/** What is selected for the first change of a project. */
export async function selectionOf({ files, mutations: [mutation] }: Project) {
  if (mutation === undefined) throw new Error("The project has no change.");
  const folder = folderWith(files);
  writeFiles(folder.root, mutation.to);
  const before = new Set(Object.keys(files));
  const { selection } = await selectFor(folder.files, await reader(folder.files), mutation, before, signal);
  return selection;
}

/** What stands for the others at each change. */
export const SHORT: ReadonlySet<string> = new Set(
  PROJECTS.map(({ name }) => name).filter((name) =>
    /^(?:data by|programs, workers|aliases, what|settings that packages|vitest: tests that settings|pytest: conftest)/.test(
      name,
    ),
  ),
);
