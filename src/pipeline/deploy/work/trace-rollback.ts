import { defined } from "../../../domain/defined.ts";
import type { NewJob } from "../../../domain/jobs.ts";
import type { ProductionFault } from "../../../domain/production-feedback.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { listRunsOfSubject } from "../../../store/runs/read-runs.ts";
import type { Store } from "../../../store/store.ts";
import { traceFault } from "../../runs/decision.ts";
import { type Deployment, onlyPull } from "../deployment.ts";
import { replayDeployment } from "../evolve.ts";

/** Why it went back, where that says something of the version: by what was measured, or because a person said so. */
const FOUND_BAD: ReadonlySet<string> = new Set(["worse", "disaster", "alert", "person"]);

/**
 * The job that has a rollback counted: for the run behind the one pull request that the version brought, and for the level of the repository
 * (SAFE-4). A version whose step only failed to be deployed was never seen at work.
 */
export async function traceRollback(store: Store, run: Deployment, at: string): Promise<NewJob[]> {
  const { deploy, back, observed, end, runId, subject } = run;
  const isAsked = deploy.cause === "rollback";
  const isBack = isAsked ? end?.outcome === "rolled_back" : back !== undefined && FOUND_BAD.has(back.why);
  // Going back on purpose removes what ran there before.
  const sha = isAsked ? observed?.facts.previous : deploy.sha;
  if (!isBack || sha === undefined) return [];
  const brought = isAsked ? await deploymentOf(store, subject, sha) : run;
  const pull = brought && onlyPull(brought);
  const about = pull === undefined ? deploy.about : ofPull(subject, pull);
  if (!about) return [];
  const what = back?.reason ?? deploy.reason ?? "a person went back";
  const fault: ProductionFault = {
    ...{ id: `rollback:${runId}`, is: "rollback", environment: deploy.environment, what: what.slice(0, 500), sha },
    ...defined({ pull }),
  };
  return [traceFault(about, fault, at)];
}

function ofPull({ repository }: Subject, number: number): Subject {
  return { kind: "pull_request", repository, number };
}

/** The deployment that brought a version there. */
async function deploymentOf(store: Store, environment: Subject, sha: string): Promise<Deployment | undefined> {
  const rows = await listRunsOfSubject(store, environment);
  for (const { traceId } of rows.filter(({ headSha }) => headSha === sha)) {
    const run = replayDeployment(await readEvents(store, traceId));
    if (run && run.steps.length > 0 && run.deploy.cause !== "rollback") return run;
  }
  return undefined;
}
