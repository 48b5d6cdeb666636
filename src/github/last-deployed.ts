import { z } from "zod";
import type { VerifiedBy } from "../pipeline/deploy/work/ports.ts";
import type { Read } from "./reader.ts";
import { isOfRepository, pathOf, readRun, type WorkflowRun } from "./workflow-run.ts";

/** Under this name workflows of GitHub Actions write. People cannot have it: their logins hold no brackets. */
const ACTIONS = "github-actions";

/** Who wrote a deployment or a status. */
export const Author = z.object({
  creator: z.object({ login: z.string(), type: z.string() }).nullish(),
  /** Absent where GitHub does not say. Set besides a person's name where the person let an App act for them. */
  performed_via_github_app: z.object({ slug: z.string() }).nullish(),
});
type Author = z.infer<typeof Author>;
const Deployments = z.array(
  Author.extend({ id: z.number(), sha: z.string(), original_environment: z.string().optional() }),
);
const Statuses = z.array(
  Author.extend({
    state: z.string(),
    environment: z.string().nullish(),
    log_url: z.string().nullish(),
    target_url: z.string().nullish(),
  }),
);
type Status = z.infer<typeof Statuses>[number];

const PAGE = 100;
/** Pages of statuses that are read of one deployment. More than a workflow ever writes. */
const STATUS_PAGES = 10;

/** The newest deployment whose run is verified, among the newest 100: its commit. */
export async function readLastDeployed(
  { deployments, runs }: { readonly deployments: Read; readonly runs: Read },
  repositoryId: number,
  environment: string,
  by: VerifiedBy,
): Promise<string | undefined> {
  if (by.path === undefined) return undefined;
  const route = "GET /repos/{owner}/{repo}/deployments";
  const known = new Map<number, WorkflowRun | undefined>();
  for (const one of (await deployments(Deployments, route, { environment, per_page: PAGE })) ?? []) {
    // A status may move a deployment to another environment.
    if (!isByActions(one) || !isSame(one.original_environment ?? environment, environment)) continue;
    for (const id of await linkedRuns(deployments, one.id, environment)) {
      if (!known.has(id)) known.set(id, await readRun(runs, id));
      const run = known.get(id);
      if (run && isVerified(run, { ...by, repositoryId, sha: one.sha })) return one.sha;
    }
  }
  return undefined;
}

/** The runs that the successes of a deployment link to. */
async function linkedRuns(read: Read, deploymentId: number, environment: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const route = "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
  for (let page = 1; page <= STATUS_PAGES; page += 1) {
    const wanted = { deployment_id: deploymentId, per_page: PAGE, page };
    const statuses = (await read(Statuses, route, wanted)) ?? [];
    for (const status of statuses) {
      const isHere = isSame(status.environment || environment, environment);
      const run = status.state === "success" && isByActions(status) && isHere ? runOf(status) : undefined;
      if (run !== undefined) found.add(run);
    }
    if (statuses.length < PAGE) break;
  }
  return found;
}

/** The number in the link of a status, as in `https://github.com/ana/shop/actions/runs/12/job/34`. */
function runOf({ log_url: log, target_url: target }: Status): number | undefined {
  return runIn(log || target);
}

/** @param link to a workflow's run, or to a job of it */
export function runIn(link: string | null | undefined): number | undefined {
  const id = /\/actions\/runs\/([1-9]\d{0,14})(?:\/|$)/.exec(link ?? "")?.[1];
  return id === undefined ? undefined : Number(id);
}

/** Whether a workflow of GitHub Actions wrote it, whichever: everyone who may push can push one. */
export function isByActions({ creator, performed_via_github_app: app }: Author): boolean {
  const isBot = creator?.type === "Bot" && creator.login === `${ACTIONS}[bot]`;
  return isBot && (app === undefined || app === null || app.slug === ACTIONS);
}

/** GitHub does not tell names of environments apart by their case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Whether the run of a deployment says that its commit was deployed. A person with push can push a workflow that writes such a deployment
 * itself: so where the environment asks Forge, only runs that it did not refuse count.
 */
export function isVerified(
  run: WorkflowRun,
  { path, letThrough, except, sha, repositoryId }: VerifiedBy & { readonly sha: string; readonly repositoryId: number },
): boolean {
  if (run.id === except || !isOfRepository(run, repositoryId)) return false;
  if (letThrough && run.id >= letThrough.since && !letThrough.runs.has(run.id)) return false;
  const isOfPull = run.event.startsWith("pull_request");
  return !isOfPull && pathOf(run) === path && run.head_sha === sha && run.conclusion === "success";
}
