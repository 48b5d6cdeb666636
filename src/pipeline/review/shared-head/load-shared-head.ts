import { defined } from "../../../domain/defined.ts";
import { type PullRequestEnds, type Subject, subjectKey } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { listRunsByHead } from "../../../store/runs/list-subjects.ts";
import { findLatestRun } from "../../../store/runs/read-runs.ts";
import type { Store } from "../../../store/store.ts";
import { readFacts } from "../../runs/subject.ts";
import { overrideOn, type SubjectFacts } from "../../runs/subject-facts.ts";
import { replay } from "../evolve.ts";
import type { RunState } from "../run-state.ts";
import { reportAnew } from "../show-ledger.ts";
import type { HeadAnswer, SharedHead, Sharer } from "./sharer.ts";

/** The pull requests on a head; undefined where none but this one was ever seen there, which is nearly always. */
export async function loadSharedHead(store: Store, subject: Subject, headSha: string): Promise<SharedHead | undefined> {
  const rows = await listRunsByHead(store, subject.repository.id, headSha, "review");
  const pulls = rows.filter((row) => row.subject.kind === "pull_request");
  const own = subjectKey(subject);
  if (!pulls.some((row) => subjectKey(row.subject) !== own)) return undefined;
  const loaded = await Promise.all(pulls.map((row) => loadSharer(store, row, headSha)));
  const sharers = loaded.filter((sharer) => sharer !== undefined);
  const self = sharers.find((sharer) => subjectKey(sharer.subject) === own);
  return { headSha, ...defined({ own: self }), others: sharers.filter((sharer) => sharer !== self) };
}

async function loadSharer(
  store: Store,
  { subject, runId }: { readonly subject: Subject; readonly runId: string },
  headSha: string,
): Promise<Sharer | undefined> {
  const [events, facts, latest, ledger] = await Promise.all([
    readEvents(store, runId),
    readFacts(store, subject),
    findLatestRun(store, subject),
    readLedger(store, subject),
  ]);
  const run = replay(events);
  if (!run) return undefined;
  const answer = answerOf(run, facts, ledger);
  return { subject, run, counts: !facts.closed && latest?.headSha === headSha, ...defined({ answer }) };
}

function answerOf(
  run: RunState,
  facts: SubjectFacts,
  ledger: Awaited<ReturnType<typeof readLedger>>,
): HeadAnswer | undefined {
  if (run.status !== "completed" && run.status !== "failed" && run.status !== "waiting") return undefined;
  const overridden = overrideOn(facts, "forge/review", run.ends.headSha);
  const anew = reportAnew(run, { ledger, facts, recent: [] });
  if (anew) {
    const conclusion = overridden ? "success" : anew.conclusion;
    return { conclusion, report: anew.report, ...defined({ overridden }) };
  }
  const reason = run.status === "completed" ? run.leftOut : undefined;
  return reason === undefined ? undefined : { conclusion: "skipped", report: { kind: "skipped", reason } };
}

/** The subjects that have this head, from Forge's own record (GH-5). */
export async function knownHeads(
  store: Store,
  repositoryId: number,
  headSha: string,
): Promise<{ subject: Subject; ends: PullRequestEnds }[]> {
  const rows = await listRunsByHead(store, repositoryId, headSha, "review");
  const runs = await Promise.all(rows.map(async ({ runId }) => replay(await readEvents(store, runId))));
  return runs.flatMap((run) => (run ? [{ subject: run.subject, ends: run.ends }] : []));
}
