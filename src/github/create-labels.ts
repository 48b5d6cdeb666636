import type { Logger } from "pino";
import { z } from "zod";
import { errorFacts, RetryLater } from "../domain/errors.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { Store } from "../store/store.ts";
import type { AppClient } from "./app-client.ts";
import { createAsk } from "./ask.ts";
import { WriteBudgetSpent } from "./effects/effect-ports.ts";
import { createWriteBudget } from "./installation-limits.ts";
import { LABEL_PERMISSIONS } from "./permissions.ts";
import { failureOf } from "./reader.ts";

export interface LabelDependencies {
  readonly store: Store;
  readonly client: Pick<AppClient, "repository" | "checkPause">;
  readonly log: Logger;
  readonly now: () => string;
}

const Label = z.object({ name: z.string() });

/** How long to wait where GitHub gave no answer and named no time. */
const WAIT_MS = 60_000;

/**
 * Creates the labels that Forge uses where they are missing (GH-9); labels that are there stay as they are. An App that may not do that
 * works without them, because adding a label creates it.
 * @throws RetryLater
 */
export async function createLabels(
  { store, client, log, now }: LabelDependencies,
  repository: RepositoryRef,
  signal: AbortSignal,
): Promise<void> {
  const { owner, name, installationId } = repository;
  const budget = createWriteBudget(store, installationId, { courtesy: true, now, checkPause: client.checkPause });
  const { ask, find } = createAsk(client.repository(repository, LABEL_PERMISSIONS), repository, { signal });
  try {
    for (const label of LABELS) {
      if (await find(Label, "GET /repos/{owner}/{repo}/labels/{name}", { name: label.name })) continue;
      await budget.take({ content: false });
      await ask(Label, "POST /repos/{owner}/{repo}/labels", { ...label });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WriteBudgetSpent) throw wait(error, Date.parse(error.at) - Date.parse(now()));
    const failure = failureOf(error);
    if (!failure) throw error;
    if (failure.cause === "rate_limited") throw wait(error, failure.retryAfterMs);
    if (failure.cause === "unavailable") throw wait(error, WAIT_MS, true);
    log.warn({ repository: `${owner}/${name}`, reason: failure.message }, "labels are not created");
  }
}

function wait(cause: unknown, afterMs: number, countsAsAttempt = false): RetryLater {
  const message = `The labels have to wait: ${errorFacts(cause).message}`;
  return new RetryLater("github_unavailable", message, { source: "network", afterMs, countsAsAttempt, cause });
}

/** The labels that mean something to Forge, as GitHub shows them (GH-9): `color` is six hexadecimal digits. */
const LABELS = [
  { name: "forge:implement", color: "5319e7", description: "Forge implements this issue and opens a pull request" },
  { name: "forge:skip", color: "c5def5", description: "Forge leaves this pull request alone" },
] as const;

export const IMPLEMENT_LABEL = LABELS[0].name;
