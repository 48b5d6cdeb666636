import type { ImplementerOutput } from "../../../agents/implementer/output.ts";
import type { FeedbackAnswer, WorkCommit } from "../../../domain/implementation.ts";
import type { Planned, Working } from "../implementation.ts";
import type { Workshop } from "./open-workshop.ts";
import type { ImplementerTools } from "./tools-of-implementer.ts";
import type { WorkJob, WorkPowers } from "./work-job.ts";

/** What a round came to so far. */
export interface Round {
  readonly commits: WorkCommit[];
  readonly answers: FeedbackAnswer[];
  readonly notDone: string[];
  testsAdded: number;
  validated: boolean;
}

/** Where a round is worked on, and with what. */
export interface Site {
  readonly powers: WorkPowers;
  readonly job: WorkJob;
  readonly run: Planned | Working;
  readonly shop: Workshop;
  readonly tools: ImplementerTools;
}

/** Adds what an agent handed in. */
export function note(round: Round, { tests_added: tests, validated, not_done: notDone }: ImplementerOutput): void {
  round.testsAdded += tests.length;
  round.validated &&= validated;
  if (notDone !== undefined) round.notDone.push(notDone);
}
