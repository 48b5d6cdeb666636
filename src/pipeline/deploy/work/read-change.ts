import { defined } from "../../../domain/defined.ts";
import type { DeployedChange } from "../../../domain/deployments.ts";
import { isOpen } from "../../../domain/findings.ts";
import type { RepositoryRef, Subject } from "../../../domain/subjects.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { listRunsOfSubject } from "../../../store/runs/read-runs.ts";
import type { Store } from "../../../store/store.ts";
import { implementationOf } from "../../runs/implementation-of.ts";
import type { ReadReview } from "../../runs/ports.ts";
import { readFacts } from "../../runs/subject.ts";
import type { MergedPull } from "./ports.ts";

/** What the record shows of a pull request that was merged: its last review, what was open, and what its tests came to (PIPE-4). */
export async function readChange(
  { store, readReview }: { readonly store: Store; readonly readReview: ReadReview },
  repository: RepositoryRef,
  { number, title, author }: MergedPull,
): Promise<DeployedChange> {
  const subject: Subject = { kind: "pull_request", repository, number };
  const [runs, facts, ledger, work] = await Promise.all([
    listRunsOfSubject(store, subject),
    readFacts(store, subject),
    readLedger(store, subject),
    implementationOf(store, repository.id, { pull: number }),
  ]);
  let review: Awaited<ReturnType<ReadReview>>;
  for (const { traceId, status } of runs) {
    if (status !== "completed") continue;
    review = await readReview(traceId);
    if (review?.status === "completed" && review.review) break;
    review = undefined;
  }
  const result = review?.status === "completed" ? review.review : undefined;
  const headSha = review?.ends.headSha;
  const tests = facts.tests?.outcome;
  return {
    ...{ number, title, author, open: ledger.filter(isOpen).length, blocking: result?.blocking ?? 0 },
    ...defined({ reviewed: result?.decision, risk: result?.risk?.level }),
    ...(work ? { implements: { issue: work.subject.number, runId: work.runId } } : {}),
    ...(facts.overrides.some((one) => one.headSha === headSha) ? { overridden: true } : {}),
    ...(tests ? { tests: tests.outcome === "not_run" ? "skipped" : tests.outcome } : {}),
  };
}
