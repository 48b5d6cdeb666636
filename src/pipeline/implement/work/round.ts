import type { ImplementerOutput } from "../../../agents/implementer/output.ts";
import type { FeedbackAnswer, WorkCommit } from "../../../domain/implementation.ts";
import type { Planned, Working } from "../implementation.ts";
import type { PhaseWorkspace } from "./open-phase-workspace.ts";
import type { ImplementerTools } from "./tools-of-implementer.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** What a round came to so far. */
export interface Round {
  readonly commits: WorkCommit[];
  readonly answers: FeedbackAnswer[];
  readonly notDone: string[];
  testsAdded: number;
  validated: boolean;
}

/** Where a round is worked on, and with what. */
export interface RoundContext {
  readonly dependencies: WorkDependencies;
  readonly job: WorkJob;
  readonly run: Planned | Working;
  readonly workspace: PhaseWorkspace;
  readonly tools: ImplementerTools;
}

/** Adds what an agent handed in. */
export function note(round: Round, { tests_added: tests, validated, not_done: notDone }: ImplementerOutput): void {
  round.testsAdded += tests.length;
  round.validated &&= validated;
  if (notDone !== undefined) round.notDone.push(notDone);
}
