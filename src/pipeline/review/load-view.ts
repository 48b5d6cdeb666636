import { defined } from "../../domain/defined.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { CommandGiven, PullInput } from "../../domain/inputs.ts";
import type { Subject } from "../../domain/subjects.ts";
import { FindingMoment } from "../../domain/told-facts.ts";
import { type FindingEvent, readEvents, readFindingEvents } from "../../store/events/read-events.ts";
import { readLedger } from "../../store/runs/ledger.ts";
import { findLatestRun } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import { findTarget } from "../commands/decide-command.ts";
import { readDeployGates } from "../runs/gates/deploy-gates.ts";
import { readGates } from "../runs/gates/read-gates.ts";
import type { ReviewResult } from "../runs/ports.ts";
import { loadSubject } from "../runs/subject.ts";
import { BESIDE } from "./beside-inputs.ts";
import { replay } from "./evolve.ts";
import type { RunState } from "./run-state.ts";
import { loadSharedHead } from "./shared-head/load-shared-head.ts";
import type { SubjectView } from "./view.ts";

/** All that deciding about a review may know. */
export async function loadView(store: Store, input: PullInput): Promise<SubjectView> {
  const { subject, type } = input;
  const [known, ledger] = await Promise.all([
    loadSubject(
      store,
      input,
      "review",
      replay,
      BESIDE[type].latest === true || (type === "request.made" && input.remark === true),
    ),
    readLedger(store, subject),
  ]);
  const shared = subject.kind === "pull_request" ? await loadShared(store, input, known.addressed) : undefined;
  return {
    ...known,
    ledger,
    ...defined({ shared }),
    ...(type === "command.given" ? await loadHistory(store, input, ledger) : {}),
    ...(type === "command.given" || type === "review.suspended" ? await loadGates(store, subject) : {}),
  };
}

async function loadGates(store: Store, subject: Subject): Promise<Pick<SubjectView, "gates" | "toldHere">> {
  const [gates, told] = await Promise.all([readGates(store, subject), readDeployGates(store, [subject])]);
  return { gates, toldHere: told.map(({ gate }) => gate) };
}

/** The head that an input may change the check of: its run's, or the one that the pull request had before. */
async function loadShared(store: Store, { subject, type }: PullInput, addressed: RunState | undefined) {
  if (BESIDE[type].keepsCheck) return undefined;
  const headSha = addressed?.ends.headSha ?? (await findLatestRun(store, subject))?.headSha;
  return headSha === undefined ? undefined : loadSharedHead(store, subject, headSha);
}

/** The history of the finding that a command is about. */
async function loadHistory(
  store: Store,
  { subject, parsed, thread }: CommandGiven,
  ledger: readonly LedgerEntry[],
): Promise<Pick<SubjectView, "history">> {
  const command = "command" in parsed ? parsed.command : undefined;
  const target = command?.name === "explain" ? findTarget(ledger, command, thread) : undefined;
  if (!target || !("finding" in target)) return {};
  return { history: (await readFindingEvents(store, subject, target.finding.id)).map(toMoment) };
}

function toMoment({ type, at, headSha, actor }: FindingEvent): FindingMoment {
  const what = FindingMoment.shape.what.parse(type.replace("finding.", ""));
  return { what, at, ...defined({ headSha: headSha || undefined, by: actor?.login }) };
}

/** The outcome of a review, for those who wait for it. */
export async function readReview(store: Store, runId: string): Promise<ReviewResult | undefined> {
  const run = replay(await readEvents(store, runId));
  if (!run) return undefined;
  const of = { runId, subject: run.subject, ends: run.ends, requestId: run.request.id };
  switch (run.status) {
    case "completed":
      return { ...of, status: run.status, conclusion: run.conclusion, ...defined({ review: run.review }) };
    case "failed":
      return { ...of, status: run.status, message: run.error.message };
    case "pending":
    case "running":
    case "waiting":
    case "cancelled":
      return { ...of, status: run.status };
  }
}
