import { z } from "zod";
import { RiskLevel } from "./risk.ts";

const line = z.string().trim().min(1).max(1_000);

/** A path inside the repository as git writes it: no drive, no `..`, not absolute, not `.git`. */
export const RepositoryPath = z
  .string()
  .trim()
  .min(1)
  .max(400)
  .refine(isInside, "must be a path inside the repository, without `..`, and not in `.git`");

function isInside(path: string): boolean {
  if (path.includes("\\") || path.includes("\0")) return false;
  const parts = path.split("/");
  return !parts.some((part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part));
}

/** One piece of work that becomes one commit. */
export const PlanTask = z.object({
  /** Short and unique in the plan: `1`, `2`, `limiter`. */
  id: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9-]{0,29}$/),
  title: line.max(120),
  /** What to do and how one sees that it is done. */
  description: z.string().trim().min(1).max(4_000),
  /** Files it will create, change or delete, tests included. */
  files: z.array(RepositoryPath).min(1).max(60),
  /** Ids of tasks that have to be done first. */
  depends_on: z.array(z.string()).max(20).default([]),
});
export type PlanTask = z.infer<typeof PlanTask>;

/** The parts that come or change, each with what it is for, and the ways in which parts and programs meet: one sentence each. */
const Architecture = z.object({
  components: z.array(line).max(20).default([]),
  /** Names with signatures, events, settings, commands, formats of files. */
  interfaces: z.array(line).max(20).default([]),
});

/** Another way to reach the same, and why it is not taken. */
const Alternative = z.object({ approach: line.max(300), why_not: line.max(500) });

/** What a planner proposes (PLAN-1). */
export const Plan = z
  .object({
    /** Of the pull request, in the imperative, without a prefix. */
    title: line.max(100),
    /** Type of a conventional commit, for the pull request as a whole. */
    kind: z.enum(["feat", "fix", "refactor", "docs", "test", "perf", "chore"]),
    /** What the issue asks for and why, in a few sentences of our own. */
    summary: z.string().trim().min(1).max(3_000),
    /** Constraints that the issue names; each is looked at again in the review. */
    constraints: z.array(line).max(20).default([]),
    architecture: Architecture.optional(),
    /** What was chosen where there was a choice, one sentence each. */
    decisions: z.array(line).max(20).default([]),
    /** From a medium risk on there is one. */
    alternatives: z.array(Alternative).max(5).optional(),
    tasks: z.array(PlanTask).min(1).max(20),
    acceptance_criteria: z.array(line).min(1).max(20),
    /** What somebody might expect and will not get. */
    not_included: z.array(line).max(20).default([]),
    risk: z.object({ level: RiskLevel, reasons: z.array(line).max(10) }),
    complexity: z.enum(["small", "medium", "large"]),
    /** Ids of memories that it rests on, of those that the planner was shown: a merge speaks for them (MEM-3). */
    memories: z.array(z.string().trim().min(1).max(20)).max(5).optional(),
    /** Minutes of work by an agent. */
    effort_minutes: z.number().positive().max(10_000),
  })
  .superRefine((plan, context) => {
    const ids = plan.tasks.map(({ id }) => id);
    for (const [index, { id, depends_on }] of plan.tasks.entries()) {
      const before = ids.slice(0, index);
      if (before.includes(id)) context.addIssue({ code: "custom", message: `task ${id} stands twice` });
      const unknown = depends_on.find((other) => !before.includes(other));
      if (unknown !== undefined) {
        const message = `task ${id} depends on ${JSON.stringify(unknown)}, which is no task before it: order the tasks so that each comes after what it depends on`;
        context.addIssue({ code: "custom", message });
      }
    }
  });
export type Plan = z.infer<typeof Plan>;

/** "A Redis store: the service has one process." */
export function saidAgainst({ approach, why_not: why }: z.infer<typeof Alternative>): string {
  return `${approach.replace(/[.;:]$/, "")}: ${why}`;
}

/** What the work will cost, in USD and minutes, before it is done (PLAN-1). */
export const Estimate = z.object({
  lowUsd: z.number().nonnegative(),
  highUsd: z.number().nonnegative(),
  minutes: z.number().nonnegative(),
});
export type Estimate = z.infer<typeof Estimate>;
