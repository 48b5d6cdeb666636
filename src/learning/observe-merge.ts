import { defined } from "../domain/defined.ts";
import { isOpen } from "../domain/findings.ts";
import type { JobPayload } from "../domain/jobs.ts";
import { PLANNED, type TaskKind, UNSAID_LEVEL } from "../domain/ladder.ts";
import { MERGES_FROM, type MergeLook, type MergeState } from "../domain/merging.ts";
import { atLeast, type Subject } from "../domain/subjects.ts";
import { judge } from "../pipeline/review/work/judge-head.ts";
import {
  type ConfigurationDependencies,
  loadConfiguration,
} from "../pipeline/runs/configuration/load-configuration.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { workBehind } from "../pipeline/runs/implementation-of.ts";
import type { PullRequestFacts, PullRequestHost } from "../pipeline/runs/ports.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import type { JobContext } from "../queue/ports.ts";
import { levelFor } from "../safety/ladder.ts";
import { readEvents } from "../store/events/read-events.ts";
import { readLedger } from "../store/runs/ledger.ts";
import { readReviews } from "../store/runs/read-runs.ts";
import { readRepositoryFacts } from "../store/runs/repository-facts.ts";
import type { Store } from "../store/store.ts";

export interface MergeDependencies extends InputDependencies, ConfigurationDependencies {
  readonly host: ConfigurationDependencies["host"] &
    Pick<PullRequestHost, "readPullRequest" | "readVerdicts" | "readRole">;
  /** What GitHub says of merging it; undefined where it is gone. */
  readonly readMergeState: (subject: Subject, signal: AbortSignal) => Promise<MergeState | undefined>;
}

/**
 * Looks whether Forge may merge a pull request by itself now (SAFE-4), by what stands on GitHub and on the default branch at this moment: what was
 * true when it was announced does not count.
 */
export async function observeMerge(
  dependencies: MergeDependencies,
  { subject }: JobPayload<"merge">,
  { signal, fence }: JobContext,
): Promise<void> {
  const { store, host } = dependencies;
  const [{ level: standing = UNSAID_LEVEL }, { merging }] = await Promise.all([
    readRepositoryFacts(store, subject.repository.id),
    readFacts(store, subject),
  ]);
  if (standing.level < MERGES_FROM && merging?.is !== "announced") return;
  const pull = await host.readPullRequest(subject, signal);
  if (!pull) return;
  const { value } = await loadConfiguration(dependencies, subject.repository, signal);
  const [review, work, insider] = await Promise.all([
    readReview(store, subject, pull),
    readWork(store, subject, pull),
    pull.author.kind === "user" && host.readRole(subject.repository, pull.author.login, signal),
  ]);
  const task = work ? work.task : (review?.task ?? "feature");
  const level = levelFor(task, standing, value.safety.automation_level, work ? "work" : "review");
  const wants = value.safety.merge;
  // What cannot become anything is not asked about.
  const mayBe = pull.open && !pull.draft && wants !== "never" && level >= MERGES_FROM && review?.calm === true;
  const { headSha, baseRef } = pull.ends;
  const given = mayBe ? await host.readVerdicts(subject, signal) : [];
  const roleOf = (login: string) => host.readRole(subject.repository, login, signal);
  const { rejectedBy } = await judge(given, { author: pull.author, heads: [headSha], roleOf });
  const look: MergeLook = {
    ...{ open: pull.open, draft: pull.draft, headSha, baseRef, wants, level },
    ...{ own: work !== undefined, adopted: work?.adopted ?? false, calm: review?.calm ?? false },
    insider: insider !== false && atLeast(insider, "write"),
    ...defined({
      forPeople: review?.forPeople,
      rejectedBy,
      github: mayBe ? await dependencies.readMergeState(subject, signal) : undefined,
    }),
  };
  await submit(dependencies, { subject, fence }, { type: "merge.observed", look });
}

/** Whether the last review is of this very head and base, found nothing that is open, and calls the risk low. */
async function readReview(store: Store, subject: Subject, { ends }: PullRequestFacts) {
  const [latest] = await readReviews(store, subject);
  if (!latest || latest.entered.ends.headSha !== ends.headSha || latest.entered.ends.baseRef !== ends.baseRef) {
    return undefined;
  }
  const { completed } = latest;
  const assessed = (await readEvents(store, latest.runId)).findLast(({ type }) => type === "risk.assessed");
  const risk = assessed?.type === "risk.assessed" ? assessed.payload.level : undefined;
  const open = (await readLedger(store, subject)).filter((entry) => isOpen(entry) && entry.finding.severity !== "info");
  const isPassed = completed.conclusion === "success" && completed.decision === "approve";
  return {
    calm: isPassed && risk === "low" && open.length === 0,
    ...defined({ task: completed.task, forPeople: completed.forPeople }),
  };
}

/** The work of Forge itself that the pull request is; undefined for what people opened. */
async function readWork(store: Store, subject: Subject, { ends }: PullRequestFacts) {
  const work = await workBehind(store, subject);
  if (!work) return undefined;
  const events = await readEvents(store, work.runId);
  const plan = events.findLast((event) => event.type === "plan.proposed");
  const task: TaskKind = plan?.type === "plan.proposed" ? PLANNED[plan.payload.plan.kind] : "feature";
  return { task, adopted: work.headSha !== ends.headSha || events.some(({ type }) => type === "branch.adopted") };
}
