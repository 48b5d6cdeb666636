import type { Answer } from "../../domain/answers.ts";
import { defined } from "../../domain/defined.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { listRunsOfSubject } from "../../store/read-runs.ts";
import { listSpend } from "../../store/read-spend.ts";
import type { Store } from "../../store/store.ts";

/** Runs that `/forge history` tells of. */
const TOLD = 10;

/** `/forge history`: the latest runs of a subject, with what models cost in each. */
export async function tellHistory({ store }: { readonly store: Store }, subject: Subject): Promise<Answer> {
  const [runs, spent] = await Promise.all([listRunsOfSubject(store, subject), listSpend(store, subjectKey(subject))]);
  const history = {
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
  return { kind: "history", history };
}
