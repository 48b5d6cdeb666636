import { environmentSubject } from "../../../domain/deployments.ts";
import { storedPayload } from "../../../domain/memories.ts";
import { addJobs } from "../../../store/jobs/add-jobs.ts";
import { workOn } from "../../runs/decision.ts";
import { handleInput } from "../../runs/handle-input.ts";
import { readFacts } from "../../runs/subject.ts";
import type { Deployment } from "../deployment.ts";
import type { DeployDependencies, DeployJob } from "./deploy-job.ts";
import { followFixes } from "./follow-fault.ts";
import { dropLeft } from "./follow-program.ts";
import { readLevel } from "./level-now.ts";
import { readEnvironment } from "./observe-deployment.ts";
import { traceRollback } from "./trace-rollback.ts";

/** What follows elsewhere from the end of a deployment. Each of it is done once, however often a worker dies in between. */
export async function doAfterwards(
  dependencies: DeployDependencies,
  { fence, signal }: DeployJob,
  run: Deployment,
): Promise<void> {
  const { store, makeId, now } = dependencies;
  const { subject, deploy, observed, end, runId } = run;
  const { repository } = subject;
  const common = () => ({ type: "deploy.requested", at: now(), newRunId: makeId() }) as const;
  await dropLeft(dependencies, { fence }, run);
  await teachRollback(dependencies, run, signal);
  await addJobs(store, await traceRollback(store, run, now()));
  const isGood = end?.outcome === "healthy" || end?.outcome === "unwatched";
  if (isGood) await addJobs(store, await followFixes(store, run, now()));
  if (isGood && observed?.onward && !run.stopped) {
    const production = environmentSubject(repository, "production");
    const { level } = await readLevel(dependencies, repository, signal);
    const onward = { ...deploy, environment: "production", cause: "promotion", id: `onward:${runId}`, level } as const;
    await handleInput(dependencies, { ...common(), subject: production, deploy: onward });
  }
  const { next } = await readEnvironment(dependencies, subject);
  if (next) await handleInput(dependencies, { ...common(), subject, deploy: next }, fence);
  if (deploy.implements) {
    const { issue, runId: work } = deploy.implements;
    await addJobs(store, [workOn({ runId: work, subject: { kind: "issue", repository, number: issue } }, now())]);
  }
}

/** Files of it that are named where it is remembered. */
const FILES_NAMED = 5;

/** What was taken back is remembered where it is told of, once (DEP-1): the evidence is an outcome, which is believed from the start. */
async function teachRollback(dependencies: DeployDependencies, run: Deployment, signal: AbortSignal): Promise<void> {
  const { runId, deploy, back, observed, subject } = run;
  const { about, environment, sha } = deploy;
  if (!back || !about || !observed || deploy.cause === "rollback") return;
  const { repository } = subject;
  const named = observed.facts.changes.map(({ number, title }) => `#${number} (${title})`).slice(0, 3);
  const what = named.length === 0 ? sha.slice(0, 7) : named.join(", ");
  const scope = { installationId: repository.installationId, repositoryId: repository.id };
  const cause = `rolled_back:${runId}`;
  if ((await readFacts(dependencies.store, about)).causes.has(cause)) return;
  // What is changed there next is recalled by the files.
  const { previous } = observed.facts;
  const range = previous ? await dependencies.deployHost.readRange(repository, previous, sha, signal) : undefined;
  const files = range?.files.slice(0, FILES_NAMED) ?? [];
  const changed = files.length === 0 ? "" : ` It changed ${files.join(", ")}.`;
  const prepared = await dependencies.memory.prepare(
    {
      ...{ scope, type: "semantic", origin: "outcome", tags: ["rollback", environment], cites: [] },
      content: `${what} was deployed to ${environment} and taken back: ${back.reason}.${changed}`,
      ...{ context: `deployment of ${sha.slice(0, 7)}`, metadata: { runId } },
    },
    signal,
  );
  const events = [{ type: "memory.stored" as const, payload: storedPayload(prepared, cause) }];
  const input = { type: "learning.observed", subject: about, cause, events, memories: [prepared.memory] } as const;
  await handleInput(dependencies, { ...input, at: dependencies.now(), newRunId: dependencies.makeId() });
}
