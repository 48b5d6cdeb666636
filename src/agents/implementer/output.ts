import { z } from "zod";
import type { FeedbackAnswer } from "../../domain/implementation.ts";
import { RepositoryPath } from "../../domain/plan.ts";

/** Longest first line of a commit, in characters, with type and scope: what git and GitHub show whole. */
export const HEADER_CHARACTERS = 72;

/** First words that say what was done instead of what the commit does. */
const NOT_IMPERATIVE =
  /^(?:add(?:ed|s|ing)|fix(?:ed|es|ing)|change[ds]|changing|update[ds]|updating|remove[ds]|removing|refactor(?:ed|s|ing)|implement(?:ed|s|ing)|introduce[ds]|introducing|create[ds]|creating|improve[ds]|improving|move[ds]|moving|rename[ds]|renaming|replace[ds]|replacing|delete[ds]|deleting|allow(?:ed|s|ing)|handle[ds]|handling|support(?:ed|s|ing)|correct(?:ed|s|ing)|document(?:ed|s|ing)|simplif(?:ied|ies|ying)|ensure[ds]|ensuring|test(?:ed|s|ing)|extract(?:ed|s|ing)|make(?:s)|making|made|use[ds]|using|return(?:ed|s|ing)|check(?:ed|s|ing))\b/i;

/** A conventional commit, in parts. */
export const Commit = z
  .object({
    type: z.enum(["feat", "fix", "refactor", "docs", "test", "perf", "build", "chore", "style"]),
    scope: z
      .string()
      .trim()
      .regex(/^[a-z0-9][a-z0-9._/-]{0,29}$/, "is one word in small letters, such as api")
      .optional()
      .describe("The part of the code base, where its history names parts so."),
    subject: z
      .string()
      .trim()
      .min(1)
      .max(HEADER_CHARACTERS)
      .regex(/^[^\n]*$/, "is one line")
      .refine((subject) => !subject.endsWith("."), "ends without a period")
      .refine((subject) => !NOT_IMPERATIVE.test(subject), "is in the imperative: add, not adds, added or adding")
      .describe("What the commit does, in the imperative, without a period."),
    body: z.string().trim().max(2_000).optional().describe("Why, and what is not obvious. No lists of files."),
  })
  .refine((commit) => headerOf(commit).length <= HEADER_CHARACTERS, {
    path: ["subject"],
    message: `with type and scope the first line has more than ${HEADER_CHARACTERS} characters: say it shorter`,
  });
export type Commit = z.infer<typeof Commit>;

interface Header {
  readonly type: string;
  readonly scope?: string | undefined;
  readonly subject: string;
}

export function headerOf({ type, scope, subject }: Header): string {
  return `${type}${scope === undefined ? "" : `(${scope})`}: ${subject}`;
}

const fields = {
  summary: z.string().trim().min(1).max(2_000).describe("What you changed and why so, for whoever reviews it."),
  files_changed: z.array(RepositoryPath).max(100).describe("Every file that you created, changed or deleted."),
  tests_added: z.array(z.string().trim().min(1).max(300)).max(100).describe("Names of the tests that are new."),
  validated: z
    .boolean()
    .describe("False where you know of something that does not work, or where nothing can be run here."),
  not_done: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe("What of the task is missing, or why it could not be validated. Left out when all is done."),
  memories: z
    .array(z.string().trim().min(1).max(20))
    .max(5)
    .optional()
    .describe("Ids (`M-...`) of notes that you followed; only those without which you would have done it otherwise."),
  commit: Commit.optional().describe("Left out only when you changed nothing."),
};

/** The implementer's result of a task (IMPL-1). */
export const ImplementerOutput = z.object(fields).superRefine(checkWhole);
export type ImplementerOutput = z.infer<typeof ImplementerOutput>;

/** The same after feedback, with an answer to each piece of it (IMPL-2). */
export type FeedbackOutput = ImplementerOutput & { readonly answers: FeedbackAnswer[] };

/** @param ids of the feedback that was given: each has to be answered once, and nothing else */
export function feedbackOutput(ids: readonly string[]): z.ZodType<FeedbackOutput> {
  const answer = z.object({
    id: z.string().describe("The id of the feedback, as it was given."),
    done: z.boolean().describe("Whether the code now does what was asked."),
    answer: z
      .string()
      .trim()
      .min(1)
      .max(800)
      .describe("What you did, or why not: one to three sentences for whoever gave it."),
  });
  return z
    .object({ ...fields, answers: z.array(answer).max(Math.max(1, ids.length * 2)) })
    .superRefine(checkWhole)
    .superRefine(({ answers }, context) => {
      const given = answers.map(({ id }) => id);
      const complain = (message: string) => context.addIssue({ code: "custom", message, path: ["answers"] });
      const missing = ids.filter((id) => !given.includes(id));
      if (missing.length > 0) complain(`no answer to ${missing.join(", ")}: answer each, also what you did not do`);
      const unknown = [...new Set(given.filter((id) => !ids.includes(id)))];
      if (unknown.length > 0)
        complain(`there is no feedback ${unknown.join(", ").slice(0, 200)}: the ids are ${ids.join(", ")}`);
      const twice = ids.filter((id) => given.indexOf(id) !== given.lastIndexOf(id));
      if (twice.length > 0) complain(`more than one answer to ${twice.join(", ")}: one for each`);
    });
}

function checkWhole(
  output: { validated: boolean; not_done?: string | undefined; files_changed: readonly string[]; commit?: unknown },
  context: z.RefinementCtx,
): void {
  const { validated, not_done, files_changed, commit } = output;
  if (!validated && not_done === undefined && files_changed.length > 0) {
    const message = "validated is false: say in not_done what was not run, or what failed";
    context.addIssue({ code: "custom", message, path: ["not_done"] });
  }
  if (files_changed.length > 0 && commit === undefined) {
    context.addIssue({ code: "custom", message: "files were changed: a commit is needed", path: ["commit"] });
  }
  if (files_changed.length === 0 && not_done === undefined && !("answers" in output)) {
    const message = "nothing was changed: say in not_done why";
    context.addIssue({ code: "custom", message, path: ["not_done"] });
  }
}
