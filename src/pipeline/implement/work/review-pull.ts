import { defined } from "../../../domain/defined.ts";
import { RetryLater } from "../../../domain/errors.ts";
import { editsOf, isBlocking, isOpen, type LedgerEntry } from "../../../domain/findings.ts";
import type { Gate } from "../../../domain/gates.ts";
import type { Feedback, PullReviewed } from "../../../domain/implementation.ts";
import type { PhaseFinished } from "../../../domain/inputs.ts";
import { FORGE, numberOf, type PullRequestEnds } from "../../../domain/subjects.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { listRunsOfSubject } from "../../../store/runs/read-runs.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import { readTreeId } from "../../../workspace/read-tree.ts";
import { isUpdateMergeOnly } from "../../../workspace/update-merge.ts";
import { submit } from "../../runs/handle-input.ts";
import type { ReviewResult } from "../../runs/ports.ts";
import type { Implementation } from "../implementation.ts";
import { pullSubject } from "../step.ts";
import { haltWork } from "./halt-work.ts";
import { openRepository } from "./open-tree.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** GitHub moves a pull request's head a moment after its branch. */
const LAG_MS = 1_000;

/**
 * The review of the pull request's head is a run of its own, with check and ledger like that of any other pull request (REV-1): it is asked for
 * here, and what it came to is told to the run on the issue. Its end wakes that run up.
 */
export async function reviewPull(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  const { store, host, readReview } = dependencies;
  const { pull, work, runId } = run;
  if (!pull || !work) return;
  const { headSha } = work;
  const about = pullSubject(run.subject, pull.number);
  const round = run.took.review?.times ?? 1;
  const first = `${runId}:review:${round}:${headSha}`;
  // Resuming after a failed review asks for another one.
  const requestId = run.resumes === 0 ? first : `${first}:resumed-${run.resumes}`;
  const runs = (await listRunsOfSubject(store, about)).filter((row) => row.headSha === headSha);
  const own = runs.find((row) => row.requestId.startsWith(first));
  const active = runs.find(({ status }) => status === "pending" || status === "running" || status === "waiting");
  const ended = own && (await readReview(own.traceId));
  if (ended?.status === "completed") return tellReview(dependencies, job, run, ended);
  if (ended?.status === "failed" && ended.requestId.startsWith(requestId)) {
    const reason = `the review of the work failed: ${ended.message}`;
    await haltWork(dependencies, job, run, { reason });
    return;
  }
  if (active) return;
  const now = await host.readPull(run.subject.repository, pull.number, job.signal);
  if (!now) {
    await submit(dependencies, job, { type: "subject.gone", reason: "repository_gone" });
    return;
  }
  if (!now.open) {
    await submit(dependencies, job, { type: "pull.ended", by: FORGE, merged: now.merged });
    return;
  }
  if (now.ends.headSha !== headSha) {
    throw new RetryLater("head_not_shown", "GitHub does not show the new head of the pull request yet.", {
      source: "network",
      afterMs: LAG_MS,
    });
  }
  const again = ended?.status === "cancelled" ? `:${runs.length}` : "";
  await submit(
    dependencies,
    job,
    {
      type: "head.changed",
      request: { id: `${requestId}${again}`, reason: "implemented", automatic: false },
      by: FORGE,
      ends: now.ends,
      title: now.title,
      implements: { issue: numberOf(run.subject), runId },
      debounceMs: 0,
    },
    about,
  );
}

async function tellReview(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Implementation,
  review: Extract<ReviewResult, { status: "completed" }>,
): Promise<void> {
  const ledger = await readLedger(dependencies.store, review.subject);
  const open = ledger.filter(isOpen);
  const blocking = open.filter(({ finding }) => isBlocking(finding));
  const critical = blocking.filter(({ finding }) => finding.severity === "critical" && finding.category === "security");
  const fixes = open.flatMap(({ finding }) => {
    const { id, severity, file, line, message, fix, source } = finding;
    // Fixes of readers are offered only where a verifier would commit them and the tests pass with them.
    if (isBlocking(finding) || source !== "ai" || !fix) return [];
    return [{ id, severity, file, line, message, suggestion: suggestionOf(fix) }];
  });
  const sameAs = await headsOfSameContent(dependencies, job, run, review.ends);
  const facts: PullReviewed = {
    headSha: review.ends.headSha,
    runId: review.runId,
    decision: review.review?.decision ?? "require_human",
    conclusion: review.conclusion,
    blocking: blocking.length,
    advisory: open.filter(({ finding }) => finding.severity !== "info").length - blocking.length,
    criticalSecurity: critical.length,
    costUsd: review.review?.cost?.usd ?? 0,
    durationMs: review.review?.durationMs ?? 0,
    ...defined({ risk: review.review?.risk?.level }),
    ...(sameAs.length > 0 ? { sameAs } : {}),
    ...(fixes.length > 0 ? { fixes } : {}),
  };
  const feedback = blocking.map(toFeedback);
  const { costUsd, durationMs = 0 } = facts;
  const took = { runId: run.runId, phase: "review", durationMs, costUsd: run.costUsd + costUsd } as const;
  await submit(dependencies, job, { type: "phase.finished", ...took, outcome: outcomeOf(feedback), review: facts });
}

/** Blocking findings send the work back. */
export function outcomeOf(feedback: readonly Feedback[]): PhaseFinished["outcome"] {
  if (feedback.length === 0) return { is: "passed", reason: "nothing blocks" };
  const reason = `the review has ${feedback.length} blocking ${feedback.length === 1 ? "finding" : "findings"}`;
  return { is: "back", cause: "review", reason, feedback };
}

/** A finding as the implementer reads it; it answers by the finding's own id. */
export function toFeedback({ finding }: LedgerEntry): Feedback {
  const { id, severity, file, line, message, evidence, fix } = finding;
  return {
    from: "review",
    id,
    findingId: id,
    severity,
    file,
    line,
    message,
    ...defined({ evidence, suggestion: fix && suggestionOf(fix) }),
  };
}

function suggestionOf(fix: NonNullable<LedgerEntry["finding"]["fix"]>): string {
  const edits = editsOf(fix);
  if (edits.length === 1) return fix.after;
  return edits
    .map(({ file, startLine, endLine, after }) => {
      const lines = `${file}, lines ${startLine} to ${endLine}`;
      return after === "" ? `${lines} are removed.` : `${lines}:\n${after}`;
    })
    .join("\n\n");
}

/**
 * The heads that people said yes to and that the present one does not differ from (GH-14a): it has the same tree, or only the base branch was
 * merged in. What cannot be told for sure is no such head.
 * @throws ForgeError `change_unreadable` when the present head cannot be fetched
 */
async function headsOfSameContent(
  dependencies: Pick<WorkDependencies, "host" | "mirrorRoot">,
  { signal }: Pick<WorkJob, "signal">,
  { subject, gates, reviewed }: Pick<Implementation, "subject" | "gates" | "reviewed">,
  { headSha, baseSha }: Pick<PullRequestEnds, "headSha" | "baseSha">,
): Promise<string[]> {
  const approved = [...new Set(gates.filter(isJudged).map((gate) => gate.headSha))].filter((sha) => sha !== headSha);
  if (approved.length === 0) return [];
  const mirror = await openRepository(dependencies, subject, [headSha, baseSha], signal);
  const isLike = (earlier: string) => isSame(mirror, { earlier, headSha, baseSha, signal });
  // One step after the other: what is like the head before, which was like the approved one, is like that.
  const inherited = reviewed?.sameAs && (await isLike(reviewed.headSha)) ? reviewed.sameAs : [];
  const same: string[] = [];
  for (const earlier of approved) if (inherited.includes(earlier) || (await isLike(earlier))) same.push(earlier);
  return same;
}

/** Answers about the change itself, not about how it is made. */
function isJudged({ question, standing }: Gate): boolean {
  return standing.is === "approved" && "treeSha" in question;
}

interface Heads {
  readonly earlier: string;
  readonly headSha: string;
  readonly baseSha: string;
  readonly signal: AbortSignal;
}

async function isSame(mirror: Mirror, { earlier, headSha, baseSha, signal }: Heads): Promise<boolean> {
  // A head that was pushed over may be gone for good.
  if (!(await fetchCommits(mirror, { shas: [earlier], signal })).ok) return false;
  const [before, now] = [await readTreeId(mirror, earlier, signal), await readTreeId(mirror, headSha, signal)];
  if (!before.ok || !now.ok) return false;
  if (before.tree === now.tree) return true;
  const kind = await isUpdateMergeOnly(mirror, { oldHead: earlier, newHead: headSha, base: baseSha, signal });
  return kind.ok && kind.isUpdateMergeOnly;
}
