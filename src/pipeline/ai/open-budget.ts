import type { Budget } from "../../agents/library.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { NO_USAGE } from "../../llm/ports.ts";
import { ceilingOf, costOf, type PriceOf } from "../../llm/price.ts";
import { type BudgetLimit, leftOf } from "../../safety/budget.ts";
import { tripOnCost } from "../../safety/trip-rules.ts";
import type { SpendKeeper } from "./spend-keeper.ts";

export interface BudgetDependencies {
  readonly keeper: SpendKeeper;
  readonly priceOf: PriceOf;
  readonly makeId: MakeId;
}

/** The operator's limits on the cost of models in a day (UTC), in USD: over all repositories, and over those of one installation. */
export interface OperatorLimits {
  readonly dayLimitUsd: number;
  /** Absent: no other than `dayLimitUsd`. */
  readonly installationDayUsd?: number | undefined;
}

/** The limits of a day that every call counts against, whatever run makes it (SAFE-1). @param repositoryUsd of this repository */
export function dayLimits(
  { repository: { id, installationId } }: Subject,
  repositoryUsd: number,
  { dayLimitUsd, installationDayUsd }: OperatorLimits,
): BudgetLimit[] {
  const installation =
    installationDayUsd === undefined
      ? []
      : [{ scope: "installation" as const, key: String(installationId), limitUsd: installationDayUsd }];
  return [
    { scope: "repository", key: String(id), limitUsd: repositoryUsd },
    ...installation,
    { scope: "day", key: "all", limitUsd: dayLimitUsd },
  ];
}

interface Limited {
  readonly subject: Subject;
  readonly runId: string;
  readonly configuration: RepoConfig;
}

/** What agents work on that belong to a review, or to no run. */
export type PhaseWithoutRun = "review" | "testing" | "deployment";

/** Every limit that a call of a review, or of work beside it, counts against (SAFE-1). The key says whose it is; the database knows it by the run. */
export function limitsOf(
  { subject, runId, configuration }: Limited,
  operator: OperatorLimits,
  phase: PhaseWithoutRun = "review",
): [ofPhase: BudgetLimit, ...BudgetLimit[]] {
  const { cost } = configuration.safety;
  return [
    { scope: "phase", key: `${runId}:${phase}`, limitUsd: cost[phase] },
    // An environment has no end, so what was ever spent on it says nothing.
    ...(subject.kind === "environment"
      ? []
      : [{ scope: "subject" as const, key: subjectKey(subject), limitUsd: cost.subject }]),
    ...dayLimits(subject, cost.day, operator),
  ];
}

/** The money that the agents of a run may spend, against all limits that count for it (SAFE-1, SAFE-2). */
export async function openBudget(
  { keeper, priceOf, makeId }: BudgetDependencies,
  limits: readonly BudgetLimit[],
): Promise<Budget> {
  let used = await keeper.used();
  const look = async () => {
    used = await keeper.used();
  };
  return {
    left: () => leftOf(limits, used),
    reserve: async ({ provider, model, inputTokens, outputTokens }) => {
      const price = priceOf(provider, model);
      const id = makeId();
      const usd = ceilingOf({ inputTokens, outputTokens }, price);
      const leastUsd = ceilingOf({ inputTokens, outputTokens: 0 }, price);
      const reserved = await keeper.reserve({ id, provider, model, usd, leastUsd, limits });
      if (!reserved.ok) {
        await look();
        return { ok: false, trip: tripOnCost(reserved.refusal) };
      }
      return {
        ok: true,
        settle: async (usage) => {
          const paid = costOf(usage, price);
          await keeper.settle(id, paid, usage);
          await look();
          return paid;
        },
        abandon: async () => {
          await keeper.settle(id, leastUsd, NO_USAGE);
          await look();
          return leastUsd;
        },
        release: async () => {
          await keeper.release(id);
          await look();
        },
      };
    },
  };
}
