import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ImportGraph } from "../../src/analysis/map/import-graph.ts";
import { selectTests, type TestSelection } from "../../src/analysis/tests/select-tests.ts";
import { packRepository } from "../../src/analysis/tests/selection/pack-repository.ts";
import { unpackRepository } from "../../src/analysis/tests/selection/packed-repository.ts";
import { readTexts } from "../../src/analysis/tests/selection/read-texts.ts";
import { findTestCommand, isTestOf, TEST_MANIFESTS, type TestCommand } from "../../src/tools/run/test-command.ts";
import type { RepositoryFiles } from "../../src/workspace/files/repository-files.ts";
import type { Mutation } from "./project.ts";

export interface Selected {
  readonly command: TestCommand;
  readonly tests: readonly string[];
  readonly selection: TestSelection;
}

/** What Forge would run of a project at low risk, with a mutation that is written to its folder already. */
export async function selectFor(
  files: RepositoryFiles,
  graph: ImportGraph,
  { to }: Mutation,
  before: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Selected> {
  const { paths } = graph;
  const manifests = await files.readMany(
    TEST_MANIFESTS.filter((path) => paths.includes(path)),
    signal,
  );
  const command = findTestCommand({ paths, textOf: (path) => manifests.get(path)?.toString("utf8") });
  if (command === undefined) throw new Error("No way to run the tests was found.");
  const isTest = (path: string) => isTestOf(command, path);
  const tests = paths.filter(isTest);
  // As the thread of Forge does it; starting one for each of many small projects takes longer than the rest.
  const repository = unpackRepository(await packRepository(files, graph, signal));
  const texts = readTexts(repository, { gone: Object.keys(to), tests });
  const changed = Object.entries(to).map(([path, text]) => {
    const status = text === null ? "deleted" : before.has(path) ? "modified" : "added";
    return { path, status } as const;
  });
  return { command, tests, selection: selectTests({ graph: repository.graph, texts, changed, isTest, risk: "low" }) };
}

/** Writes files below a folder; null removes one. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path);
    if (text === null) rmSync(place);
    else {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    }
  }
}
