import { z } from "zod";
import type { PlannedStep } from "../domain/deployments.ts";
import { fileOf } from "./dispatched-runs.ts";
import type { Read } from "./reader.ts";

const Account = z.object({ login: z.string() }).nullish();
const Place = z.object({ id: z.number() });

/** What is read of a workflow's run. */
export const WorkflowRun = z.object({
  id: z.number(),
  event: z.string(),
  status: z.string().nullable(),
  conclusion: z.string().nullish(),
  path: z.string(),
  head_sha: z.string(),
  head_branch: z.string().nullish(),
  html_url: z.string(),
  run_attempt: z.number().optional(),
  actor: Account,
  triggering_actor: Account,
  repository: Place,
  head_repository: Place.nullish(),
});
export type WorkflowRun = z.infer<typeof WorkflowRun>;

/** Undefined where it is not there. */
export function readRun(read: Read, id: number): Promise<WorkflowRun | undefined> {
  return read(WorkflowRun, "GET /repos/{owner}/{repo}/actions/runs/{run_id}", { run_id: id });
}

/** Without the branch or commit that GitHub may write behind it. */
export function pathOf({ path }: Pick<WorkflowRun, "path">): string {
  return path.split("@")[0] ?? path;
}

/** Of the repository itself, and of no fork of it. */
export function isOfRepository({ repository, head_repository: head }: WorkflowRun, repositoryId: number): boolean {
  return repository.id === repositoryId && head?.id === repositoryId;
}

/** GitHub does not tell logins apart by their case. */
export function isBy(login: string, account: { readonly login: string } | null | undefined): boolean {
  return account?.login.toLowerCase() === login.toLowerCase();
}

/**
 * Whether a run came of a step: Forge started it, or its deployment did, and it is of the step's workflow. A person with push can start the
 * same workflow on the same commit with inputs of their own, but not as Forge. Of a dispatched run the commit tells nothing: GitHub starts
 * it at the head of the branch, which may have moved on, and names the commit to deploy in an input.
 */
export function isOfStep(
  run: WorkflowRun,
  { way, workflow, sha, ref }: Pick<PlannedStep, "way" | "workflow" | "sha" | "ref">,
  { repositoryId, login }: { readonly repositoryId: number; readonly login: string },
): boolean {
  if (way === "program" || run.event !== way) return false;
  if (!isOfRepository(run, repositoryId) || !isBy(login, run.actor)) return false;
  if (workflow !== undefined && pathOf(run) !== workflow) return false;
  return way === "workflow_dispatch" ? fileOf({ workflow }) !== "" && run.head_branch === ref : run.head_sha === sha;
}
