import type { ImplementerOutput } from "../../../agents/implementer/output.ts";
import { defined } from "../../../domain/defined.ts";
import type { FeedbackAnswer, WorkChecks, WorkCommit } from "../../../domain/implementation.ts";
import { headOf, type Planned, type Working } from "../implementation.ts";
import type { OpenBase } from "./open-base.ts";
import type { PhaseWorkspace } from "./open-phase-workspace.ts";
import type { ImplementerTools } from "./tools-of-implementer.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** The results of a round so far. */
export interface Round {
  readonly commits: WorkCommit[];
  readonly answers: FeedbackAnswer[];
  readonly notDone: string[];
  testsAdded: number;
  validated: boolean;
  /** Of the last piece of work. */
  checks?: WorkChecks;
}

/** Where a round is worked on, and with what. */
export interface RoundContext {
  readonly dependencies: WorkDependencies;
  readonly job: WorkJob;
  readonly run: Planned | Working;
  readonly workspace: PhaseWorkspace;
  readonly tools: ImplementerTools;
  readonly openBase: OpenBase;
}

/** Adds what an agent handed in. */
export function note(round: Round, { tests_added: tests, validated, not_done: notDone }: ImplementerOutput): void {
  round.testsAdded += tests.length;
  round.validated &&= validated;
  if (notDone !== undefined) round.notDone.push(notDone);
}

/**
 * Commits what changed. After an interruption the commit may have been made already: then it is the head, though no event says so.
 */
export async function commitAll(
  { dependencies, run, workspace }: Pick<RoundContext, "dependencies" | "run" | "workspace">,
  message: string,
  taskId?: string,
): Promise<WorkCommit | undefined> {
  const { tree } = workspace;
  const before = tree.head();
  const made = await tree.commit({ message, author: await dependencies.author(), at: dependencies.now() });
  const told = new Set([
    headOf(run),
    tree.base,
    ...run.tasksDone.flatMap(({ commit }) => (commit ? [commit.sha] : [])),
  ]);
  const sha = "unchanged" in made ? (told.has(before) ? undefined : before) : made.sha;
  if (sha === undefined) return undefined;
  await workspace.keep();
  return { sha, subject: message.split("\n", 1)[0] ?? "", ...defined({ taskId }) };
}

/** Whether the work was seen to be whole: by what Forge ran, and where it could run nothing by what the agent says. */
export function isValidated({ types, tests, failing }: WorkChecks, said: boolean): boolean {
  return types === undefined && tests === undefined ? said : failing.length === 0;
}
