import { defined } from "../../../domain/defined.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { Judgement } from "../../../domain/review-report.ts";
import { type Actor, atLeast, type Subject } from "../../../domain/subjects.ts";
import type { JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import { findLatestRun } from "../../../store/runs/read-runs.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import type { PullRequestHost, VerdictOnGitHub } from "../../runs/ports.ts";
import { replay } from "../evolve.ts";

export interface JudgeDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "readVerdicts" | "readRole">;
}

/** Somebody gave or took back a verdict where a high risk waits for one (REV-2). */
export async function judgeHead(
  dependencies: JudgeDependencies,
  { subject }: JobPayload<"judge">,
  { signal, fence }: JobContext,
): Promise<void> {
  const pull = await dependencies.host.readPullRequest(subject, signal);
  if (!pull?.open) return;
  const row = await findLatestRun(dependencies.store, subject);
  const run = row && replay(await readEvents(dependencies.store, row.traceId));
  const { headSha } = pull.ends;
  const carried =
    run?.status === "completed" && run.ends.headSha === headSha ? run.review?.carried?.headSha : undefined;
  const heads = [headSha, ...(carried === undefined ? [] : [carried])] as const;
  await lookAtVerdicts(dependencies, { subject, heads, author: pull.author, fence, signal });
}

export interface HeadToJudge {
  readonly subject: Subject;
  /** The head, and those whose files are the same: an approval counts for the content it was given to (GH-14a). */
  readonly heads: readonly [string, ...string[]];
  readonly author: Actor;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** Looks on GitHub what people say of a head, and notes it (GH-14b): what they said before Forge was done counts, so nobody has to approve twice. */
export async function lookAtVerdicts(
  { store, makeId, now, host }: JudgeDependencies,
  { subject, heads, author, fence, signal }: HeadToJudge,
): Promise<void> {
  const given = await host.readVerdicts(subject, signal);
  const mayJudge = async (login: string) => atLeast(await host.readRole(subject.repository, login, signal), "write");
  const judgement = await judge(given, { author, heads, mayJudge });
  const input = { type: "head.judged", subject, headSha: heads[0], judgement } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() }, fence);
}

/**
 * What counts of what people said: the last word of each, of people who may push and did not write the change (GH-14). An approval is of one
 * of `heads`; changes that somebody asked for stand until they say otherwise.
 * @param given oldest first
 */
export async function judge(
  given: readonly VerdictOnGitHub[],
  {
    author,
    heads,
    mayJudge,
  }: Pick<HeadToJudge, "author" | "heads"> & { readonly mayJudge: (login: string) => Promise<boolean> },
): Promise<Judgement> {
  const last = new Map<number, VerdictOnGitHub>();
  for (const verdict of given)
    if (verdict.by.kind === "user" && verdict.by.id !== author.id) last.set(verdict.by.id, verdict);
  const firstOf = async (is: VerdictOnGitHub["is"], counts: (verdict: VerdictOnGitHub) => boolean) => {
    for (const verdict of last.values()) {
      if (verdict.is === is && counts(verdict) && (await mayJudge(verdict.by.login))) return verdict.by.login;
    }
    return undefined;
  };
  return defined({
    rejectedBy: await firstOf("changes_requested", () => true),
    approvedBy: await firstOf("approved", ({ headSha }) => heads.includes(headSha)),
  });
}
