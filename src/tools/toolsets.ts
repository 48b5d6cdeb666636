import { dependents } from "../analysis/map/import-graph.ts";
import type { ReadGraph } from "../analysis/map/read-graph.ts";
import type { PresentedFile } from "../analysis/present-change.ts";
import { defined } from "../domain/defined.ts";
import type { Redact } from "../safety/redact.ts";
import type { Clone } from "../workspace/clone.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { applyPatch } from "./apply-patch.ts";
import { type DeploymentStatusDependencies, deploymentStatus } from "./deployment-status.ts";
import { editFile, writeFile } from "./edit-file.ts";
import { fetchIssue } from "./fetch-issue.ts";
import { findReferences } from "./find-references.ts";
import { gitDiff } from "./git-diff.ts";
import { type GitHistoryDependencies, gitBlame, gitLog } from "./git-history.ts";
import { grep } from "./grep.ts";
import { glob, listFiles } from "./list-files.ts";
import { recall, remember } from "./memories.ts";
import type { IssuePort, MemoryPort, MetricsPort, PackagesPort } from "./ports.ts";
import { queryMetrics } from "./query-metrics.ts";
import { createReadLog, type ReadLog, readFile } from "./read-file.ts";
import { readPackage } from "./read-package.ts";
import { repositoryMap } from "./repository-map.ts";
import { isTestFile, TEST_RUNNERS } from "./run/test-runner.ts";
import { runCommand } from "./run-command.ts";
import { type RunLinterDependencies, runLinter } from "./run-linter.ts";
import { runScript } from "./run-script.ts";
import { runTests } from "./run-tests.ts";
import type { Tool } from "./tool.ts";

/** What reading tools are made of. What is missing here has no tool: an agent without a memory has neither `recall` nor `remember`. */
export interface ReadingDependencies {
  readonly files: RepositoryFiles;
  readonly redact: Redact;
  readonly readGraph: ReadGraph;
  /** Paths that the run is about. */
  readonly changedPaths: readonly string[];
  readonly history?: Omit<GitHistoryDependencies, "redact">;
  readonly memory?: MemoryPort;
  readonly issues?: IssuePort;
}

export interface WorkingDependencies extends Omit<ReadingDependencies, "files"> {
  /** Without `run` nothing can be run: there is no sandbox on the machine (SEC-1). */
  readonly clone: Clone | (Pick<Clone, "files"> & { readonly run?: never });
  readonly programs: readonly string[];
  readonly lint: RunLinterDependencies["lint"];
  /** Why a path is not part of the task, in a sentence; undefined where it is. */
  readonly refusePath?: (path: string) => string | undefined;
  /** What the agent has read before its first call, as the files that its first message shows. */
  readonly reads?: ReadLog;
}

export interface ReviewingDependencies extends ReadingDependencies {
  readonly changed: readonly PresentedFile[];
  /** Where tests and scripts may be run; without it nothing is. */
  readonly clone?: Clone;
  /** A file as it was before the change. */
  readonly readBefore?: RepositoryFiles["read"];
  /** Of `none` the tool says that none are installed. */
  readonly packages?: PackagesPort | "none";
}

/** TOOLS-1: what an agent is not handed it cannot call. `complete` and `ask_human` come from the loop. */
export function plannerTools(dependencies: ReadingDependencies): readonly Tool[] {
  return [
    ...readingTools(dependencies),
    ...logTool(dependencies),
    ...issueTool(dependencies),
    ...memoryTools(dependencies),
  ];
}

export function implementerTools(dependencies: WorkingDependencies): readonly Tool[] {
  const { clone, redact, programs, lint, refusePath, reads = createReadLog() } = dependencies;
  const edit = { files: clone.files, redact, reads, ...defined({ refusePath }) };
  const reading = { ...dependencies, files: clone.files };
  return [
    ...readingTools(reading, reads),
    ...logTool(reading),
    ...issueTool(reading),
    ...memoryTools(reading),
    writeFile(edit),
    editFile(edit),
    applyPatch(edit),
    ...(clone.run === undefined ? [] : [runCommand({ clone, redact, programs }), testTool(clone, reading)]),
    runLinter({ files: clone.files, lint, redact }),
  ];
}

/** Nothing of it writes: the tests that it may run are its demonstrations (REV-4). */
export function reviewerTools(dependencies: ReviewingDependencies): readonly Tool[] {
  const { files, changed, redact, readGraph, history, clone, packages, readBefore } = dependencies;
  return [
    ...readingTools(dependencies, createReadLog(), readBefore),
    gitDiff({ changed, redact }),
    ...logTool(dependencies),
    ...(history === undefined ? [] : [gitBlame({ ...history, redact })]),
    findReferences({ files, readGraph, redact }),
    ...(packages === undefined ? [] : [readPackage({ packages: packages === "none" ? undefined : packages, redact })]),
    ...issueTool(dependencies),
    ...memoryTools(dependencies),
    ...(clone === undefined ? [] : [testTool(clone, dependencies), runScript({ clone, redact })]),
  ];
}

export function testerTools(
  dependencies: Omit<WorkingDependencies, "programs" | "lint" | "clone"> & { readonly clone: Clone },
): readonly Tool[] {
  const { clone } = dependencies;
  const reading = { ...dependencies, files: clone.files };
  const reads = createReadLog();
  const write = { files: clone.files, reads, refusePath: refuseUnlessTest };
  return [
    ...readingTools(reading, reads),
    ...logTool(reading),
    ...memoryTools(reading),
    testTool(clone, reading),
    writeFile(write),
  ];
}

export interface DeployingDependencies extends DeploymentStatusDependencies {
  readonly clone: WorkingDependencies["clone"];
  readonly programs: readonly string[];
  /** Absent where nothing watches the environment. */
  readonly metrics?: MetricsPort;
}

/** TOOLS-3: it looks at the version and its numbers. Nothing of it moves a deployment. */
export function deployerTools({
  clone,
  redact,
  programs,
  deployment,
  metrics,
}: DeployingDependencies): readonly Tool[] {
  return [
    readFile({ files: clone.files, redact }),
    ...(clone.run === undefined ? [] : [runCommand({ clone, redact, programs })]),
    deploymentStatus({ deployment, redact }),
    ...(metrics === undefined ? [] : [queryMetrics({ metrics, redact })]),
  ];
}

function readingTools(
  { files, redact, readGraph, changedPaths }: ReadingDependencies,
  reads = createReadLog(),
  readBefore?: RepositoryFiles["read"],
): Tool[] {
  return [
    readFile({ files, redact, reads, ...defined({ readBefore }) }),
    listFiles(files),
    glob(files),
    grep({ files, redact }),
    repositoryMap({ readGraph, changedPaths, redact }),
  ];
}

function logTool({ history, redact }: ReadingDependencies): Tool[] {
  return history === undefined ? [] : [gitLog({ ...history, redact })];
}

function issueTool({ issues, redact }: ReadingDependencies): Tool[] {
  return issues === undefined ? [] : [fetchIssue({ issues, redact })];
}

function memoryTools({ memory, redact }: ReadingDependencies): Tool[] {
  return memory === undefined ? [] : [recall({ memory, redact }), remember({ memory, redact })];
}

function testTool(clone: Clone, { redact, readGraph }: Pick<ReadingDependencies, "redact" | "readGraph">): Tool {
  const affectedTests = async (paths: readonly string[], signal: AbortSignal) => [
    ...dependents(await readGraph(signal), paths),
  ];
  return runTests({ clone, redact, affectedTests });
}

function refuseUnlessTest(path: string): string | undefined {
  if (TEST_RUNNERS.some((runner) => isTestFile(path, runner))) return undefined;
  return `${JSON.stringify(path)} is not a test file: only tests may be written here (such as src/a.test.ts or test_a.py).`;
}
