import type { Answer, CostFacts } from "../../domain/answers.ts";
import { isQuestionTrace } from "../../domain/command-source.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { listSpend, readUsedUsd, type SpentRow } from "../../store/read-spend.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../runs/configuration/load-configuration.ts";

/** USD that this Forge may spend in a day, over all repositories; left out where it is not told here. */
type DayLimit = { readonly dayLimitUsd?: number | undefined };

/** `/forge cost`: everything that counts against the limits of a subject's next call. */
export async function tellCost(
  dependencies: ConfigurationDependencies & DayLimit,
  subject: Subject,
  _command: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  const { store, now, dayLimitUsd } = dependencies;
  const { cost } = (await loadConfiguration(dependencies, subject.repository, signal)).value.safety;
  const { installationId, id: repositoryId } = subject.repository;
  const key = subjectKey(subject);
  const rows = await listSpend(store, key);
  const newest = rows.findLast(({ runId }) => !isQuestionTrace(runId));
  const spender = { installationId, repositoryId, subjectKey: key, runId: newest?.runId ?? "", phase: "review" };
  const used = await readUsedUsd(store, spender, now());
  const of = (scope: CostFacts["limits"][number]["scope"], limitUsd: number) => {
    return { scope, usedUsd: used[scope], limitUsd };
  };
  const facts = {
    spent: rows.map(spentFacts),
    limits: [
      ...(newest ? [of("phase", cost.review)] : []),
      of("subject", cost.subject),
      of("repository", cost.day),
      ...(dayLimitUsd === undefined ? [] : [of("day", dayLimitUsd)]),
    ],
  };
  return { kind: "cost", cost: facts };
}

function spentFacts({ runId, phase, model, usd, ...tokens }: SpentRow): CostFacts["spent"][number] {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = tokens;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  const cachedShare = input === 0 ? 0 : cacheReadTokens / input;
  return { runId, phase, model, usd, tokens: input + outputTokens, cachedShare };
}
