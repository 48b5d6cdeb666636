import { defined } from "../../domain/defined.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import { askThread, type ThreadLimits } from "../../safety/limited-thread.ts";
import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { ImportGraph } from "../map/import-graph.ts";
import type { ChangedPath, Covering, TestSelection } from "./select-tests.ts";
import { packRepository } from "./selection/pack-repository.ts";
import type { PackedRepository } from "./selection/packed-repository.ts";

export interface ChoiceWish {
  readonly changed: readonly ChangedPath[];
  readonly risk: RiskLevel;
  /** Whether the runner takes this file for a test. */
  readonly isTest: (path: string) => boolean;
}

/** One choice as the thread gets it. */
export interface ChoiceQuestion extends Omit<ChoiceWish, "isTest"> {
  readonly repository: PackedRepository;
  /** Files of the repository and of the change. */
  readonly tests: readonly string[];
}

export interface TestChoice {
  readonly selection: TestSelection;
  /** Tests that the change may reach, whatever the risk: for when all of them take too long. */
  readonly covering: Covering;
}

/** 32 MB of text take 15 s of an idle processor, and half of the memory. */
const LIMITS: ThreadLimits = { timeMs: 120_000, memoryMib: 1024 };

/** Whether a path is a test's is known within some microseconds. */
const TURN = { most: 1_000 };

/**
 * Chooses the tests for a change (TEST-1, TEST-3) in a thread with limits: the author of a repository decides how much there is to look
 * through (OPS-8). Where the thread does not come to its end, all tests are chosen, and it is said why.
 * @throws the signal's reason
 */
export async function chooseTests(
  files: Pick<RepositoryFiles, "readMany">,
  graph: ImportGraph,
  { changed, risk, isTest }: ChoiceWish,
  signal: AbortSignal,
  limits: ThreadLimits = LIMITS,
): Promise<TestChoice> {
  const repository = await packRepository(files, graph, signal);
  const paths = changed.map(({ path, oldPath, status }) => ({ path, status, ...defined({ oldPath }) }));
  const all: string[] = [];
  const turn = takeTurns(TURN);
  for (const path of graph.paths) {
    if (isTest(path)) all.push(path);
    await turn();
  }
  const tests = [...all, ...paths.flatMap(({ path, oldPath = path }) => [path, oldPath]).filter(isTest)];
  const workerData: ChoiceQuestion = { repository, changed: paths, risk, tests };
  const transferList = [repository.bytes.buffer];
  const code = new URL("./choice-thread", import.meta.url);
  const { answers, lacking } = await askThread<TestChoice>(
    code,
    { ...limits, answers: 1, workerData, transferList },
    signal,
  );
  const seconds = limits.timeMs / 1_000;
  const why = `the search for what mentions the changed files ${lacking === "late" ? `took longer than ${seconds} s` : "broke down"}`;
  return (
    answers[0] ?? {
      selection: { kind: "full", files: all, because: why, widened: why },
      covering: { files: all, everything: why },
    }
  );
}
