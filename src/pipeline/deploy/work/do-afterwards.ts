import { environmentSubject } from "../../../domain/deployments.ts";
import { addJobs } from "../../../store/jobs/add-jobs.ts";
import { workOn } from "../../runs/decision.ts";
import { handleInput } from "../../runs/handle-input.ts";
import type { Deployment } from "../deployment.ts";
import type { DeployDependencies, DeployJob } from "./deploy-job.ts";
import { readEnvironment } from "./observe-deployment.ts";

/** What follows elsewhere from the end of a deployment. Each of it is done once, however often a worker dies in between. */
export async function doAfterwards(
  dependencies: DeployDependencies,
  { fence }: DeployJob,
  run: Deployment,
): Promise<void> {
  const { store, makeId, now } = dependencies;
  const { subject, deploy, observed, end, runId } = run;
  const { repository } = subject;
  const common = () => ({ type: "deploy.requested", at: now(), newRunId: makeId() }) as const;
  const isGood = end?.outcome === "healthy" || end?.outcome === "unwatched";
  if (isGood && observed?.onward) {
    const production = environmentSubject(repository, "production");
    const onward = { ...deploy, environment: "production", cause: "promotion", id: `onward:${runId}` } as const;
    await handleInput(dependencies, { ...common(), subject: production, deploy: onward });
  }
  const { next } = await readEnvironment(dependencies, subject);
  if (next) await handleInput(dependencies, { ...common(), subject, deploy: next }, fence);
  if (deploy.implements) {
    const { issue, runId: work } = deploy.implements;
    await addJobs(store, [workOn({ runId: work, subject: { kind: "issue", repository, number: issue } }, now())]);
  }
}
