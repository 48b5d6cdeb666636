import { defined } from "../../domain/defined.ts";
import type { Others, PlacedEvent } from "../../domain/events.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { Input } from "../../domain/inputs.ts";
import type { RunKind } from "../../domain/phases.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { confidenceChange } from "../../memory/confidence.ts";
import { readEvents } from "../../store/events/read-events.ts";
import type { MemoryChange } from "../../store/memories/write-memories.ts";
import { findActiveRun, findLatestRun, listRunsOfSubject } from "../../store/runs/read-runs.ts";
import { type RepositoryChange, readRepositoryFacts } from "../../store/runs/repository-facts.ts";
import type { Store } from "../../store/store.ts";
import type { RecentRun, RunView } from "./decision.ts";
import { evolveSubject, NO_FACTS, type SubjectFacts } from "./subject-facts.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * What every kind of run knows of its subject; the newest run only where `wantsLatest`, as it is asked about seldom. `own` reads the facts of
 * its own log, where a kind keeps them in a way of its own.
 */
export async function loadSubject<S>(
  store: Store,
  input: Input,
  kind: RunKind,
  replay: (events: readonly PlacedEvent[]) => S | undefined,
  wantsLatest: boolean,
  own: (store: Store, subject: Subject) => Promise<SubjectFacts> = readFacts,
): Promise<RunView<S>> {
  const { subject } = input;
  const since = new Date(Date.parse(input.at) - DAY_MS).toISOString();
  const [row, newest, recent, facts, repository] = await Promise.all([
    findActiveRun(store, subject, kind),
    wantsLatest ? findLatestRun(store, subject) : undefined,
    listRunsOfSubject(store, subject, { since }),
    own(store, subject),
    readRepositoryFacts(store, subject.repository.id),
  ]);
  const runs = new Map<string, S | undefined>();
  const runOf = async (traceId: string | undefined) => {
    if (traceId === undefined) return undefined;
    if (!runs.has(traceId)) runs.set(traceId, replay(await readEvents(store, traceId)));
    return runs.get(traceId);
  };
  const active = await runOf(row?.traceId);
  const addressed = await runOf("runId" in input && input.runId !== subjectKey(subject) ? input.runId : undefined);
  const latest = await runOf(newest?.traceId);
  return {
    ...defined({ active: active || undefined, addressed: addressed || undefined, latest: latest || undefined }),
    recent: recent.map(toRecentRun),
    facts,
    repository,
  };
}

/** What is known of a subject beside its runs. */
export async function readFacts(store: Store, subject: Subject): Promise<SubjectFacts> {
  return (await readEvents(store, subjectKey(subject))).reduce(evolveSubject, NO_FACTS);
}

/** What limits of runs look at. */
function toRecentRun(row: Awaited<ReturnType<typeof listRunsOfSubject>>[number]): RecentRun {
  const { traceId: runId, headSha, requestId, startedAt, status, conclusion } = row;
  return { runId, headSha, requestId, startedAt, status, ...defined({ conclusion }) };
}

/** What the events of a subject's own log change for its repository. */
export function projectRepository(
  subject: Subject,
  events: readonly PlacedEvent[],
  ledger: readonly LedgerEntry[],
): RepositoryChange[] {
  return events.flatMap((event): RepositoryChange[] => {
    switch (event.type) {
      case "finding.dismissed": {
        const { findingId, dismissal } = event.payload;
        const finding = ledger.find((entry) => entry.finding.id === findingId)?.finding;
        // What a wider dismissal took along stands and falls with it.
        if (!finding || dismissal.findingId !== findingId) return [];
        const standing = { ...dismissal, fingerprint: finding.fingerprint, rule: finding.rule };
        return [{ kind: "dismissed", subject, standing }];
      }
      case "finding.undismissed":
        return [{ kind: "undismissed", subject, findingId: event.payload.findingId }];
      case "subject.paused": {
        const pause = { scope: "repository", by: event.actor?.login ?? "forge", at: event.at } as const;
        return event.payload.scope === "repository" ? [{ kind: "paused", subject, pause }] : [];
      }
      case "subject.unpaused":
        return event.payload.scope === "repository" ? [{ kind: "unpaused", subject }] : [];
      case "level.set":
      case "level.demoted": {
        const { level, carries, own, after } = event.payload;
        const by = event.actor?.login ?? "forge";
        const miss = "miss" in event.payload ? event.payload.miss : undefined;
        return [
          {
            kind: "levelled",
            subject,
            after,
            standing: { level, carries, by, at: event.at, ...defined({ own, miss }) },
          },
        ];
      }
      case "hiding.proposed":
        return [{ kind: "hiding_proposed", subject, class: event.payload.class, at: event.at }];
      case "hiding.approved":
      case "hiding.withdrawn":
      case "hiding.ended": {
        const state = HIDING_STATE[event.type];
        const by = event.actor?.login ?? "forge";
        const { hidingId, after } = event.payload;
        return [{ kind: "hiding_set", subject, hidingId, state, by, at: event.at, after }];
      }
      case "hiding.judged": {
        const { hidingId, is } = event.payload;
        return [{ kind: "hiding_judged", subject, hidingId, is }];
      }
      case "level.acted":
        return [{ kind: "acted", subject, level: event.payload.level, action: event.payload.action, at: event.at }];
      case "run.outcome":
        return [{ kind: "came_out", subject, outcome: event.payload, at: event.at }];
      default:
        event.type satisfies Others<"level" | "hiding">;
        return [];
    }
  });
}

const HIDING_STATE = { "hiding.approved": "on", "hiding.withdrawn": "withdrawn", "hiding.ended": "off" } as const;

/** What events change about memories: how far they are believed, and that they are gone. What is learnt is in no event. */
export function projectMemories(events: readonly PlacedEvent[]): MemoryChange[] {
  return events.flatMap((event): MemoryChange[] => {
    if (event.type === "memory.forgotten") return [{ kind: "forgotten", id: event.payload.memoryId }];
    if (event.type !== "memory.applied" || event.payload.cause === undefined) return [];
    return [confidenceChange({ ...event.payload, cause: event.payload.cause })];
  });
}
