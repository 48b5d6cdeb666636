import type { Gate } from "../../domain/gates.ts";
import type { CommonInput, IssueInput } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { readEvents } from "../../store/read-events.ts";
import { readGateEvents } from "../../store/read-gate-events.ts";
import { readRepositoryFacts } from "../../store/read-repository-facts.ts";
import { findActiveRun, findLatestRun, listRunsOfSubject } from "../../store/read-runs.ts";
import type { Store } from "../../store/store.ts";
import { toRecentRun } from "../review/load-view.ts";
import { evolveGates } from "../runs/gates/evolve-gates.ts";
import { evolveSubject, NO_FACTS } from "../runs/subject-facts.ts";
import { replayImplementation } from "./evolve.ts";
import type { IssueView } from "./view.ts";

const DAY_MS = 24 * 3_600_000;

/** All that deciding about an issue may know of it. */
export async function loadIssueView(store: Store, input: IssueInput | CommonInput): Promise<IssueView> {
  const { subject } = input;
  const own = subjectKey(subject);
  const since = new Date(Date.parse(input.at) - DAY_MS).toISOString();
  const [row, newest, recent, log, repository, gates] = await Promise.all([
    findActiveRun(store, subject, "implement"),
    findLatestRun(store, subject),
    listRunsOfSubject(store, subject, { since }),
    readEvents(store, own),
    readRepositoryFacts(store, subject.repository.id),
    readGateEvents(store, subject),
  ]);
  const runs = new Map<string, ReturnType<typeof replayImplementation>>();
  const runOf = async (traceId: string | undefined) => {
    if (traceId === undefined) return undefined;
    if (!runs.has(traceId)) runs.set(traceId, replayImplementation(await readEvents(store, traceId)));
    return runs.get(traceId);
  };
  const active = await runOf(row?.traceId);
  const addressed = await runOf("runId" in input && input.runId !== own ? input.runId : undefined);
  const latest = await runOf(newest?.traceId);
  return {
    ...(active ? { active } : {}),
    ...(addressed ? { addressed } : {}),
    ...(latest ? { latest } : {}),
    recent: recent.map(toRecentRun),
    facts: log.reduce(evolveSubject, NO_FACTS),
    repository,
    gates: gates.reduce<readonly Gate[]>(evolveGates, []),
  };
}
