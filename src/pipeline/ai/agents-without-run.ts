import type { RunAgent } from "../../agents/reviewer/ports.ts";
import { defined } from "../../domain/defined.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { Models } from "../../llm/create-models.ts";
import type { Redact } from "../../safety/redact.ts";
import { tripOnTime } from "../../safety/trip-rules.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import { giveUpSpend } from "../../store/spend/reservations.ts";
import type { Store } from "../../store/store.ts";
import { type ProcessAi, policyOf } from "./ai-dependencies.ts";
import { limitsOf, openBudget, type PhaseWithoutRun } from "./open-budget.ts";
import { type AgentProfile, createRunAgent } from "./run-agent.ts";
import { createStoredSpendKeeper, spenderFor } from "./spend-keeper.ts";
import { keepSteps } from "./step-keeper.ts";
import { watchErrors } from "./watch-errors.ts";

interface Dependencies {
  readonly store: Store;
  readonly ai: ProcessAi;
  readonly now: () => string;
  readonly makeId: MakeId;
}

/** Work beside the runs of a subject, whose limits of money and time are those of a phase: see `isAside`. */
interface WorkWithoutRun {
  readonly subject: Subject;
  /** The log that the steps are kept in. */
  readonly runId: string;
  readonly phase: PhaseWithoutRun;
  readonly configuration: RepoConfig;
  readonly models: Extract<Models, { configured: true }>;
  readonly redact: Redact;
  /** Whether it is taken up again later where a provider wants that; else it ends there. */
  readonly waits: boolean;
  /** Readers of a change when left out. */
  readonly profile?: AgentProfile;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** How long the agents of such work may take, in milliseconds. */
export function timeLimitOf({ safety }: RepoConfig, phase: PhaseWithoutRun): number {
  return safety.time[phase] * 60_000;
}

/** Agents that belong to no run: they ask no person, and no step is paid for twice when they are taken up again. */
export async function openAgentsWithoutRun(
  { store, ai, now, makeId }: Dependencies,
  { subject, runId, phase, configuration, models, redact, waits, profile, fence, signal }: WorkWithoutRun,
): Promise<{
  readonly run: RunAgent;
  /** USD, over all attempts. */
  readonly spentUsd: () => Promise<number>;
}> {
  // Calls that were in flight when an earlier attempt died count with what they cost for being sent.
  await giveUpSpend(store, runId);
  const limits = limitsOf({ subject, runId, configuration }, ai, phase);
  const keeper = createStoredSpendKeeper(store, spenderFor({ subject, runId }, phase), now, fence);
  const { tokens, clock, random, priceOf } = ai;
  const timeLimitMs = timeLimitOf(configuration, phase);
  const run = createRunAgent({
    ...{ models, tokens, clock, redact, timeLimitMs, priceOf, makeId, random, signal, configuration },
    budget: await openBudget({ keeper, priceOf, makeId }, limits),
    steps: { ...keepSteps({ store, runId, fence, now, makeId, phase }), outlives: waits },
    word: { moreIterations: 0, usdLimits: limits.map(({ limitUsd }) => limitUsd) },
    policy: policyOf(configuration, ai),
    errors: watchErrors(clock.now),
    checks: [
      ({ activeMs }) => tripOnTime({ phaseMs: activeMs, runMs: 0 }, { phaseMs: timeLimitMs, runMs: timeLimitMs }),
    ],
    ...defined({ profile }),
  });
  return { run, spentUsd: async () => (await keeper.used())(limits[0]) };
}
