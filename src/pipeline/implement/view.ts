import type { Gate } from "../../domain/gates.ts";
import type { RecentRun, RepositoryFacts } from "../runs/decision.ts";
import type { SubjectFacts } from "../runs/subject-facts.ts";
import type { Implementation } from "./implementation.ts";

/** All that deciding about an issue may know of it. */
export interface IssueView {
  /** The run that owns the issue now, if any. */
  readonly active?: Implementation;
  /** The run that the input names. */
  readonly addressed?: Implementation;
  /** The newest run, whatever became of it. */
  readonly latest?: Implementation;
  /** The latest runs, newest first, at least those of the last day. */
  readonly recent: readonly RecentRun[];
  readonly facts: SubjectFacts;
  readonly repository: RepositoryFacts;
  /** Of all runs on the issue, oldest first. */
  readonly gates: readonly Gate[];
}

/** The run that an append is about, where it is known. */
export function runOf({ active, addressed, latest }: IssueView, runId: string): Implementation | undefined {
  return [active, addressed, latest].find((run) => run?.runId === runId);
}
