import { USUAL_SHARES } from "../../agents/library.ts";
import type { RunAgent } from "../../agents/reviewer/ports.ts";
import type { ReadGraph } from "../../analysis/map/read-graph.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { type Actor, atLeast, type Subject, subjectKey } from "../../domain/subjects.ts";
import { chosenModels } from "../../llm/create-models.ts";
import type { BudgetLimit } from "../../safety/budget.ts";
import type { Redact } from "../../safety/redact.ts";
import { tripOnTime } from "../../safety/trip-rules.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import { giveUpSpend } from "../../store/spend/reservations.ts";
import type { Tool } from "../../tools/tool.ts";
import { testerTools } from "../../tools/toolsets.ts";
import type { Clone } from "../../workspace/clone.ts";
import { dayLimits, openBudget } from "../ai/open-budget.ts";
import { createRunAgent } from "../ai/run-agent.ts";
import { createStoredSpendKeeper, spenderFor } from "../ai/spend-keeper.ts";
import { keepSteps } from "../ai/step-keeper.ts";
import { watchErrors } from "../ai/watch-errors.ts";
import { policyOf } from "../review/ai/ai-layer.ts";
import type { PullRequestAi } from "../review/ai/pull-request-ai.ts";
import type { ConfigurationDependencies } from "../runs/configuration/load-configuration.ts";
import type { InputDependencies } from "../runs/handle-input.ts";
import type { PullRequestHost } from "../runs/ports.ts";
import { readFacts } from "../runs/subject.ts";
import type { HeadTests } from "../runs/subject-facts.ts";

export interface TesterDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "remote" | "readRole"> & ConfigurationDependencies["host"];
  readonly ai: PullRequestAi;
  readonly scratchRoot: string;
  readonly redact: Redact;
}

export interface TesterRequest {
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

/** Who looks for the causes of failures, and what that cost so far: USD, over all attempts. */
export interface Tester {
  readonly run: RunAgent;
  readonly tools: readonly Tool[];
  readonly spentUsd: () => Promise<number>;
}

const MINUTE_MS = 60_000;

/**
 * A model that looks for the causes of failures on a head that people pushed, where one may read the change (GH-8c). Nobody waits for it:
 * where its provider wants to be asked later, or a call of it needs a person, the failures stay as they were seen.
 */
export async function openTester(
  dependencies: TesterDependencies,
  request: TesterRequest,
): Promise<Tester | undefined> {
  const { store, now, makeId, redact, ai } = dependencies;
  const { subject, tests, configuration, clone, readGraph, paths, fence, signal } = request;
  if (!clone || !(await mayRead(dependencies, request))) return undefined;
  const models = await ai.modelsFor(chosenModels(configuration));
  if (!models.configured) return undefined;
  const runId = tests.traceId;
  // Calls that were in flight when an earlier attempt died count with what they cost for being sent.
  await giveUpSpend(store, runId);
  const keeper = createStoredSpendKeeper(store, spenderFor({ subject, runId }, "testing"), now);
  const { cost, time } = configuration.safety;
  const phase: BudgetLimit = { scope: "phase", key: `${runId}:testing`, limitUsd: cost.testing };
  const limits: BudgetLimit[] = [
    phase,
    { scope: "subject", key: subjectKey(subject), limitUsd: cost.subject },
    ...dayLimits(subject, cost.day, ai),
  ];
  const { tokens, clock, random, priceOf } = ai;
  const timeLimitMs = time.testing * MINUTE_MS;
  const run = createRunAgent({
    ...{ models, tokens, clock, redact, timeLimitMs, priceOf, makeId, random, signal, configuration },
    budget: await openBudget({ keeper, priceOf, makeId }, limits),
    steps: { ...keepSteps({ store, runId, fence, now, makeId, phase: "testing" }), outlives: false },
    word: { moreIterations: 0, usdLimits: limits.map(({ limitUsd }) => limitUsd) },
    policy: policyOf(configuration, ai),
    errors: watchErrors(clock.now),
    checks: [
      ({ activeMs }) => tripOnTime({ phaseMs: activeMs, runMs: 0 }, { phaseMs: timeLimitMs, runMs: timeLimitMs }),
    ],
    profile: { work: () => "testing", asks: false, called: "the tester", shares: USUAL_SHARES, memoryShare: 1 },
  });
  return {
    run,
    tools: testerTools({ clone, redact, readGraph, changedPaths: paths }),
    spentUsd: async () => (await keeper.used())(phase),
  };
}

/** As for the AI layer of a review: not where the repository wants no model, nor on what an outsider sent before somebody here said so. */
async function mayRead({ store, host }: TesterDependencies, request: TesterRequest): Promise<boolean> {
  const { subject, tests, author, configuration, signal } = request;
  if (configuration.review.ai === "never") return false;
  if (tests.asked || (await readFacts(store, subject)).trusted === true) return true;
  return author.kind === "user" && atLeast(await host.readRole(subject.repository, author.login, signal), "write");
}
