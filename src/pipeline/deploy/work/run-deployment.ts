import { defined } from "../../../domain/defined.ts";
import { environmentOf } from "../../../domain/deployments.ts";
import { errorFacts, RetryLater } from "../../../domain/errors.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import { EnvironmentSubject } from "../../../domain/subjects.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { mirrorOf, needed } from "../../change/fetch-ends.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { handleInput, type InputDependencies, submit } from "../../runs/handle-input.ts";
import { runPhase } from "../../runs/run-phase.ts";
import { testCommits } from "../../testing/test-head.ts";
import { DEPLOYMENT, type StageDefinition } from "../definition.ts";
import { currentStep, type Deployment, isDue, type StepState, stageOf } from "../deployment.ts";
import { replayDeployment } from "../evolve.ts";
import { inTime, nextLook } from "../steps.ts";
import type { DeployDependencies, DeployJob } from "./deploy-job.ts";
import { doAfterwards } from "./do-afterwards.ts";
import { followProgram } from "./follow-program.ts";
import { levelAfterWait } from "./level-now.ts";
import { observeDeployment } from "./observe-deployment.ts";

/**
 * Does for a deployment what comes next, and is put off until the next look: between two looks nothing is held but a row in the queue. Every
 * result is an input, so a worker that dies leaves a deployment that the next one takes up.
 * @throws RetryLater `next_look` when there is nothing to do now
 */
export async function runDeployment(
  dependencies: DeployDependencies,
  payload: JobPayload<"deploy">,
  { attempt, signal, fence }: JobContext,
): Promise<void> {
  const job: DeployJob = { ...payload, signal, fence };
  const { runId } = payload;
  await runPhase({
    ...{ signal, now: dependencies.now },
    run: () => goOn(dependencies, job),
    fail: (error) =>
      submit(dependencies, job, { type: "deploy.failed", runId, error, attempts: attempt, final: false }),
  });
}

/** The queue has given a look up: a version that is out is watched on all the same. */
export async function giveUpDeployment(
  { store, makeId, now }: InputDependencies,
  { runId, ...of }: JobPayload<"deploy">,
  { error, attempts }: DeadJob,
): Promise<void> {
  const subject = EnvironmentSubject.parse(of.subject);
  const input = { type: "deploy.failed", runId, subject, attempts, error: errorFacts(error), final: true } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() });
}

async function goOn(dependencies: DeployDependencies, job: DeployJob): Promise<void> {
  for (let before = -1; ; ) {
    job.signal.throwIfAborted();
    const run = replayDeployment(await readEvents(dependencies.store, job.runId));
    if (!run) return;
    if (run.version === before) return waitFor(dependencies, run);
    before = run.version;
    await WORK[DEPLOYMENT.stages[stageOf(run)].does](dependencies, job, run);
  }
}

function waitFor({ now }: DeployDependencies, run: Deployment): void {
  const at = now();
  const due = nextLook(run, at);
  if (due === undefined) return;
  const afterMs = Math.max(0, Date.parse(due) - Date.parse(at));
  throw new RetryLater("next_look", "The deployment is looked at again later.", { source: "logic", afterMs });
}

type Work = (dependencies: DeployDependencies, job: DeployJob, run: Deployment) => Promise<unknown>;

/** What a worker does in a stage, as the definition has it. */
const WORK: Readonly<Record<StageDefinition["does"], Work>> = {
  observe: async (dependencies, job, run) => {
    const seen = await observeDeployment(dependencies, job, run);
    return submit(dependencies, job, { type: "deploy.observed", runId: run.runId, seen });
  },
  verify,
  look: (dependencies, job, { runId }) => submit(dependencies, job, { type: "deploy.looked", runId }),
  let_through: async (dependencies, job, run) => {
    if (!isDue(run, dependencies.now())) return;
    const level = await levelAfterWait(dependencies, run, job.signal);
    await submit(dependencies, job, { type: "deploy.looked", runId: run.runId, level });
  },
  follow,
  probe,
  do_afterwards: doAfterwards,
};

/** Builds the version and runs the tests that it asks for, in the sandbox (DEP-1). */
async function verify(dependencies: DeployDependencies, job: DeployJob, run: Deployment): Promise<void> {
  const { subject, observed, deploy, runId } = run;
  if (!observed) return;
  const { host, mirrorRoot } = dependencies;
  const { repository } = subject;
  const { value: configuration } = await loadConfiguration(dependencies, repository, job.signal);
  const mirror = mirrorOf(repository, mirrorRoot, host.remote(repository));
  const { previous, risk } = observed.facts;
  const ends = { baseSha: previous ?? deploy.sha, headSha: deploy.sha };
  needed(await fetchCommits(mirror, { shas: [...new Set([ends.baseSha, ends.headSha])], signal: job.signal }));
  // Of what comes first nothing is known to be unchanged: then all tests are run.
  const wanted = previous === undefined ? "critical" : risk;
  const outcome = await testCommits(dependencies, {
    mirror,
    ends,
    configuration,
    signal: job.signal,
    ...defined({ risk: wanted }),
  });
  const failed = outcome.outcome === "failed" && outcome.blameless !== true;
  const is = failed ? "failed" : outcome.outcome === "passed" ? "passed" : "skipped";
  const counted = `${outcome.passed} passed, ${outcome.failed} failed`;
  const summary = is === "skipped" ? (outcome.reason ?? "Nothing could be run.") : `${counted}.`;
  await submit(dependencies, job, { type: "deploy.verified", runId, is, summary });
}

/** Asks what became of a step, and has the operator's program do it where that is the way. */
async function follow(dependencies: DeployDependencies, job: DeployJob, run: Deployment): Promise<void> {
  const step = currentStep(run);
  if (!step) return;
  const { planned, handle = {}, startedAt } = step;
  const { repository } = run.subject;
  const tell = (outcome: StepState["outcome"], known?: StepState["handle"]) => {
    const what = { step: planned.marker.step, outcome, ...defined({ handle: known }) };
    return submit(dependencies, job, { type: "deploy.stepped", runId: run.runId, ...what });
  };
  if (planned.way === "program") return followProgram(dependencies, job, run, step);
  const begun = { handle, startedAt };
  const seen = await dependencies.deployHost.followStep(repository, planned, begun, job.signal);
  const outcome = inTime(run, step, seen.outcome, dependencies.now());
  // What may be there is gone back from.
  const isUnclear = outcome.is === "never_started" && seen.unclear !== undefined;
  await tell(isUnclear ? { is: "failed", detail: seen.unclear } : outcome, seen.handle);
}

/** Reads what the sources say of the version that is there. */
async function probe(dependencies: DeployDependencies, job: DeployJob, run: Deployment): Promise<void> {
  const { observed, subject, steps, runId, deploy } = run;
  const first = steps[0];
  const step = currentStep(run);
  if (!observed || !first || step?.doneAt === undefined) return;
  const to = dependencies.now();
  const since = step.samples.at(-1)?.to ?? step.doneAt;
  const lastLook = Date.parse(to) - Date.parse(since);
  // A look right after the last one has nothing new to read.
  if (lastLook < observed.settings.probe_seconds * 1_000) return;
  const { percentage } = step.planned;
  const sample = await dependencies.takeSample(
    {
      ...{ repository: subject.repository, environment: environmentOf(subject), version: deploy.sha },
      ...{ before: observed.facts.previous, from: since, to, since: first.startedAt, weight: percentage },
      ...{ baseline: percentage < 100 ? "concurrent" : "before", queries: observed.settings.judge.queries },
    },
    job.signal,
  );
  await submit(dependencies, job, { type: "deploy.probed", runId, step: step.planned.marker.step, sample });
}
