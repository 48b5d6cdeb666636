import { USUAL_SHARES } from "../../agents/library.ts";
import type { RunAgent } from "../../agents/reviewer/ports.ts";
import { createGraphReader, type OutlineMemory, type ReadGraph } from "../../analysis/map/read-graph.ts";
import { defined } from "../../domain/defined.ts";
import { errorFacts } from "../../domain/errors.ts";
import type { HeadTested } from "../../domain/inputs.ts";
import type { JobPayload } from "../../domain/jobs.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import { type Actor, atLeast, type Subject } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { chosenModels } from "../../llm/create-models.ts";
import type { DeadJob, JobContext } from "../../queue/ports.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import type { Tool } from "../../tools/tool.ts";
import { testerTools } from "../../tools/toolsets.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { PackageSource } from "../../workspace/install/install-packages.ts";
import type { Mirror } from "../../workspace/mirror.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import { openWorkingTree, type WorkingTree } from "../../workspace/working-tree/working-tree.ts";
import { openAgentsWithoutRun } from "../ai/agents-without-run.ts";
import type { ProcessAi } from "../ai/ai-dependencies.ts";
import { type ProgressReporter, reportProgress } from "../ai/report-progress.ts";
import { fetchEnds } from "../change/fetch-ends.ts";
import { addPackages, packagesOfCommit } from "../change/packages-of-commit.ts";
import { readChange, withDeleted } from "../change/read-change.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../runs/configuration/load-configuration.ts";
import { handleInput, type InputDependencies } from "../runs/handle-input.ts";
import type { PullRequestFacts, PullRequestHost } from "../runs/ports.ts";
import { runPhase } from "../runs/run-phase.ts";
import { readFacts } from "../runs/subject.ts";
import type { HeadTests } from "../runs/subject-facts.ts";
import { runTestingPhase } from "./run-testing-phase.ts";
import type { TestingDependencies } from "./testing-request.ts";

export interface TestHeadDependencies extends TesterDependencies {
  readonly mirrorRoot: string;
  readonly packages: PackageSource;
  readonly outlines: OutlineMemory;
}

type TestJob = JobPayload<"test">;
type Result = Pick<HeadTested, "outcome" | "cancelled" | "error" | "costUsd">;

const MINUTE_MS = 60_000;

/**
 * Runs the tests that the head of a pull request of people asks for, in the sandbox and with the default branch's configuration (TEST-1). A
 * worker that dies leaves nothing but the steps of the model, which are not paid again: the next worker runs the tests anew.
 */
export function testHead(dependencies: TestHeadDependencies, job: TestJob, context: JobContext): Promise<void> {
  const { signal, fence } = context;
  const run = async () => {
    const { tests } = await readFacts(dependencies.store, job.subject);
    if (!tests || tests.traceId !== job.traceId || tests.ended) return;
    const pull = await dependencies.host.readPullRequest(job.subject, signal);
    const cancelled = whyNotWanted(pull, tests);
    if (cancelled || !pull) {
      await tell(dependencies, job, { cancelled: cancelled ?? { reason: "repository_gone" }, costUsd: 0 }, fence);
      return;
    }
    await tell(dependencies, job, await runHead(dependencies, job, { tests, pull }, context), fence);
  };
  return runPhase({ signal, now: dependencies.now, run });
}

/** The queue has given them up: the check says so. */
export async function giveUpTests(dependencies: InputDependencies, job: TestJob, { error, attempts }: DeadJob) {
  const { code, message } = errorFacts(error);
  await tell(dependencies, job, { error: { code, message, attempts }, costUsd: 0 });
}

async function tell(
  { store, makeId, now }: InputDependencies,
  { subject, traceId = "" }: TestJob,
  result: Result,
  fence?: JobContext["fence"],
): Promise<void> {
  const input = { type: "head.tested", subject, traceId, ...result } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() }, fence);
}

/** Later pushes are not run by these tests: they have not been looked at (SEC-1), and have tests of their own. */
function whyNotWanted(pull: PullRequestFacts | undefined, { headSha }: HeadTests): HeadTested["cancelled"] {
  if (!pull?.open) return pull && { reason: "closed" };
  return pull.ends.headSha === headSha ? undefined : { reason: "superseded", byHead: pull.ends.headSha };
}

interface Head {
  readonly tests: HeadTests;
  readonly pull: PullRequestFacts;
}

async function runHead(
  dependencies: TestHeadDependencies,
  { subject }: TestJob,
  { tests, pull }: Head,
  { signal, fence }: JobContext,
): Promise<Result> {
  const { host, mirrorRoot } = dependencies;
  const { ends } = pull;
  const { value: configuration } = await loadConfiguration(dependencies, subject.repository, signal);
  const mirror = await fetchEnds({ subject, ends, mirrorRoot, remote: host.remote(subject.repository), signal });
  let tester: Tester | undefined;
  await using progress = followTests(dependencies, { subject, tests, fence, signal });
  const outcome = await testCommits(dependencies, {
    ...{ mirror, ends, configuration, signal, ...defined({ risk: tests.risk }) },
    running: (testFiles) => progress.say({ doing: "testing", testFiles }),
    openTester: async (known) => {
      tester = await openTester(dependencies, {
        subject,
        tests,
        author: pull.author,
        configuration,
        fence,
        signal,
        ...known,
      });
      return tester;
    },
  });
  return { outcome, costUsd: (await tester?.spentUsd()) ?? 0 };
}

/** Most tests are over before that. */
const FIRST_REPORT_MS = 20_000;

type Followed = Pick<TesterRequest, "subject" | "tests" | "fence" | "signal">;

/** Shows on the check what the tests do (GH-12). Its end waits until each report is stored. */
function followTests(
  { store, makeId, now, ai }: TestHeadDependencies,
  { subject, tests: { traceId }, fence, signal }: Followed,
): Pick<ProgressReporter, "say"> & AsyncDisposable {
  const written: Promise<unknown>[] = [];
  const { say, end } = reportProgress({
    firstMs: FIRST_REPORT_MS,
    tell: (activity) => {
      const input = { type: "tests.progressed", subject, traceId, activity, at: now(), newRunId: makeId() } as const;
      return handleInput({ store, makeId }, input, fence);
    },
    purposeOf: () => "tests",
    afterwards: (work) => void written.push(work),
    clock: { now: () => Date.parse(now()), sleep: ai.clock.sleep },
    signal,
  });
  const ended = async () => {
    end();
    await Promise.all(written);
  };
  return { say, [Symbol.asyncDispose]: ended };
}

/** What is tested, and with what. */
export interface CommitsRequest {
  readonly mirror: Mirror;
  /** Both are in the mirror; what differs between them is what was changed. */
  readonly ends: { readonly baseSha: string; readonly headSha: string };
  readonly configuration: RepoConfig;
  /** How many tests are run depends on it; medium when left out. */
  readonly risk?: RiskLevel;
  readonly signal: AbortSignal;
  /** Told how many test files are about to be run. */
  readonly running?: TestingDependencies["running"];
  /** A model that looks for the causes of failures; none when left out. */
  readonly openTester?: (known: {
    readonly clone: Clone | undefined;
    readonly readGraph: ReadGraph;
    readonly paths: readonly string[];
  }) => Promise<{ readonly run: RunAgent; readonly tools: readonly Tool[] } | undefined>;
}

/** Builds a commit where the repository says how, and runs the tests that what was changed up to it asks for, in the sandbox. */
export async function testCommits(
  dependencies: Pick<TestHeadDependencies, "scratchRoot" | "outlines" | "redact" | "packages">,
  { mirror, ends, configuration, risk = "medium", signal, running, openTester: open }: CommitsRequest,
): Promise<TestOutcome> {
  const { scratchRoot, outlines, redact } = dependencies;
  const change = await withDeleted(mirror, await readChange(mirror, ends, signal), signal);
  const found = await openSandbox();
  const sandbox = "unavailable" in found ? undefined : found;
  const openTree = (base: string) => openWorkingTree({ mirror, base, scratchRoot, sandbox, signal });
  await using opened = new AsyncDisposableStack();
  const place = { mirror, base: change.mergeBaseSha, scratchRoot, signal, source: dependencies.packages };
  const install = (commit: string, tree: WorkingTree) =>
    addPackages(opened.use(packagesOfCommit({ ...place, commit })), tree);
  const tree = opened.use(await openTree(ends.headSha));
  const packages = tree.clone ? await install(ends.headSha, tree) : undefined;
  const packagesMissing = packages && !packages.installed && packages.needed ? packages.reason : undefined;
  let base: WorkingTree | undefined;
  const openBase = async () => {
    if (base) return base.clone;
    base = opened.use(await openTree(change.mergeBaseSha));
    if (packages?.installed) await install(change.mergeBaseSha, base);
    return base.clone;
  };
  const readGraph = createGraphReader({ files: tree.files, scratch: scratchRoot, immutable: true, outlines });
  const paths = change.files.map(({ path }) => path);
  const tester = await open?.({ clone: tree.clone, readGraph, paths });
  // Awaited here: the trees are removed when this returns.
  return await runTestingPhase(
    {
      clone: tree.clone ?? { unavailable: "the files cannot be run" },
      ...{ openBase, readGraph, redact, scratchRoot, signal, running },
      runAgent: tester?.run,
      testerTools: tester?.tools ?? [],
      iterations: configuration.safety.iterations.testing,
      timeLimitMs: configuration.safety.time.testing * MINUTE_MS,
    },
    // What a truncated change touches is unknown: then all of them.
    {
      headSha: ends.headSha,
      change,
      risk: change.cut === undefined ? risk : "critical",
      tools: configuration.tools,
      ...defined({ packagesMissing }),
    },
  );
}

interface TesterDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "remote" | "readRole"> & ConfigurationDependencies["host"];
  readonly ai: ProcessAi;
  readonly scratchRoot: string;
  readonly redact: Redact;
}

interface TesterRequest {
  readonly subject: Subject;
  readonly tests: HeadTests;
  readonly author: Actor;
  readonly configuration: RepoConfig;
  /** Undefined where nothing can be run. */
  readonly clone: Clone | undefined;
  readonly readGraph: ReadGraph;
  /** Changed files. */
  readonly paths: readonly string[];
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** The tester, which looks for causes of failures, and its cost so far in USD, over all attempts. */
interface Tester {
  readonly run: RunAgent;
  readonly tools: readonly Tool[];
  readonly spentUsd: () => Promise<number>;
}

/**
 * A model that looks for the causes of failures on a head that people pushed, where one may read the change (GH-8c). Nothing waits for it:
 * where its provider wants to be asked later, or a call of it needs a person, the failures stay as they were seen.
 */
async function openTester(dependencies: TesterDependencies, request: TesterRequest): Promise<Tester | undefined> {
  const { redact, ai } = dependencies;
  const { subject, tests, configuration, clone, readGraph, paths, fence, signal } = request;
  if (!clone || !(await mayRead(dependencies, request))) return undefined;
  const models = await ai.modelsFor(chosenModels(configuration));
  if (!models.configured) return undefined;
  const { run, spentUsd } = await openAgentsWithoutRun(dependencies, {
    ...{ subject, runId: tests.traceId, phase: "testing", configuration, models, redact, fence, signal },
    waits: false,
    profile: { work: () => "testing", asks: false, called: "the tester", shares: USUAL_SHARES, memoryShare: 1 },
  });
  return {
    run,
    tools: testerTools({ clone, redact, readGraph, changedPaths: paths }),
    spentUsd,
  };
}

/** As for the AI layer of a review: not where the repository wants no model, nor on what an outsider sent before somebody here said so. */
async function mayRead({ store, host }: TesterDependencies, request: TesterRequest): Promise<boolean> {
  const { subject, tests, author, configuration, signal } = request;
  if (configuration.review.ai === "never") return false;
  if (tests.asked || (await readFacts(store, subject)).trusted === true) return true;
  return author.kind === "user" && atLeast(await host.readRole(subject.repository, author.login, signal), "write");
}
