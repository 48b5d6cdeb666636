import type { CostFacts, HistoryFacts } from "../../../domain/answers.ts";
import { isQuestionTrace } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { NotRestorable, RestorePoint } from "../../../domain/restore-point.ts";
import { type Subject, subjectKey } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/read-events.ts";
import { listRunsOfSubject } from "../../../store/read-runs.ts";
import { listSpend, readUsedUsd, type SpentRow } from "../../../store/read-spend.ts";
import type { Store } from "../../../store/store.ts";
import { restorePointOf } from "../checkpoints/restore-point.ts";

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

/** Runs that `/forge history` tells of. */
const TOLD = 10;

/** What `/forge history` tells of a subject: its latest runs with what models cost in each. */
export async function readHistory(store: Store, subject: Subject): Promise<HistoryFacts> {
  const [runs, spent] = await Promise.all([listRunsOfSubject(store, subject), listSpend(store, subjectKey(subject))]);
  return {
    runs: runs.slice(0, TOLD).map(({ traceId: runId, kind, startedAt, endedAt, status, headSha }) => ({
      runId,
      kind,
      startedAt,
      ...defined({ endedAt: endedAt || undefined }),
      status,
      headSha,
      costUsd: spent.reduce((sum, row) => (row.runId === runId ? sum + row.usd : sum), 0),
    })),
    more: Math.max(0, runs.length - TOLD),
  };
}

/** The checkpoint of the newest work on an issue that `/forge retry v<n>` names. */
export async function readRestorePoint(
  store: Store,
  subject: Subject,
  version: number,
): Promise<RestorePoint | NotRestorable> {
  const run = (await listRunsOfSubject(store, subject)).find(({ kind }) => kind === "implement");
  if (!run) return { notRestorable: "no work was begun on this issue" };
  return restorePointOf(await readEvents(store, run.traceId), version);
}
