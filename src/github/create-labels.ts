import type { Logger } from "pino";
import { errorFacts, RetryLater } from "../domain/errors.ts";
import { LABELS } from "../domain/labels.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { Store } from "../store/store.ts";
import { type AppClient, LABEL_PERMISSIONS, type Octokit } from "./app-client.ts";
import { WriteBudgetSpent } from "./effects/effect-ports.ts";
import { createWriteBudget } from "./installation-budget.ts";
import { failureOf } from "./unreadable.ts";

export interface LabelDependencies {
  readonly store: Store;
  readonly client: Pick<AppClient, "repository" | "checkPause">;
  readonly log: Logger;
  readonly now: () => string;
}

/** How long to wait where GitHub gave no answer and named no time. */
const WAIT_MS = 60_000;

/**
 * Creates the labels that Forge uses where they are missing (GH-9); labels that are there stay as they are. An App that may not do that
 * works without them, because whoever adds a label creates it.
 * @throws RetryLater
 */
export async function createLabels(
  { store, client, log, now }: LabelDependencies,
  repository: RepositoryRef,
  signal: AbortSignal,
): Promise<void> {
  const { owner, name: repo, installationId } = repository;
  const budget = createWriteBudget(store, installationId, { courtesy: true, now, checkPause: client.checkPause });
  const octokit = client.repository(repository, LABEL_PERMISSIONS);
  try {
    for (const label of LABELS) {
      if (await hasLabel(octokit, { owner, repo, name: label.name }, signal)) continue;
      await budget.take({ content: false });
      await octokit.request("POST /repos/{owner}/{repo}/labels", { owner, repo, ...label, request: { signal } });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WriteBudgetSpent) throw wait(error, Date.parse(error.at) - Date.parse(now()));
    const failure = failureOf(error);
    if (!failure) throw error;
    if (failure.cause === "rate_limited") throw wait(error, failure.retryAfterMs);
    if (failure.cause === "unavailable") throw wait(error, WAIT_MS, true);
    log.warn({ repository: `${owner}/${repo}`, reason: failure.message }, "labels are not created");
  }
}

function wait(cause: unknown, afterMs: number, countsAsAttempt = false): RetryLater {
  const message = `The labels have to wait: ${errorFacts(cause).message}`;
  return new RetryLater("github_unavailable", message, { source: "network", afterMs, countsAsAttempt, cause });
}

async function hasLabel(
  octokit: Octokit,
  place: { readonly owner: string; readonly repo: string; readonly name: string },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await octokit.request("GET /repos/{owner}/{repo}/labels/{name}", { ...place, request: { signal } });
    return true;
  } catch (error) {
    if (failureOf(error)?.cause === "gone") return false;
    throw error;
  }
}
