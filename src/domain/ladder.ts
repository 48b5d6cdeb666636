import { z } from "zod";
import type { Plan } from "./plan.ts";
import { Sha } from "./subjects.ts";

/** Kinds of task whose records are kept apart (SAFE-4): who is good at documentation has shown nothing about features. */
export const TASK_KINDS = ["docs", "fix", "feature", "refactor"] as const;
export const TaskKind = z.enum(TASK_KINDS);
export type TaskKind = z.infer<typeof TaskKind>;

/** Which kind of task a plan of Forge is. */
export const PLANNED: Readonly<Record<Plan["kind"], TaskKind>> = {
  docs: "docs",
  fix: "fix",
  feat: "feature",
  perf: "feature",
  refactor: "refactor",
  test: "refactor",
  chore: "refactor",
};

/** What is known of a change of people, before anybody looked at it. `labels`: its own, and those of the issues that it closes. */
export interface TaskClues {
  readonly title: string;
  readonly paths: readonly string[];
  readonly labels?: readonly string[];
}

const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$/i;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures)\//i;
/** Of the last part of a path. */
const TEST_NAME = /[._-](?:test|spec)\.[\s\S]|^test_[\s\S]+\.py$/i;

const BY_LABEL: readonly (readonly [TaskKind, RegExp])[] = [
  ["fix", /\b(?:bug|bugfix|fix|regression|defect)\b/i],
  ["feature", /\b(?:feature|feat|enhancement)\b/i],
  ["refactor", /\b(?:refactor|refactoring|cleanup|tech[- ]?debt|chore|maintenance)\b/i],
];

/**
 * Which kind of task a change of people is. Its files say first: nobody can name something else documentation or tests. Then labels, which
 * need triage permission, and the title last, as whoever writes it can choose. What says nothing, or two things, counts as a feature.
 */
export function taskKindOf({ title, paths, labels = [] }: TaskClues): TaskKind {
  if (paths.length > 0 && paths.every((path) => DOCUMENT.test(path))) return "docs";
  if (paths.length > 0 && paths.every((path) => DOCUMENT.test(path) || isTest(path))) return "refactor";
  const labelled = BY_LABEL.filter(([, word]) => labels.some((label) => word.test(label)));
  if (labelled.length > 0) return labelled.length === 1 ? labelled[0]![0] : "feature";
  if (/^\W*(?:refactor|style|chore|test|build|ci|perf)\b|\b(?:refactor|clean ?up|rename|simplif)/i.test(title))
    return "refactor";
  return /^\W*(?:fix|bug|hotfix)|\b(?:fix(?:e[sd])?|bug)\b/i.test(title) ? "fix" : "feature";
}

/** Issues whose labels are asked for at most. */
const MOST_CLOSED = 3;

/** Numbers of issues of the same repository that a description closes, by GitHub's words for it; the first three. */
export function issuesClosedBy(description: string): number[] {
  const text = description.slice(0, 20_000).replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`|<!--[\s\S]*?(?:-->|$)/g, " ");
  const named = [...text.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+#(\d{1,9})\b/gi)];
  return [...new Set(named.map(([, number]) => Number(number)))].slice(0, MOST_CLOSED);
}

const ACCEPTED =
  /^\W*(?:(?:risk )?accept(?:ed|able|ing)?|won['’]?t ?fix|will not (?:be )?fix(?:ed)?|known (?:issue|risk))(?![\p{L}\p{N}])/iu;
const CALLS_IT_WRONG = /\b(?:false|wrong|incorrect|invalid|not an? (?:\w+ )?(?:issue|bug|problem|fault|error))\b/i;

/** Whether whoever dismissed a finding says that it is right, and left as it is all the same. Whoever says nothing of it calls it wrong. */
export function isAccepted(reason: string): boolean {
  return ACCEPTED.test(reason) && !CALLS_IT_WRONG.test(reason);
}

/** 0: reports only. 1: suggests, people decide. 2 and above: what a record has to earn. */
export const MOST_LEVEL = 4;
export const Level = z.number().int().min(0).max(MOST_LEVEL);

/** The level of a repository in which nobody ever said one. */
/** From this level of its own fixes on, Forge begins by itself to work on what its changes broke in production (PROD-1). */
export const BEGINS_FROM = 3;

export const FIRST_LEVEL = 1;

/** Days after which a change that was merged counts as one that stood. */
export const OUTCOME_DAYS = 30;

/** What Forge does by itself, where its level lets it. */
export const LEVEL_ACTIONS = ["approved", "merged", "formatted"] as const;
export const LevelAction = z.enum(LEVEL_ACTIONS);
export type LevelAction = z.infer<typeof LevelAction>;

/**
 * What became of a pull request that Forge opened (`work`) or of what it said about one of people (`review`). `merged`: as it was, and its
 * time is not over yet. `stood`, `right`: nothing came after. `changed`: people pushed to it before they merged it. `mended`: lines of it
 * were changed again by a commit that says that it fixes something. `wrong`: a finding was dismissed, and not as an accepted one. `missed`: a fault that nobody was told of.
 */
export const RunOutcome = z.object({
  /** What told it: the same is counted once. */
  cause: z.string(),
  runId: z.string(),
  of: z.enum(["review", "work"]),
  task: TaskKind,
  outcome: z.enum(["merged", "stood", "right", "changed", "closed", "reverted", "mended", "wrong", "missed"]),
  /** A fault that is critical was missed. */
  critical: z.boolean().optional(),
  /** What Forge had done by itself about it. */
  action: LevelAction.optional(),
  /** Models, prompts and analysers behind it, by name, in their versions: where one of them changes the record begins anew. */
  basis: z.record(z.string(), z.string()),
  /** How it was merged: the commit and the branch on which that stands, and the head that the pull request had. */
  landed: z.object({ sha: Sha, head: Sha, ref: z.string() }).optional(),
  /** What came after it: the pull request or the commit that reverts or mends it. */
  by: z.object({ pull: z.number().int().positive().optional(), commit: z.string().optional() }).optional(),
});
export type RunOutcome = z.infer<typeof RunOutcome>;

/**
 * Why Forge took its own level down. `drift`: failures became more frequent than the level allows. `rolled_back`, `production_error`: what a
 * version came to that it had let pass.
 */
export const Miss = z.object({
  is: z.enum(["reverted", "mended", "missed", "critical", "drift", "rolled_back", "production_error"]),
  action: LevelAction.optional(),
  by: RunOutcome.shape.by,
  /** The version that was rolled back, or that caused an error in production. */
  version: z.string().optional(),
});
export type Miss = z.infer<typeof Miss>;

/** The level at which a repository stands: `carries` are the kinds of task whose records of reviews carried it when a person said so. */
export const StandingLevel = z.object({
  level: Level,
  carries: z.partialRecord(TaskKind, Level),
  /** The same for Forge's own work. */
  own: z.partialRecord(TaskKind, Level).optional(),
  /** Login of who said it; `forge` where it was taken down. */
  by: z.string(),
  at: z.string(),
  miss: Miss.optional(),
});
export type StandingLevel = z.infer<typeof StandingLevel>;

/** The level of a repository in which nobody ever said one; `at` is empty. */
export const UNSAID_LEVEL: StandingLevel = { level: FIRST_LEVEL, carries: {}, by: "forge", at: "" };

/** How the record of a kind of task stands against what a level asks for. */
export const Standing = z.object({
  task: TaskKind,
  level: Level,
  of: z.enum(["review", "work"]),
  /** Runs whose outcome is known, and those of them that failed. */
  runs: z.number().int().nonnegative(),
  failures: z.number().int().nonnegative(),
  /** Runs that wait for their outcome. */
  pending: z.number().int().nonnegative(),
  /** Faults that were critical and missed. */
  critical: z.number().int().nonnegative(),
  /** Successes that the level asks for, and the share of failures that it allows. */
  successes: z.number().int().positive(),
  limit: z.number(),
  /** How many times likelier a rate below the limit is; 20 convince. Cut at 1,000. */
  evidence: z.number().nonnegative(),
  holds: z.boolean(),
});
export type Standing = z.infer<typeof Standing>;

/** What there is to say of a repository's level. */
export const LevelFacts = z.object({
  standing: StandingLevel,
  /** `safety.automation_level` of the configuration, where it is set. */
  cap: Level.optional(),
  standings: z.array(Standing),
  /** What Forge did by itself, by level. */
  actions: z.array(z.object({ level: Level, action: LevelAction, count: z.number().int().positive() })),
  /** Level that a person has just set; absent where it was only asked about. */
  set: z.object({ from: Level }).optional(),
});
export type LevelFacts = z.infer<typeof LevelFacts>;

function isTest(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path.slice(path.lastIndexOf("/") + 1));
}
