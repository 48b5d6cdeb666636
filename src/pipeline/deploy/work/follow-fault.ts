import { environmentOf } from "../../../domain/deployments.ts";
import { RetryLater } from "../../../domain/errors.ts";
import type { JobPayload, NewJob } from "../../../domain/jobs.ts";
import type { ReleasedFix } from "../../../domain/production-feedback.ts";
import type { EnvironmentSubject } from "../../../domain/subjects.ts";
import type { JobContext } from "../../../queue/ports.ts";
import { readEvidence } from "../../../store/effects/read-effects.ts";
import { type FeedbackCount, readFeedback, thing } from "../../../store/feedback.ts";
import type { Store } from "../../../store/store.ts";
import { followFault } from "../../runs/decision.ts";
import { handleInput } from "../../runs/handle-input.ts";
import type { Deployment, Observed } from "../deployment.ts";
import { readEnvironmentLog } from "../environment-log.ts";
import { type BeginDependencies, beginOnFault } from "./begin-on-fault.ts";
import type { DeployHost } from "./ports.ts";

type FollowDependencies = BeginDependencies & { readonly deployHost: Pick<DeployHost, "readRange"> };

const MINUTE_MS = 60_000;
/** An issue about which messages still come so long after the release of its fix is left to people. */
const FOLLOWED_MS = 30 * 24 * 60 * MINUTE_MS;

/**
 * What follows for a fault of production that has an issue (PROD-1): the work on it begins where the level lets it, and after the release of
 * a fix its issue is closed when no message about it came for the configured time.
 * @throws RetryLater `not_quiet` until then
 */
export function followOneFault(
  dependencies: FollowDependencies,
  { subject, fingerprint, fix }: JobPayload<"fault">,
  context: JobContext,
): Promise<void> {
  if (fix) return closeWhenQuiet(dependencies, { subject, fingerprint, fix }, context);
  return beginOnFault(dependencies, { subject, fingerprint }, context);
}

async function closeWhenQuiet(
  dependencies: FollowDependencies,
  { subject, fingerprint, fix }: { subject: EnvironmentSubject; fingerprint: string; fix: ReleasedFix },
  { fence, signal }: JobContext,
): Promise<void> {
  const { store, now, makeId } = dependencies;
  const at = now();
  const { known: things } = await readFeedback(store, subject, [thing(fingerprint)], at);
  const known = things.get(fingerprint);
  if (!known?.shown || (known.resolved && known.shown.fixed)) return;
  if (!(await isThere(dependencies, subject, fix, signal))) return;
  const leftMs = untilQuiet(known, fix) - Date.parse(at);
  // An alert sends nothing while it goes on.
  const goesOn = known.shown.feedback.is === "alert" && !known.resolved;
  if (goesOn || leftMs > 0) {
    if (Date.parse(at) - Date.parse(fix.at) > FOLLOWED_MS) return;
    const afterMs = Math.max(leftMs, MINUTE_MS);
    throw new RetryLater("not_quiet", "It is looked at again later.", { source: "logic", afterMs });
  }
  const input = {
    type: "fault.quiet",
    subject,
    at,
    newRunId: makeId(),
    fingerprint,
    fix,
    heardAt: known.lastAt,
  } as const;
  await handleInput({ store, makeId }, input, fence);
}

function untilQuiet({ lastAt }: FeedbackCount, { at, quietMinutes }: ReleasedFix): number {
  return Math.max(Date.parse(lastAt), Date.parse(at)) + quietMinutes * MINUTE_MS;
}

/** Whether what runs there has the fix: a person may have gone back to a version before it. */
async function isThere(
  { store, deployHost }: FollowDependencies,
  environment: EnvironmentSubject,
  { sha }: ReleasedFix,
  signal: AbortSignal,
): Promise<boolean> {
  const { running } = (await readEnvironmentLog(store, environment)).environment;
  if (!running || running.sha === sha) return true;
  return (await deployHost.readRange(environment.repository, sha, running.sha, signal))?.is === "ahead";
}

/** The jobs that close the issues of faults which a version fixes: by the work on these issues that it brought. @param at now, ISO 8601 */
export async function followFixes(store: Store, run: Deployment, at: string): Promise<NewJob[]> {
  const { subject, deploy, observed } = run;
  if (!observed || deploy.cause === "rollback") return [];
  const jobs: NewJob[] = [];
  for (const { number, implements: of } of observed.facts.changes) {
    if (!of) continue;
    const evidence = await readEvidence(store, { kind: "issue", repository: subject.repository, number: of.issue });
    if (evidence?.of !== "feedback" || evidence.standing.environment !== environmentOf(subject)) continue;
    const fix = releasedFix({ ...run, observed }, number, at);
    jobs.push(followFault(subject, evidence.standing.feedback.fingerprint, at, fix));
  }
  return jobs;
}

/** The version as the fix of a fault; all traffic has it since it is watched. @param at now, ISO 8601 */
export function releasedFix(
  { deploy, observed, watchedSince, endedAt }: Pick<Observed, "deploy" | "observed" | "watchedSince" | "endedAt">,
  pull: number,
  at: string,
): ReleasedFix {
  return { pull, sha: deploy.sha, at: watchedSince ?? endedAt ?? at, quietMinutes: observed.settings.quiet_minutes };
}
