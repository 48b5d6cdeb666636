import type { AppClient } from "./app-client.ts";
import { classifyFailure, GitHubCallFailed } from "./classify-failure.ts";
import { createAppDeliveries, type DeliveryAttempt } from "./redelivery-sweep.ts";

/** A person waits for the page. */
const ANSWER_MS = 15_000;

/** GitHub's word that it does not do this, or does not answer; the message is GitHub's. */
export interface NotDone {
  readonly why: string;
}

/** What GitHub delivered to the App, asked by people. */
export interface DeliveriesHost {
  /** At most 100 attempts, the newest first. */
  latest(): Promise<readonly DeliveryAttempt[] | NotDone>;
  /** Asks for another attempt of this one; undefined when GitHub will make it. */
  redeliver(attemptId: number): Promise<NotDone | undefined>;
}

export function createDeliveriesHost(client: Pick<AppClient, "app">): DeliveriesHost {
  const open = async () => createAppDeliveries(await client.app(), AbortSignal.timeout(ANSWER_MS), 1);
  return {
    latest: () => orNotDone(async () => Array.fromAsync((await open()).listDeliveries())),
    redeliver: (attemptId) => orNotDone(async () => (await open()).redeliver(attemptId).then(() => undefined)),
  };
}

/** Throws what does not come from a request: a bug of ours. */
async function orNotDone<T>(ask: () => Promise<T>): Promise<T | NotDone> {
  try {
    return await ask();
  } catch (error) {
    const failure = error instanceof GitHubCallFailed ? error.failure : classifyFailure(error);
    if (!failure) throw error;
    return { why: failure.message };
  }
}
