import type { CostFacts } from "../../../domain/answers.ts";
import { isQuestionTrace } from "../../../domain/commands.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import { type Subject, subjectKey } from "../../../domain/subjects.ts";
import { listSpend, readUsedUsd, type SpentRow } from "../../../store/read-spend.ts";
import type { Store } from "../../../store/store.ts";

export interface CostLimits {
  readonly cost: RepoConfig["safety"]["cost"];
  /** USD that this Forge may spend in a day, over all repositories; left out where it is not told here. */
  readonly dayLimitUsd: number | undefined;
}

/** What `/forge cost` tells of a subject: everything that counts against the limits of its next call. */
export async function readCost(
  store: Store,
  subject: Subject,
  { cost, dayLimitUsd }: CostLimits,
  at: string,
): Promise<CostFacts> {
  const { installationId, id: repositoryId } = subject.repository;
  const key = subjectKey(subject);
  const rows = await listSpend(store, key);
  const newest = rows.findLast(({ runId }) => !isQuestionTrace(runId));
  const spender = { installationId, repositoryId, subjectKey: key, runId: newest?.runId ?? "", phase: "review" };
  const used = await readUsedUsd(store, spender, at);
  const of = (scope: CostFacts["limits"][number]["scope"], limitUsd: number) => {
    return { scope, usedUsd: used[scope], limitUsd };
  };
  return {
    spent: rows.map(spentFacts),
    limits: [
      ...(newest ? [of("phase", cost.review)] : []),
      of("subject", cost.subject),
      of("repository", cost.day),
      ...(dayLimitUsd === undefined ? [] : [of("day", dayLimitUsd)]),
    ],
  };
}

function spentFacts({ runId, phase, model, usd, ...tokens }: SpentRow): CostFacts["spent"][number] {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = tokens;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  const cachedShare = input === 0 ? 0 : cacheReadTokens / input;
  return { runId, phase, model, usd, tokens: input + outputTokens, cachedShare };
}
