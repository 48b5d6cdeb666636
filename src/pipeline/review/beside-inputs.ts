import type { PullInput } from "../../domain/inputs.ts";

/** What an input needs and leads to, apart from its own decision. */
interface Beside {
  /** It needs the latest run of the pull request and does not name it. */
  readonly latest?: true;
  /** It never changes what the check of a head says, so the other pull requests with that head are not read. */
  readonly keepsCheck?: true;
  /** It may make the pull request one that Forge merges by itself, or keep it from being one: a worker looks. */
  readonly merging?: "where taken" | "always";
  /** A worker looks what there is to learn: people may have read what Forge said. */
  readonly learning?: "where seen" | "always";
}

/** For each input of a pull request; a missing one does not compile. */
export const BESIDE: Readonly<Record<PullInput["type"], Beside>> = {
  // What changes nothing for a review may do so for the merging: a draft that is ready, an approval.
  "head.changed": { merging: "always", learning: "where seen" },
  "verdict.given": { latest: true, merging: "always" },
  "pull.readied": { merging: "always" },
  "review.finished": { merging: "where taken" },
  "review.carried": { merging: "where taken" },
  "pull_request.closed": { latest: true, learning: "always" },
  "request.made": { keepsCheck: true, learning: "where seen" },
  "command.given": { latest: true },
  "reply.read": { latest: true },
  "head.tested": { latest: true },
  "tests.progressed": { keepsCheck: true },
  "head.judged": { latest: true },
  "findings.posted": { keepsCheck: true },
  "effect.failed": { keepsCheck: true },
  "question.settled": { keepsCheck: true },
  "fixes.made": { keepsCheck: true },
  "branch.pushed": { keepsCheck: true },
  "learning.observed": { keepsCheck: true },
  "production.traced": { keepsCheck: true },
  "subject.gone": {},
  "review.observed": {},
  "review.suspended": {},
  "review.parked": {},
  "review.progressed": { keepsCheck: true },
  "review.failed": {},
  "check.settled": {},
  "commands.void": {},
  "merge.observed": {},
  "merge.settled": {},
};
