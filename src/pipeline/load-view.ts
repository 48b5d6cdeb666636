import { FindingMoment } from "../domain/answers.ts";
import type { LedgerEntry } from "../domain/findings.ts";
import type { CommandGiven, Input } from "../domain/inputs.ts";
import { subjectKey } from "../domain/subjects.ts";
import { readEvents } from "../store/read-events.ts";
import { type FindingEvent, readFindingEvents } from "../store/read-finding-events.ts";
import { readLedger } from "../store/read-ledger.ts";
import { readRepositoryFacts } from "../store/read-repository-facts.ts";
import { findActiveRun, findLatestRun, listRunsOfSubject } from "../store/read-runs.ts";
import type { Store } from "../store/store.ts";
import { findTarget } from "./commands/find-target.ts";
import type { RecentRun, SubjectView } from "./decision.ts";
import { replay } from "./evolve.ts";
import { evolveSubject, NO_FACTS } from "./subject-facts.ts";

const DAY_MS = 24 * 3_600_000;

/** All that `decide` may know of the subject of an input. */
export async function loadView(store: Store, input: Input): Promise<SubjectView> {
  const { subject } = input;
  const own = subjectKey(subject);
  const since = new Date(Date.parse(input.at) - DAY_MS).toISOString();
  const [row, recent, ledger, log, repository] = await Promise.all([
    findActiveRun(store, subject, "review"),
    listRunsOfSubject(store, subject, { since }),
    readLedger(store, subject),
    readEvents(store, own),
    readRepositoryFacts(store, subject.repository.id),
  ]);
  const runOf = async (traceId: string) => replay(await readEvents(store, traceId));
  const active = row && (await runOf(row.traceId));
  const named = "runId" in input && input.runId !== own ? input.runId : undefined;
  const addressed = named === active?.runId ? active : named && (await runOf(named));
  return {
    ...(active ? { active } : {}),
    ...(addressed ? { addressed } : {}),
    recent: recent.map(toRecentRun),
    ledger,
    facts: log.reduce(evolveSubject, NO_FACTS),
    repository,
    ...(input.type === "command.given" ? await loadForCommand(store, input, ledger) : {}),
  };
}

/** What only commands ask about: the newest run, and the history of the finding that is meant. */
async function loadForCommand(
  store: Store,
  { subject, parsed, thread }: CommandGiven,
  ledger: readonly LedgerEntry[],
): Promise<Pick<SubjectView, "latest" | "history">> {
  const newest = await findLatestRun(store, subject);
  const latest = newest && replay(await readEvents(store, newest.traceId));
  const command = "command" in parsed ? parsed.command : undefined;
  const target = command?.name === "explain" ? findTarget(ledger, command, thread) : undefined;
  const history =
    target && "finding" in target ? await readFindingEvents(store, subject, target.finding.id) : undefined;
  return { ...(latest ? { latest } : {}), ...(history ? { history: history.map(toMoment) } : {}) };
}

function toMoment({ type, at, headSha, actor }: FindingEvent): FindingMoment {
  const what = FindingMoment.shape.what.parse(type.replace("finding.", ""));
  return { what, at, ...(headSha ? { headSha } : {}), ...(actor ? { by: actor.login } : {}) };
}

function toRecentRun(row: Awaited<ReturnType<typeof listRunsOfSubject>>[number]): RecentRun {
  const { traceId: runId, headSha, requestId, startedAt, status, conclusion } = row;
  return { runId, headSha, requestId, startedAt, status, ...(conclusion ? { conclusion } : {}) };
}
