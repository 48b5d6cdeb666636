import type { BounceCause } from "../../../domain/implementation.ts";
import type { Phase, WorkPhase } from "../../../domain/phases.ts";
import { count } from "../wording.ts";

/** What people call the phases of the work on an issue; `doing` is what is done in one, where that is always the same. */
export const PHASE_WORDS: Readonly<Record<WorkPhase, { readonly name: string; readonly doing?: string }>> = {
  planning: { name: "plan" },
  implementation: { name: "implement" },
  review: { name: "review" },
  testing: { name: "test", doing: "**Testing** · the tests that the change affects are run" },
};

/** What is being done in a phase; what is done after the merge has no other words before its deployment began. */
export function doingIn(phase: Phase): string {
  const words: (typeof PHASE_WORDS)[WorkPhase] | undefined = PHASE_WORDS[phase as WorkPhase];
  return words?.doing ?? "**Merged** · the version is on its way to users";
}

interface CauseWords {
  /** What is still there, or what is waited for. */
  readonly open: string;
  /** Whose feedback it is, in words that follow "for". */
  readonly of: string;
  /** What is being worked on, by how many there are. */
  readonly dealtWith: (items: number) => string;
}

/** For what work goes back to the implementer. */
export const CAUSE_WORDS: Readonly<Record<BounceCause, CauseWords>> = {
  review: {
    open: "findings of the review",
    of: "the review",
    dealtWith: (items) => `${count(items, "finding")} of the review`,
  },
  tests: {
    open: "failing or weakened tests",
    of: "the tests",
    dealtWith: (items) => count(items, "failing or weakened test"),
  },
  coverage: {
    open: "lines that no test reaches",
    of: "tests that were missing",
    dealtWith: (items) => `tests for lines of ${count(items, "file")} that no test reaches`,
  },
  ci: {
    open: "failures of the project's CI",
    of: "the project's CI",
    dealtWith: (items) => `${count(items, "failure")} of the project's CI`,
  },
  person: {
    open: "changes that were requested",
    of: "people's reviews",
    dealtWith: (items) => `${count(items, "comment")} of a review`,
  },
  instruction: {
    open: "open points of what was asked for",
    of: "instructions",
    dealtWith: () => "what was asked for",
  },
  conflict: {
    open: "conflicts with the base branch",
    of: "conflicts with the base",
    dealtWith: () => "a conflict with the base branch",
  },
};
