import { createGraphReader, type OutlineMemory } from "../../analysis/map/read-graph.ts";
import { commandKey } from "../../domain/command-source.ts";
import type { QuestionSettled } from "../../domain/inputs.ts";
import type { JobPayload } from "../../domain/jobs.ts";
import type { PullRequestEnds } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import type { DeadJob, JobContext } from "../../queue/ports.ts";
import type { Redact } from "../../safety/redact.ts";
import type { PackageSource } from "../../workspace/install/install-packages.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import { openWorkingTree, type WorkingTree } from "../../workspace/working-tree/working-tree.ts";
import { fetchEnds } from "../change/fetch-ends.ts";
import { addPackages, packagesOfCommit } from "../change/packages-of-commit.ts";
import { readChange, withDeleted } from "../change/read-change.ts";
import { refusalOf, tellOutcome } from "../commands/tell-outcome.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../runs/configuration/load-configuration.ts";
import type { InputDependencies } from "../runs/handle-input.ts";
import type { PullRequestFacts, PullRequestHost } from "../runs/ports.ts";
import { runPhase } from "../runs/run-phase.ts";
import { readFacts } from "../runs/subject.ts";
import { runTestingPhase } from "./run-testing-phase.ts";

export interface AnswerTestDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "remote"> & ConfigurationDependencies["host"];
  readonly mirrorRoot: string;
  readonly scratchRoot: string;
  readonly packages: PackageSource;
  readonly outlines: OutlineMemory;
  readonly redact: Redact;
}

type TestJob = JobPayload<"test">;

const MINUTE_MS = 60_000;

/**
 * Runs the tests that the head of a pull request asks for, in the sandbox and with the default branch's configuration, and
 * answers whoever wanted that (TEST-1). No model is asked.
 */
export function answerTest(
  dependencies: AnswerTestDependencies,
  job: TestJob,
  { signal, fence }: JobContext,
): Promise<void> {
  const run = async () => {
    if (await isAnswered(dependencies, job)) return;
    const pull = await dependencies.host.readPullRequest(job.subject, signal);
    const outcome = await outcomeOf(dependencies, job, pull, signal);
    await tellOutcome(dependencies, job, { outcome, costUsd: 0 }, fence);
  };
  return runPhase({ signal, now: dependencies.now, run });
}

/** The queue has given it up: whoever asked is told. */
export async function giveUpTest(dependencies: InputDependencies, job: TestJob, { error }: DeadJob): Promise<void> {
  await tellOutcome(dependencies, job, { outcome: { refusal: refusalOf(error) }, costUsd: 0 });
}

async function isAnswered({ store }: AnswerTestDependencies, { subject, source, index }: TestJob): Promise<boolean> {
  const { answered } = await readFacts(store, subject);
  return answered.has(commandKey(source, index));
}

async function outcomeOf(
  dependencies: AnswerTestDependencies,
  job: TestJob,
  pull: PullRequestFacts | undefined,
  signal: AbortSignal,
): Promise<QuestionSettled["outcome"]> {
  if (!pull?.open) return { refusal: { reason: "closed", name: "test" } };
  const { headSha } = job;
  const { ends } = pull;
  // What strangers push after somebody let their code be run is not what was looked at.
  if (ends.headSha !== headSha)
    return { refusal: { reason: "branch_moved", headSha, movedTo: ends.headSha, name: "test" } };
  return { answer: { kind: "tested", outcome: await testHead(dependencies, job, ends, signal) } };
}

async function testHead(
  dependencies: AnswerTestDependencies,
  { subject, risk = "medium" }: TestJob,
  ends: PullRequestEnds,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const { host, mirrorRoot, scratchRoot, outlines, redact } = dependencies;
  const { value: configuration } = await loadConfiguration(dependencies, subject.repository, signal);
  const mirror = await fetchEnds({ subject, ends, mirrorRoot, remote: host.remote(subject.repository), signal });
  const change = await withDeleted(mirror, await readChange(mirror, ends, signal), signal);
  const found = await openSandbox();
  const sandbox = "unavailable" in found ? undefined : found;
  const open = (base: string) => openWorkingTree({ mirror, base, scratchRoot, sandbox, signal });
  await using opened = new AsyncDisposableStack();
  const place = { mirror, base: change.mergeBaseSha, scratchRoot, signal, source: dependencies.packages };
  const install = (commit: string, tree: WorkingTree) =>
    addPackages(opened.use(packagesOfCommit({ ...place, commit })), tree);
  const tree = opened.use(await open(ends.headSha));
  const packages = tree.clone ? await install(ends.headSha, tree) : undefined;
  const packagesMissing = packages && !packages.installed && packages.needed ? packages.reason : undefined;
  let base: WorkingTree | undefined;
  const openBase = async () => {
    if (base) return base.clone;
    base = opened.use(await open(change.mergeBaseSha));
    if (packages?.installed) await install(change.mergeBaseSha, base);
    return base.clone;
  };
  return await runTestingPhase(
    {
      clone: tree.clone ?? { unavailable: "the files cannot be run" },
      openBase,
      readGraph: createGraphReader({ files: tree.files, scratch: scratchRoot, immutable: true, outlines }),
      testerTools: [],
      timeLimitMs: configuration.safety.time.testing * MINUTE_MS,
      ...{ redact, scratchRoot, signal },
    },
    // What a change that is cut off touches nobody knows: then all of them.
    {
      headSha: ends.headSha,
      change,
      risk: change.cut === undefined ? risk : "critical",
      tools: configuration.tools,
      packagesMissing,
    },
  );
}
