import type { CheckReport } from "../../../domain/effects.ts";
import type { Conclusion } from "../../../domain/phases.ts";
import type { Override } from "../../../domain/review-report.ts";
import type { Subject } from "../../../domain/subjects.ts";
import type { RunState } from "../run-state.ts";

/** The verdict of a single pull request on a head. */
export interface HeadAnswer {
  readonly conclusion: Conclusion;
  readonly report: CheckReport;
  readonly overridden?: Override;
}

/** A pull request that has, or had, a head that another one has too (GH-8d). */
export interface Sharer {
  readonly subject: Subject;
  /** Its newest run on this head. */
  readonly run: RunState;
  /** Whether it is open and has this head now. */
  readonly counts: boolean;
  /** Absent while it is reviewed, and where its run was cancelled. */
  readonly answer?: HeadAnswer;
}

/** All pull requests that Forge saw on one head. */
export interface SharedHead {
  readonly headSha: string;
  /** The subject of the view, where it was seen there. */
  readonly own?: Sharer;
  readonly others: readonly Sharer[];
}
