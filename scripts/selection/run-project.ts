import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGraphReader, createOutlineMemory } from "../../src/analysis/map/read-graph.ts";
import type { TestContext } from "../../src/pipeline/testing/execute-tests.ts";
import { prepareTests } from "../../src/pipeline/testing/prepare-tests.ts";
import { runFiles } from "../../src/pipeline/testing/run-files.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { openClone } from "../../src/workspace/clone.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import type { Mutation } from "./project.ts";
import { selectFor, writeFiles } from "./select.ts";

/** Something with tests that can be written out as often as needed. */
export interface Source {
  readonly name: string;
  readonly copyTo: (folder: string) => void;
  /** A folder with `node_modules`. */
  readonly packages: string | undefined;
  readonly mutations: readonly Mutation[];
  readonly paths: ReadonlySet<string>;
  /** Whether the mutations say what they break. */
  readonly isTold: boolean;
}

export interface Measured {
  readonly name: string;
  readonly runner: string;
  readonly mutations: number;
  /** Mutations with which a test fails that did not fail before, in the full run, and in the run of what was selected. */
  readonly failing: number;
  readonly caught: number;
  /** Failing tests that the selected run does not fail, with their mutation. */
  readonly missed: readonly string[];
  /** Files of tests: of all runs together, and those that were selected, by this selection. */
  readonly files: number;
  readonly selected: number;
  /** Mutations whose failures differ from their own `breaks`. */
  readonly wrong: readonly string[];
}

const TIMEOUT_MS = 240_000;

/** Runs all tests and those that are selected, for each mutation, in the sandbox. @returns why it cannot, in place of figures */
export async function measureProject(source: Source, sandbox: Sandbox): Promise<Measured | string> {
  const outlines = createOutlineMemory();
  const before = await run(source, sandbox, undefined);
  if (typeof before === "string") return before;
  if (before.passed === 0) return `nothing passes: ${before.said}`;
  const totals = { failing: 0, caught: 0, files: 0, selected: 0 };
  const [missed, wrong] = [[] as string[], [] as string[]];
  for (const mutation of source.mutations) {
    const files = await selected(source, sandbox, mutation, outlines);
    const all = await run(source, sandbox, mutation);
    if (typeof all === "string") return all;
    const failing = [...all.failing].filter((name) => !before.failing.has(name));
    const part =
      files.given?.length === 0 ? { failing: new Set<string>() } : await run(source, sandbox, mutation, files.given);
    if (typeof part === "string") return part;
    const left = failing.filter((name) => !part.failing.has(name));
    if (failing.length > 0) totals.failing += 1;
    if (failing.length > 0 && left.length === 0) totals.caught += 1;
    totals.files += files.tests;
    totals.selected += files.selection.length;
    missed.push(...left.map((name) => `${mutation.what}: ${name}`));
    if (source.isTold && failing.length > 0 !== mutation.breaks.length > 0)
      wrong.push(`${mutation.what}: ${failing.length} tests fail`);
  }
  return { name: source.name, runner: before.runner, mutations: source.mutations.length, ...totals, missed, wrong };
}

async function selected(
  source: Source,
  sandbox: Sandbox,
  mutation: Mutation,
  outlines: ReturnType<typeof createOutlineMemory>,
) {
  using place = written(source, mutation);
  const clone = await openClone({ folder: place.folder, sandbox });
  const { signal } = new AbortController();
  const spec = { files: clone.files, scratch: place.scratch, immutable: true, outlines };
  const graph = await createGraphReader(spec)(signal);
  const { selection, tests } = await selectFor(clone.files, graph, mutation, source.paths, signal);
  return {
    selection: selection.files,
    given: selection.kind === "full" ? undefined : selection.files,
    tests: tests.length,
  };
}

async function run(source: Source, sandbox: Sandbox, mutation: Mutation | undefined, files?: readonly string[]) {
  using place = written(source, mutation);
  const clone = await openClone({ folder: place.folder, sandbox });
  if (source.packages !== undefined) await clone.addPackages(source.packages);
  const { signal } = new AbortController();
  const context: TestContext = { clone, redact: createRedactor([]), signal, scratchRoot: place.scratch };
  const plan = await prepareTests(context, {}, undefined);
  if ("notRun" in plan) return plan.notRun;
  const ran = await runFiles(context, plan, { files, timeoutMs: TIMEOUT_MS, cover: [] });
  const failing = new Set(ran.failures.map(({ name, file = "" }) => `${file} ${name}`));
  const said = (ran.failures[0]?.message ?? "").slice(-400);
  return { runner: plan.command.runner, failing, passed: ran.passed, said };
}

function written(source: Source, mutation: Mutation | undefined) {
  const root = mkdtempSync(join(tmpdir(), "forge-selection-"));
  const folder = mkdtempSync(join(root, "project-"));
  source.copyTo(folder);
  if (mutation !== undefined) writeFiles(folder, mutation.to);
  return {
    folder,
    scratch: mkdtempSync(join(root, "scratch-")),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
