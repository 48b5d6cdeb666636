import { FindingMoment } from "../../domain/answers.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { Gate } from "../../domain/gates.ts";
import type { CommandGiven, PullInput } from "../../domain/inputs.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { readEvents } from "../../store/read-events.ts";
import { type FindingEvent, readFindingEvents } from "../../store/read-finding-events.ts";
import { readGateEvents } from "../../store/read-gate-events.ts";
import { readLedger } from "../../store/read-ledger.ts";
import { readRepositoryFacts } from "../../store/read-repository-facts.ts";
import { findActiveRun, findLatestRun, listRunsOfSubject } from "../../store/read-runs.ts";
import type { Store } from "../../store/store.ts";
import type { RecentRun, SubjectView } from "../runs/decision.ts";
import { evolveGates } from "../runs/gates/evolve-gates.ts";
import { evolveSubject, NO_FACTS } from "../runs/subject-facts.ts";
import { findTarget } from "./commands/find-target.ts";
import { replay } from "./evolve.ts";
import type { RunState } from "./run-state.ts";
import { loadSharedHead } from "./shared-head/load-shared-head.ts";

const DAY_MS = 24 * 3_600_000;

/** All that `decide` may know of the subject of an input. */
export async function loadView(store: Store, input: PullInput): Promise<SubjectView> {
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
  const shared = subject.kind === "pull_request" ? await loadShared(store, input, addressed || undefined) : undefined;
  return {
    ...(active ? { active } : {}),
    ...(addressed ? { addressed } : {}),
    ...(shared ? { shared } : {}),
    recent: recent.map(toRecentRun),
    ledger,
    facts: log.reduce(evolveSubject, NO_FACTS),
    repository,
    ...(input.type === "pull_request.closed" || input.type === "reply.read" ? await loadLatest(store, subject) : {}),
    ...(input.type === "command.given" ? await loadForCommand(store, input, ledger) : {}),
    ...(input.type === "command.given" || input.type === "review.suspended"
      ? { gates: (await readGateEvents(store, subject)).reduce<readonly Gate[]>(evolveGates, []) }
      : {}),
  };
}

const CHANGES_NO_CHECK: ReadonlySet<PullInput["type"]> = new Set([
  "findings.posted",
  "effect.failed",
  "comment.given",
  "question.settled",
  "fixes.made",
  "branch.pushed",
] as const);

/** The head that an input may change the check of: its run's, or the one that the pull request had before. */
async function loadShared(store: Store, { subject, type }: PullInput, addressed: RunState | undefined) {
  if (CHANGES_NO_CHECK.has(type)) return undefined;
  const headSha = addressed?.ends.headSha ?? (await findLatestRun(store, subject))?.headSha;
  return headSha === undefined ? undefined : loadSharedHead(store, subject, headSha);
}

async function loadLatest(store: Store, subject: Subject): Promise<Pick<SubjectView, "latest">> {
  const newest = await findLatestRun(store, subject);
  const latest = newest && replay(await readEvents(store, newest.traceId));
  return latest ? { latest } : {};
}

/** What only commands ask about: the newest run, and the history of the finding that is meant. */
async function loadForCommand(
  store: Store,
  { subject, parsed, thread }: CommandGiven,
  ledger: readonly LedgerEntry[],
): Promise<Pick<SubjectView, "latest" | "history">> {
  const latest = await loadLatest(store, subject);
  const command = "command" in parsed ? parsed.command : undefined;
  const target = command?.name === "explain" ? findTarget(ledger, command, thread) : undefined;
  const history =
    target && "finding" in target ? await readFindingEvents(store, subject, target.finding.id) : undefined;
  return { ...latest, ...(history ? { history: history.map(toMoment) } : {}) };
}

function toMoment({ type, at, headSha, actor }: FindingEvent): FindingMoment {
  const what = FindingMoment.shape.what.parse(type.replace("finding.", ""));
  return { what, at, ...(headSha ? { headSha } : {}), ...(actor ? { by: actor.login } : {}) };
}

/** What limits of runs look at. */
export function toRecentRun(row: Awaited<ReturnType<typeof listRunsOfSubject>>[number]): RecentRun {
  const { traceId: runId, headSha, requestId, startedAt, status, conclusion } = row;
  return { runId, headSha, requestId, startedAt, status, ...(conclusion ? { conclusion } : {}) };
}
