import { z } from "zod";
import { RiskLevel } from "./risk.ts";
import { Sha } from "./subjects.ts";

/** What a version has to have behind it before it is deployed by itself; an environment may ask for less. */
export const REQUIREMENTS = ["review", "tests"] as const;
export const Requirement = z.enum(REQUIREMENTS);
export type Requirement = z.infer<typeof Requirement>;

/** Why a commit is not covered (DEP-4). Whatever is not known for good is one of these. */
export const LACKS = [
  /** It came by no pull request. */
  "direct",
  /** Its pull request was merged into another branch. */
  "other_branch",
  /** Of the commits of its pull request only some are in the version. */
  "part_of_pull",
  /** The branch has other files than the merge of the reviewed head gives. */
  "other_files",
  /** Which head was merged, or what it holds, cannot be read. */
  "unreadable",
  "not_reviewed",
  /** Reviewed was another head than the one that was merged. */
  "other_head",
  /** The review compared with a base that has commits of this one already. */
  "other_base",
  "review_running",
  "review_stopped",
  "review_cancelled",
  "review_failed",
  /** Forge does not review such a head, or a limit was reached. */
  "left_out",
  /** A required layer did not run, or not on everything. */
  "incomplete",
  "needs_person",
  "blocking",
  "not_tested",
  "tests_running",
  "tests_cancelled",
  "tests_not_run",
  "tests_failed",
] as const;
export const Lack = z.enum(LACKS);
export type Lack = z.infer<typeof Lack>;

/** Lacks of a review, and of tests: what `requires` can leave out. */
const OF_TESTS: ReadonlySet<Lack> = new Set([
  "not_tested",
  "tests_running",
  "tests_cancelled",
  "tests_not_run",
  "tests_failed",
]);

/** Lacks that end by themselves. */
const PASSING: ReadonlySet<Lack> = new Set(["review_running", "tests_running"]);

/** A person let something pass: a maintainer's override of a check on exactly this head, or an approving review of it. */
export const Waiver = z.object({
  of: Requirement,
  /** An override passes what blocks; an approving review, on GitHub or at a gate, what only waited for a person. */
  how: z.enum(["override", "approval"]),
  /** A login. */
  by: z.string(),
  at: z.string().optional(),
  reason: z.string(),
});
export type Waiver = z.infer<typeof Waiver>;

/** One step of the branch: a merge, a squash, a rebase of several commits, or a push. */
export const Landing = z.object({
  /** The step on the branch; of a rebase its last commit. */
  sha: Sha,
  /** The first line of its message, cut. */
  title: z.string(),
  /** Commits that it brings, itself included. */
  commits: z.number().int().positive(),
  pull: z.number().int().positive().optional(),
  /** The head of the pull request that was merged. */
  head: Sha.optional(),
  /** The review of exactly that head, or of one with the same files. */
  review: z.object({ runId: z.string(), headSha: Sha, outcome: z.string() }).optional(),
  /** What the tests of that head came to. */
  tests: z.enum(["passed", "failed", "not_run"]).optional(),
  waivers: z.array(Waiver),
  /** Empty: covered. It also holds what the environment does not require. */
  lacks: z.array(Lack),
  /** Of the branch or head that a lack is about: where it was merged to, or which head was reviewed. */
  other: z.string().optional(),
});
export type Landing = z.infer<typeof Landing>;

/** What a version brings over the one that runs: the one record that guard, gate, rule, comment and check read (DEP-4). */
export const Coverage = z.object({
  requires: z.array(Requirement),
  /** Where it begins, and how that is known; absent where nothing is known to run. */
  from: z.object({ sha: Sha, by: z.enum(["record", "verified", "person"]), who: z.string().optional() }).optional(),
  /** Newest first. */
  landings: z.array(Landing),
  /** Further steps, which were not looked at. */
  beyond: z.number().int().nonnegative(),
  risk: RiskLevel.optional(),
});
export type Coverage = z.infer<typeof Coverage>;

/** What a landing lacks of what is required. */
export function lacksOf({ lacks }: Pick<Landing, "lacks">, requires: readonly Requirement[]): readonly Lack[] {
  return lacks.filter((lack) => requires.includes(OF_TESTS.has(lack) ? "tests" : "review"));
}

/** What of a version is not covered. @param coverage absent in the events of earlier versions: then nothing is known, so nothing is covered */
export interface Uncovered {
  readonly landings: readonly Landing[];
  readonly beyond: number;
  /** It is not known what runs, so all of it is new. */
  readonly noBeginning: boolean;
}

/** Undefined where all that a version brings is covered. */
export function uncoveredOf(coverage: Coverage | undefined): Uncovered | undefined {
  if (!coverage) return { landings: [], beyond: 0, noBeginning: true };
  const { requires, landings, beyond, from } = coverage;
  const lacking = landings.filter((landing) => lacksOf(landing, requires).length > 0);
  const noBeginning = from === undefined;
  return lacking.length > 0 || beyond > 0 || noBeginning ? { landings: lacking, beyond, noBeginning } : undefined;
}

/** Whether all that is lacking may still come by itself: a review or tests under way. */
export function isOnItsWay(coverage: Coverage | undefined): boolean {
  const uncovered = uncoveredOf(coverage);
  if (!coverage || !uncovered || uncovered.noBeginning || uncovered.beyond > 0) return false;
  return uncovered.landings.every((landing) => lacksOf(landing, coverage.requires).every((lack) => PASSING.has(lack)));
}
