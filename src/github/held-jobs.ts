import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { StepOutcome } from "../domain/deployments.ts";
import type { Read } from "./reader.ts";
import { unlessForbidden } from "./unless-forbidden.ts";
import { refusedBy } from "./words/deploy/begin-refusal.ts";

const MINUTE_MS = 60_000;
const RUN = "/repos/{owner}/{repo}/actions/runs/{run_id}";
/** Reviewers that are named at most. GitHub takes six for an environment. */
const NAMED = 12;

const Reviewer = z.object({
  reviewer: z.object({ login: z.string().optional(), slug: z.string().optional() }).nullish(),
});
const Pending = z.array(
  z.object({
    environment: z.object({ name: z.string().nullish() }),
    wait_timer: z.number().nullish(),
    wait_timer_started_at: z.string().nullish(),
    reviewers: z.array(Reviewer).nullish(),
  }),
);
const Answers = z.array(
  z.object({
    environments: z.array(z.object({ name: z.string().nullish() })).nullish(),
    state: z.string(),
    comment: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
  }),
);
const Jobs = z.object({
  jobs: z.array(z.object({ id: z.number(), conclusion: z.string().nullish(), steps: z.array(z.unknown()).nullish() })),
});
const Annotations = z.array(z.object({ message: z.string().nullish() }));

/** For whom and until when GitHub holds jobs of a run back; undefined where nothing of it waits. @param owner whose teams these are */
export async function readAwaits(read: Read, run: number, owner: string): Promise<StepOutcome["awaits"]> {
  const pending = (await read(Pending, `GET ${RUN}/pending_deployments`, { run_id: run })) ?? [];
  if (pending.length === 0) return undefined;
  const names = pending.flatMap(({ reviewers }) => (reviewers ?? []).flatMap((each) => nameOf(each, owner)));
  const ends = pending.flatMap(({ wait_timer: minutes, wait_timer_started_at: since }) =>
    minutes && since ? [Date.parse(since) + minutes * MINUTE_MS] : [],
  );
  const until = ends.length === 0 ? undefined : new Date(Math.max(...ends)).toISOString();
  return { reviewers: [...new Set(names)].slice(0, NAMED), ...defined({ until }) };
}

function nameOf({ reviewer }: z.infer<typeof Reviewer>, owner: string): string[] {
  if (reviewer?.login !== undefined) return [reviewer.login];
  return reviewer?.slug === undefined ? [] : [`${owner}/${reviewer.slug}`];
}

/**
 * Why GitHub did not let a run deploy, in words: a reviewer said no, or a rule of the environment, such as that for branches. Undefined where
 * the run failed by itself. `began`: jobs were let through before, so something may be there.
 */
export async function readRefusal(
  read: Read,
  checks: Read,
  run: number,
): Promise<{ readonly why: string; readonly began: boolean } | undefined> {
  const answers = (await read(Answers, `GET ${RUN}/approvals`, { run_id: run })) ?? [];
  const no = answers.find(({ state }) => state === "rejected");
  if (no) {
    const began = answers.some(({ state }) => state === "approved");
    return { why: refusedBy(no.user?.login ?? "a reviewer", no.comment?.trim() ?? ""), began };
  }
  const { jobs } = (await read(Jobs, `GET ${RUN}/jobs`, { run_id: run, per_page: 100 })) ?? { jobs: [] };
  // What a job writes itself does not count: one that was not let through has no steps.
  const failed = jobs.find(({ conclusion, steps }) => conclusion === "failure" && (steps ?? []).length === 0);
  if (!failed) return undefined;
  const route = "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations";
  const notes = await checks(Annotations, route, { check_run_id: failed.id }).catch(unlessForbidden);
  const said = notes?.find(({ message }) => RULE.test(message ?? ""));
  return said?.message ? { why: said.message, began: false } : undefined;
}

/** How GitHub words it: "Branch "main" is not allowed to deploy to production due to environment protection rules." */
const RULE = /\bnot allowed to deploy\b|\bprotection rules\b/i;
