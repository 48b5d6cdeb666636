import { monotonicFactory } from "ulid";
import type { NewEvent } from "../../src/domain/events.ts";
import type { RunKind } from "../../src/domain/phases.ts";
import type { EnvironmentSubject, NumberedSubject } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import type { Store } from "../../src/store/store.ts";
import { run } from "../store/fixtures.ts";

const DAY_MS = 86_400_000;
const makeUlid = monotonicFactory();

/** What happened in a repository some days ago, written to the log as Forge writes it. */
export interface History {
  /** A run of one of its subjects with these events, each so many seconds after the one before. */
  ran(
    daysAgo: number,
    events: readonly NewEvent[],
    about?: { readonly kind?: RunKind; readonly seconds?: number },
  ): Promise<string>;
  /** In the log of pull request 1. */
  learned(daysAgo: number, events: readonly NewEvent[]): Promise<void>;
}

/** @param now the moment that days are counted back from */
export function historyOf(store: Store, repositoryId: number, now: () => Date): History {
  const repository = { id: repositoryId, owner: "acme", name: "shop", installationId: 7 };
  const pull: NumberedSubject = { kind: "pull_request", repository, number: 1 };
  const staging: EnvironmentSubject = { kind: "environment", repository, environment: "staging" };
  let runs = 0;
  let versions = 0;

  async function write(traceId: string, event: NewEvent, expectedVersion: number, at: Date, kind?: RunKind) {
    const subject = kind === "deploy" ? staging : pull;
    await commitDecision(store, {
      appends: [{ traceId, expectedVersion, events: [event] }],
      ...(kind
        ? {
            run: [
              run(traceId, "completed", { kind, subject: subject as NumberedSubject, startedAt: at.toISOString() }),
            ],
          }
        : {}),
      ...{ at: at.toISOString(), makeId: () => makeUlid(at.getTime()), source: "test" },
    });
  }

  return {
    ran: async (daysAgo, events, { kind = "review", seconds = 60 } = {}) => {
      runs += 1;
      const traceId = `run-${repositoryId}-${runs}`;
      const began = now().getTime() - daysAgo * DAY_MS;
      for (const [index, event] of events.entries())
        await write(traceId, event, index, new Date(began + index * seconds * 1000), kind);
      return traceId;
    },
    learned: async (daysAgo, events) => {
      for (const event of events) {
        await write(`pull_request:${repositoryId}:1000`, event, versions, new Date(now().getTime() - daysAgo * DAY_MS));
        versions += 1;
      }
    },
  };
}

/** A pull request was merged whose first review asked for nothing, or for something. */
export function merged(firstPass: boolean): NewEvent {
  return { type: "metric.collected", payload: { cause: "merged", reviews: 2, findings: 1, comments: 1, firstPass } };
}
