import { defined } from "../../../domain/defined.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { Judgement } from "../../../domain/review-report.ts";
import { type Actor, atLeast, type Role, type Subject } from "../../../domain/subjects.ts";
import type { JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import { findLatestRun } from "../../../store/runs/read-runs.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import type { PullRequestHost, VerdictOnGitHub } from "../../runs/ports.ts";
import { replay } from "../evolve.ts";

export interface JudgeDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "readVerdicts" | "readRole" | "isInTeam">;
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
  const { author } = pull;
  await lookAtVerdicts(dependencies, { subject, heads, author, architects: architectsOf(run), fence, signal });
}

/** As they were configured when the review began. */
function architectsOf(run: ReturnType<typeof replay>): readonly string[] {
  if (run?.status === "running") return run.configuration.review.architects;
  return (run?.status === "completed" ? run.review?.architects : undefined) ?? [];
}

export interface HeadToJudge {
  readonly subject: Subject;
  /** The head, and those whose files are the same: an approval counts for the content it was given to (GH-14a). */
  readonly heads: readonly [string, ...string[]];
  readonly author: Actor;
  /** Logins and teams (`@acme/architects`); none stands for the maintainers of the repository. */
  readonly architects: readonly string[];
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** Looks on GitHub what people say of a head, and notes it (GH-14b): what they said before Forge was done counts, so nobody has to approve twice. */
export async function lookAtVerdicts(
  { store, makeId, now, host }: JudgeDependencies,
  { subject, heads, author, architects, fence, signal }: HeadToJudge,
): Promise<void> {
  const { repository } = subject;
  const given = await host.readVerdicts(subject, signal);
  const isInTeam = (team: string, login: string) => host.isInTeam(repository, team, login, signal);
  const roleOf = (login: string) => host.readRole(repository, login, signal);
  const judgement = await judge(given, { author, heads, roleOf, architects: { names: architects, isInTeam } });
  const input = { type: "head.judged", subject, headSha: heads[0], judgement } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() }, fence);
}

/** What is known of accounts. */
interface Known {
  readonly roleOf: (login: string) => Promise<Role>;
  /** Absent where it does not matter whether an architect approved. */
  readonly architects?: {
    /** Logins and teams; none stands for the maintainers of the repository. */
    readonly names: readonly string[];
    /** Undefined where the team may not be read. */
    readonly isInTeam: (team: string, login: string) => Promise<boolean | undefined>;
  };
}

/**
 * What counts of what people said: the last word of each, of people who may push and did not write the change (GH-14). An approval is of one
 * of `heads`; changes that somebody asked for stand until they say otherwise.
 * @param given oldest first
 */
export async function judge(
  given: readonly VerdictOnGitHub[],
  { author, heads, roleOf, architects }: Pick<HeadToJudge, "author" | "heads"> & Known,
): Promise<Judgement> {
  const unreadTeams = new Set<string>();
  const mayJudge = async (login: string) => atLeast(await roleOf(login), "write");
  const isArchitect = async (login: string) => {
    if (architects === undefined) return false;
    const role = await roleOf(login);
    if (architects.names.length === 0) return atLeast(role, "maintain");
    if (!atLeast(role, "write")) return false;
    for (const one of architects.names) {
      const name = (one.startsWith("@") ? one.slice(1) : one).toLowerCase();
      if (name === login.toLowerCase()) return true;
      const isMember = name.includes("/") ? await architects.isInTeam(name, login) : false;
      if (isMember === undefined) unreadTeams.add(one);
      if (isMember === true) return true;
    }
    return false;
  };
  const last = new Map<number, VerdictOnGitHub>();
  for (const verdict of given)
    if (verdict.by.kind === "user" && verdict.by.id !== author.id) last.set(verdict.by.id, verdict);
  const firstOf = async (
    is: VerdictOnGitHub["is"],
    counts: (verdict: VerdictOnGitHub) => boolean,
    may: (login: string) => Promise<boolean> = mayJudge,
  ) => {
    for (const verdict of last.values()) {
      if (verdict.is === is && counts(verdict) && (await may(verdict.by.login))) return verdict.by.login;
    }
    return undefined;
  };
  const isOfHead = ({ headSha }: VerdictOnGitHub) => heads.includes(headSha);
  const said = {
    rejectedBy: await firstOf("changes_requested", () => true),
    approvedBy: await firstOf("approved", isOfHead),
    architect: await firstOf("approved", isOfHead, isArchitect),
  };
  return defined({ ...said, unreadTeams: unreadTeams.size > 0 ? [...unreadTeams] : undefined });
}
