import { findChecks, type ProgramCall } from "../../../agents/implementer/find-type-check.ts";
import type { AgentDependencies } from "../../../agents/library.ts";
import { USUAL_SHARES } from "../../../agents/library.ts";
import type { InstructionText } from "../../../agents/reviewer/brief.ts";
import type { RunAgent } from "../../../agents/reviewer/ports.ts";
import { createGraphReader, type ReadGraph } from "../../../analysis/map/read-graph.ts";
import type { Activity, ActivityPurpose } from "../../../domain/activity.ts";
import { defined } from "../../../domain/defined.ts";
import type { Models } from "../../../llm/create-models.ts";
import { leftOf } from "../../../safety/budget.ts";
import { tripOnRunCalls } from "../../../safety/trip-rules.ts";
import { passMark } from "../../../store/jobs/fence.ts";
import { readWorkTree, storeWorkTree } from "../../../store/runs/put-work-tree.ts";
import { countCalls } from "../../../store/spend/read-spend.ts";
import { giveUpSpend } from "../../../store/spend/reservations.ts";
import { readCommitDay } from "../../../workspace/commit-log.ts";
import { mirrorStore } from "../../../workspace/git-store.ts";
import { installPackages } from "../../../workspace/install/install-packages.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import type { WorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import { policyOf } from "../../ai/ai-dependencies.ts";
import { describeTests, type TestingWords } from "../../ai/describe-testing.ts";
import { readInstructions } from "../../ai/find-instructions.ts";
import { heldMoney, openGatekeeper } from "../../ai/gatekeeper.ts";
import { openBudget } from "../../ai/open-budget.ts";
import { type OpenedMemory, openMemoryFor } from "../../ai/open-run-memory.ts";
import { type ProgressReporter, reportProgress } from "../../ai/report-progress.ts";
import { createRunAgent } from "../../ai/run-agent.ts";
import { createStoredSpendKeeper, type SpendKeeper, spenderFor } from "../../ai/spend-keeper.ts";
import { heedStop, keepSteps } from "../../ai/step-keeper.ts";
import { watchErrors } from "../../ai/watch-errors.ts";
import { AGENT_OF, type LimitedPhase } from "../../runs/definition.ts";
import { submit } from "../../runs/handle-input.ts";
import { readFacts } from "../../runs/subject.ts";
import { extensionsOf } from "../../runs/subject-facts.ts";
import type { Looked } from "../implementation.ts";
import { openTree } from "./open-tree.ts";
import { limitsOfPhase, type PhaseLimits } from "./phase-limits.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

const PURPOSE_OF: Readonly<Record<LimitedPhase, ActivityPurpose>> = {
  planning: "plan",
  implementation: "change",
  testing: "tests",
};

/** Where the agents of one phase of a run work: the files, the models, the money and what is known of the repository. */
export interface PhaseWorkspace extends AsyncDisposable {
  readonly mirror: Mirror;
  readonly tree: WorkingTree;
  /** Files of the tree as it was when it was opened. */
  readonly paths: readonly string[];
  readonly limits: PhaseLimits;
  readonly readGraph: ReadGraph;
  readonly instructions: readonly InstructionText[];
  /** How tests are executed here, or why they are not. */
  readonly tests: TestingWords;
  /** How types and style are checked here; undefined where nothing can be run. */
  readonly typeCheck: ProgramCall | undefined;
  readonly lint: ProgramCall | undefined;
  readonly memory: OpenedMemory;
  readonly models: Extract<Models, { configured: true }>;
  /** @param permit what agents of this sort may write without asking */
  readonly agents: (permit?: (policy: AgentDependencies["policy"]) => AgentDependencies["policy"]) => RunAgent;
  /** Why the packages of the repository are not installed although it asks for some, in a sentence. */
  readonly packagesMissing: string | undefined;
  /** Installs the packages in another tree of the same repository, as they are in this one. */
  readonly installIn: (other: WorkingTree) => Promise<void>;
  /** Stores the files as they are now, beside the steps of agents: after a commit. */
  readonly keep: () => Promise<void>;
  /** USD left of the tightest limit. */
  readonly leftUsd: () => Promise<number>;
  /** USD that all of the run cost up to now. */
  readonly spentUsd: () => Promise<number>;
  readonly progress: ProgressReporter;
  /** Milliseconds since it was opened. */
  readonly elapsedMs: () => number;
}

/**
 * Opens the files of a run as its last recorded step left them, and all that its agents need around them.
 * @throws ForgeError `no_model` where none is set up; `change_unreadable`, `working_tree_unavailable`, `github_unavailable`
 */
export async function openPhaseWorkspace(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Looked,
  phase: LimitedPhase,
  models: Extract<Models, { configured: true }>,
): Promise<PhaseWorkspace> {
  const { store, host, ai, scratchRoot, now, makeId } = dependencies;
  const { subject, runId, fence, signal } = job;
  const { configuration, issue } = run;
  const began = performance.now();
  const extensions = extensionsOf(await readFacts(store, subject), runId);
  const limits = limitsOfPhase(run, phase, extensions, ai);
  // Calls that were in flight when an earlier attempt died count with what they cost for being sent.
  await giveUpSpend(store, runId);
  const keeper = createStoredSpendKeeper(store, spenderFor(job, phase), now, fence);
  const tree = await openTree(dependencies, job, run);
  const inUse = new AsyncDisposableStack();
  try {
    const files = tree.files;
    const listed = await files.list(signal);
    const paths = listed.ok ? listed.paths : [];
    const texts = await files.readMany(
      ["package.json", "pyproject.toml", "mypy.ini"].filter((path) => paths.includes(path)),
      signal,
    );
    const install = async (into?: WorkingTree) => {
      const day = await readCommitDay(mirrorStore(tree.mirror), run.base.sha, signal);
      const source = dependencies.packages;
      const outcome = await installPackages({
        source,
        files: (into ?? tree).files,
        sandbox: await openSandbox(),
        day,
        signal,
      });
      await store.queue.step(passMark(fence));
      if (!outcome.installed) return outcome;
      inUse.use(outcome.packages);
      await into?.clone?.addPackages(outcome.packages.folder);
      return outcome;
    };
    // A planner only reads, but has to know whether tests will run; the packages are kept for the implementer.
    const packages = tree.clone ? await install(phase === "planning" ? undefined : tree) : undefined;
    const packagesMissing = packages && !packages.installed && packages.needed ? packages.reason : undefined;
    const gatekeeper = openGatekeeper(run.gates, configuration, run.plan?.plan.risk);
    const question = `${issue.title}\n${run.plan?.plan.title ?? ""}`;
    const use = { settings: configuration.memory, agentType: AGENT_OF[phase], phase, question };
    const code = { mirror: tree.mirror, base: run.base.sha, signal };
    const memory = openMemoryFor(ai.memory, { store, subject, runId, fence, now, makeId, code }, use, ai.redact);
    let kept = await readWorkTree(store, runId);
    const changed = async () => {
      if (phase !== "implementation") return undefined;
      const snapshot = await tree.snapshot();
      if (snapshot.tree === kept?.tree && snapshot.head === kept.head) return undefined;
      kept = snapshot;
      return snapshot;
    };
    const steps = keepSteps({ ...{ store, runId, fence, now, makeId, phase }, workTree: changed });
    const budget = await openBudget({ keeper, priceOf: ai.priceOf, makeId }, limits.budgets);
    const { redact, tokens, clock, random, priceOf } = ai;
    // Reviews of the work are runs of their own, with money of their own.
    const spentUsd = async () => (await spentOf(keeper, limits)) + (run.took.review?.costUsd ?? 0);
    const tell = async (activity: Activity) => {
      const told = { ...activity, costUsd: await spentUsd() };
      await submit(dependencies, job, { type: "work.progressed", runId, progress: told });
    };
    const { afterwards } = job;
    const purposeOf = () => PURPOSE_OF[phase];
    const progress = reportProgress({ firstMs: 20_000, tell, purposeOf, afterwards, clock, signal });
    return {
      mirror: tree.mirror,
      tree,
      paths,
      limits,
      readGraph: createGraphReader({
        ...{ files, scratch: scratchRoot, immutable: phase !== "implementation", outlines: dependencies.outlines },
      }),
      instructions: await readInstructions(
        host,
        subject.repository,
        paths.map((path) => ({ path })),
        configuration,
        signal,
      ),
      packagesMissing,
      installIn: async (other) => {
        if (packages?.installed) await install(other);
      },
      tests: await describeTests(files, { packagesMissing, configured: configuration.tools.test }, signal),
      ...(tree.clone
        ? findChecks(paths, (path) => texts.get(path)?.toString("utf8"), configuration.tools)
        : { typeCheck: undefined, lint: undefined }),
      memory,
      models,
      agents: (permit) =>
        createRunAgent({
          ...{ models, budget, tokens, clock, redact, priceOf, makeId, random, signal, gatekeeper },
          timeLimitMs: limits.timeLimitMs,
          steps: heedStop(steps, store, runId),
          word: {
            moreIterations: extensions.iterations,
            redirection: redirectionOf(run),
            usdLimits: limits.budgets.map(({ limitUsd }) => limitUsd),
          },
          policy: policyOf(configuration, ai),
          configuration,
          errors: watchErrors(clock.now),
          checks: [limits.check, async () => tripOnRunCalls(await countCalls(store, runId), limits.runIterations)],
          hold: () => heldMoney(keeper, limits.budgets, gatekeeper),
          memory: memory.agent,
          afterwards: job.afterwards,
          onEvent: (agent, event) => {
            progress.heard(agent, event);
            ai.heard?.(event);
          },
          profile: {
            work: () => phase,
            asks: phase !== "testing",
            called: `the ${AGENT_OF[phase]}`,
            shares: USUAL_SHARES,
            memoryShare: 1,
            ...defined({ permit }),
          },
        }),
      keep: async () => {
        const snapshot = await changed();
        if (snapshot) await storeWorkTree(store, { runId, tree: snapshot, at: now(), fence });
      },
      leftUsd: async () => leftOf(limits.budgets, await keeper.used()).usd,
      spentUsd,
      progress,
      elapsedMs: () => Math.round(performance.now() - began),
      // A planner writes and runs nothing.
      [Symbol.asyncDispose]: async () => {
        progress.end();
        await (phase === "planning" && job.trees ? job.trees.put(tree) : tree[Symbol.asyncDispose]());
        await inUse.disposeAsync();
      },
    };
  } catch (error) {
    await tree[Symbol.asyncDispose]();
    await inUse.disposeAsync();
    throw error;
  }
}

/** The cost of the run, over all of its calls. */
async function spentOf(keeper: SpendKeeper, { budgets }: PhaseLimits): Promise<number> {
  const limit = budgets.find(({ scope }) => scope === "run");
  return limit ? (await keeper.used())(limit) : 0;
}

/** Instructions of the person who resumed the run; answers and notes on gates reach the agents in their first message. */
function redirectionOf({ instructions, gates }: Looked): string | undefined {
  const notes = new Set(gates.flatMap(({ standing }) => ("note" in standing && standing.note ? [standing.note] : [])));
  return instructions.findLast((text) => !notes.has(text));
}
