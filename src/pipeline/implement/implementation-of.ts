import type { Subject } from "../../domain/subjects.ts";
import { findImplementation } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";

/** The work on an issue, as those need it who see its pull request or its commits. */
export interface IssueWork {
  /** The issue. */
  readonly subject: Subject;
  readonly runId: string;
  /** Empty before there is one. */
  readonly branch: string;
  /** Where the branch stands by Forge's own record; empty before there is one. */
  readonly headSha: string;
  /** Nothing of it can go on: it was merged, has nothing left to do, or was cancelled. What failed or was stopped is not over. */
  readonly over: boolean;
}

/** The newest implementation that opened this pull request, or whose branch has this head. */
export async function implementationOf(
  store: Store,
  repositoryId: number,
  by: { readonly pull: number } | { readonly headSha: string },
): Promise<IssueWork | undefined> {
  const run = await findImplementation(store, repositoryId, by);
  if (!run) return undefined;
  const { subject, traceId: runId, branch = "", headSha, status } = run;
  return { subject, runId, branch, headSha, over: status === "completed" || status === "cancelled" };
}
