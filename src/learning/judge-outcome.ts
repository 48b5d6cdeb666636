import { defined } from "../domain/defined.ts";
import type { LearntEvent } from "../domain/events.ts";
import { isAccepted, OUTCOME_DAYS, PLANNED, type RunOutcome, UNSAID_LEVEL } from "../domain/ladder.ts";
import { numberOf, type Subject } from "../domain/subjects.ts";
import { mirrorOf, needed } from "../pipeline/change/fetch-ends.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { workBehind } from "../pipeline/runs/implementation-of.ts";
import type { IssueHost, PullRequestFacts, PullRequestHost } from "../pipeline/runs/ports.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import { demotionBy, isFailure, windowOf } from "../safety/ladder.ts";
import { readEvents } from "../store/events/read-events.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { readLedger } from "../store/runs/ledger.ts";
import { type KeptOutcome, readBasis, readOutcomes } from "../store/runs/level-record.ts";
import { readReviews } from "../store/runs/read-runs.ts";
import { readRepositoryFacts } from "../store/runs/repository-facts.ts";
import { readAftermath } from "../workspace/aftermath.ts";
import { fetchCommits } from "../workspace/fetch-commits.ts";

export interface JudgeDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "remote">;
  readonly issues: Pick<IssueHost, "readBranchHead">;
  /** Folder of all mirrors. */
  readonly mirrorRoot: string;
}

interface Judging {
  readonly subject: Subject;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

const DAY_MS = 86_400_000;
/** Merged pull requests that are looked back at from one that ended; the newest of them. */
const LOOKED_BACK = 20;

/**
 * What became of a pull request that has ended, for the record of Forge's levels (SAFE-4), and whether it, or what else stands on its branch
 * since, took back or mended one that was merged before. Each outcome is told once, and a miss takes the level down with it.
 */
export async function judgeOutcome(dependencies: JudgeDependencies, judging: Judging): Promise<void> {
  const { subject, signal } = judging;
  const { closed, causes } = await readFacts(dependencies.store, subject);
  if (!closed) return;
  const pull = await dependencies.host.readPullRequest(subject, signal);
  if (!pull || pull.open) return;
  const own = await ownOutcome(dependencies, subject, pull);
  // What production showed of it came before.
  if (own && !causes.has(causeOf(own.runId, "missed"))) await tell(dependencies, judging, subject, own);
  if (pull.mergedAs === undefined) return;
  const kept = await readOutcomes(dependencies.store, subject.repository.id);
  const waiting = kept.filter(({ outcome }) => outcome.outcome === "merged").slice(0, LOOKED_BACK);
  const mine = kept.filter((one) => numberOf(one.subject) === numberOf(subject) && one.outcome.outcome === "merged");
  for (const one of new Set([...waiting, ...mine])) await lookBack(dependencies, judging, one);
}

/**
 * Production showed a fault of a change that Forge made or let pass: nobody was told of it before (PROD-1). What was merged against Forge's
 * word, or failed before, counts no more by that. The level falls by the version, not by the record (`fallByFault`).
 */
export async function judgeFault(
  dependencies: JudgeDependencies,
  judging: Judging,
  commit: string | undefined,
): Promise<void> {
  const { store, host } = dependencies;
  const { subject, signal } = judging;
  const known = (await readOutcomes(store, subject.repository.id)).find(
    (one) => numberOf(one.subject) === numberOf(subject),
  );
  const pull = known ? undefined : await host.readPullRequest(subject, signal);
  const before = known?.outcome ?? (pull && !pull.open ? await ownOutcome(dependencies, subject, pull) : undefined);
  if (!before || isFailure(before)) return;
  const missed = { ...before, outcome: "missed" as const, by: defined({ commit }) };
  await tell(dependencies, judging, subject, missed, { demotes: false });
}

/** What can be said at once. Of what people merged against Forge's word, or closed, nothing is learnt: silence is no verdict. */
async function ownOutcome(
  { store }: JudgeDependencies,
  subject: Subject,
  pull: PullRequestFacts,
): Promise<Omit<RunOutcome, "cause"> | undefined> {
  const { headSha, baseRef } = pull.ends;
  const { mergedAs } = pull;
  const landed = mergedAs === undefined ? {} : { landed: { sha: mergedAs, head: headSha, ref: baseRef } };
  const { verdict, merging } = await readFacts(store, subject);
  const isMerged = merging?.is === "merged" && merging.headSha === headSha;
  const isApproved = verdict?.is === "approved" && verdict.headSha === headSha;
  const action = isMerged ? ("merged" as const) : isApproved ? ("approved" as const) : undefined;
  const work = await workBehind(store, subject);
  if (work) {
    const events = await readEvents(store, work.runId);
    const adopted = events.some(({ type }) => type === "branch.adopted");
    const outcome = mergedAs === undefined ? "closed" : adopted || work.headSha !== headSha ? "changed" : "merged";
    const plan = events.findLast((event) => event.type === "plan.proposed");
    const task = plan?.type === "plan.proposed" ? PLANNED[plan.payload.plan.kind] : ("feature" as const);
    const basis = await readBasis(store, { runId: work.runId });
    return { runId: work.runId, of: "work", task, outcome, basis, ...landed, ...defined({ action }) };
  }
  const [latest] = await readReviews(store, subject);
  if (mergedAs === undefined || latest?.entered.ends.headSha !== headSha) return undefined;
  const { completed, runId } = latest;
  const ledger = await readLedger(store, subject);
  const wrong = ledger.some(({ finding, state, dismissal }) => {
    const isOwn = state === "dismissed" && dismissal?.by.kind === "user" && dismissal.findingId === finding.id;
    return isOwn && !isAccepted(dismissal.reason);
  });
  if (!wrong && completed.blocking > 0) return undefined;
  const { task = "feature" } = completed;
  const basis = await readBasis(store, { runId });
  return { runId, of: "review", task, outcome: wrong ? "wrong" : "merged", basis, ...landed, ...defined({ action }) };
}

/** Whether one that was merged was taken back or mended since; after 30 days without either it stood. */
async function lookBack(dependencies: JudgeDependencies, judging: Judging, kept: KeptOutcome): Promise<void> {
  const { host, issues, mirrorRoot, now } = dependencies;
  const { signal } = judging;
  const { subject, outcome, at } = kept;
  const { landed } = outcome;
  if (!landed) return;
  const { repository } = subject;
  const number = numberOf(subject);
  const branch = await issues.readBranchHead(repository, landed.ref, signal);
  if (!branch) return;
  const mirror = mirrorOf(repository, mirrorRoot, host.remote(repository));
  const shas = [branch.sha, landed.sha, landed.head];
  const refs = [`refs/heads/${landed.ref}`, `refs/pull/${number}/head`];
  const fetched = await fetchCommits(mirror, { shas, refs, signal });
  // A branch that was rewritten since tells nothing any more.
  if (!fetched.ok && fetched.reason === "missing commit") return;
  needed(fetched);
  const question = { landed: landed.sha, head: landed.head, pull: number, branchHead: branch.sha, signal };
  const { found } = needed(await readAftermath(mirror, question));
  const { cause: _earlier, ...before } = outcome;
  if (found) {
    const became = outcome.of === "work" ? found.is : "missed";
    const critical = found.critical ? { critical: true } : {};
    await tell(dependencies, judging, subject, {
      ...before,
      ...{ outcome: became, by: { commit: found.commit } },
      ...critical,
    });
  } else if (Date.parse(now()) - Date.parse(at) >= OUTCOME_DAYS * DAY_MS) {
    await tell(dependencies, judging, subject, { ...before, outcome: outcome.of === "work" ? "stood" : "right" });
  }
}

/** Writes an outcome to the log of its own pull request, and with it that the level goes down, where it does. */
async function tell(
  dependencies: JudgeDependencies,
  judging: Judging,
  subject: Subject,
  told: Omit<RunOutcome, "cause">,
  { demotes } = { demotes: true },
): Promise<void> {
  const { store } = dependencies;
  const { id } = subject.repository;
  const cause = causeOf(told.runId, told.outcome);
  const outcome: RunOutcome = { ...told, cause };
  const [{ level }, kept, present] = await Promise.all([
    readRepositoryFacts(store, id),
    readOutcomes(store, id),
    readBasis(store, { repositoryId: id }),
  ]);
  const others = kept.map((one) => one.outcome).filter(({ runId }) => runId !== told.runId);
  const down = demotes && demotionBy(outcome, level ?? UNSAID_LEVEL, windowOf([outcome, ...others], present));
  const events: LearntEvent[] = [{ type: "run.outcome", payload: outcome }];
  if (down && level) {
    const { to, miss, ...carried } = down;
    const payload = { cause, from: level.level, level: to, ...carried, miss, after: level.changes };
    events.push({ type: "level.demoted", payload });
  }
  await submit(dependencies, judging, { type: "learning.observed", cause, events }, subject);
}

function causeOf(runId: string, outcome: RunOutcome["outcome"]): string {
  return `${runId} ${outcome}`;
}
