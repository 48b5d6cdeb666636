import { defined } from "../../../domain/defined.ts";
import type { ReportedFinding } from "../../../domain/effects.ts";
import type { QueuedPull } from "../../../domain/review-report.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { listRunsByHead } from "../../../store/runs/list-subjects.ts";
import { findLatestRun } from "../../../store/runs/read-runs.ts";
import type { Store } from "../../../store/store.ts";
import { readFacts } from "../../runs/subject.ts";
import { overrideOn } from "../../runs/subject-facts.ts";
import { replay } from "../evolve.ts";
import type { ReviewFacts, RunState } from "../run-state.ts";
import { reportAnew } from "../show-ledger.ts";

/** A pull request of a merge group whose newest head has an answer from Forge. */
export interface Queued {
  readonly pull: QueuedPull;
  /** Whether the group is known to hold this very head, so that what is known of it is known of the group. */
  readonly proven: boolean;
  /** Absent where the head was left out or could not be reviewed. */
  readonly review?: ReviewFacts;
  readonly findings: readonly ReportedFinding[];
  /** Fingerprints that the pull request answers for: open, or dismissed by people. */
  readonly answersFor: readonly string[];
}

export interface GroupCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** First line of its message. */
  readonly subject: string;
}

/** What GitHub writes for a merge and for a squash. */
const NAMED_PULL = /^Merge pull request #(\d{1,9}) from |\(#(\d{1,9})\)$/;

/**
 * The pull requests of a group, by the name of its branch, by the heads that its commits merge, and by what their messages say. A
 * message is anybody's word: it can add a verdict, which only makes the whole worse, and proves nothing.
 */
export async function findQueued(store: Store, group: Subject, commits: readonly GroupCommit[]): Promise<Queued[]> {
  const { repository } = group;
  const merged = commits.flatMap(({ parents }) => parents.slice(1));
  const numbers = new Set([group.number]);
  for (const sha of merged) {
    for (const { subject } of await listRunsByHead(store, repository.id, sha)) {
      if (subject.kind === "pull_request") numbers.add(subject.number);
    }
  }
  for (const { subject } of commits) {
    const named = NAMED_PULL.exec(subject);
    if (named) numbers.add(Number(named[1] ?? named[2]));
  }
  const queued = [...numbers]
    .filter((number) => number > 0)
    .map(async (number) => {
      const subject: Subject = { kind: "pull_request", repository, number };
      // A squash leaves no trace of the head; the branch is named by GitHub.
      const isProven = (headSha: string) =>
        merged.length > 0 ? merged.includes(headSha) : number === group.number && commits.length > 0;
      return answerOf(store, subject, isProven);
    });
  return (await Promise.all(queued)).filter((answer) => answer !== undefined);
}

async function answerOf(
  store: Store,
  subject: Subject,
  isProven: (headSha: string) => boolean,
): Promise<Queued | undefined> {
  const row = await findLatestRun(store, subject);
  const run = row && replay(await readEvents(store, row.traceId));
  if (!row || !run || (run.status !== "completed" && run.status !== "failed")) return undefined;
  const { headSha } = run.ends;
  const ledger = await readLedger(store, subject);
  const facts = await readFacts(store, subject);
  const overridden = overrideOn(facts, "forge/review", headSha);
  const anew = reportAnew(run, { ledger, facts, recent: [] });
  const report = anew?.report.kind === "reviewed" ? anew.report : undefined;
  const conclusion = overridden ? "success" : (anew?.conclusion ?? "skipped");
  const review = reviewOf(run);
  return {
    pull: {
      ...{ number: subject.number, headSha, conclusion, blocking: report?.blocking ?? 0 },
      ...defined({ overridden }),
    },
    proven: isProven(headSha),
    ...defined({ review }),
    findings: report?.findings ?? [],
    answersFor: ledger
      .filter(({ state }) => state === "open" || state === "regressed" || state === "dismissed")
      .map(({ finding }) => finding.fingerprint),
  };
}

function reviewOf(run: RunState): ReviewFacts | undefined {
  return run.status === "completed" ? run.review : undefined;
}
