import type { DeployStanding, ReleaseStanding } from "../../../domain/deployments.ts";
import { RetryLater } from "../../../domain/errors.ts";
import { listReleases } from "../../../store/runs/read-releases.ts";
import { submit } from "../../runs/handle-input.ts";
import type { Implementation } from "../implementation.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** A worker looks at a merge within moments; milliseconds. */
const TO_BEGIN = {
  within: 30 * 60_000,
  code: "not_deployed_yet",
  message: "Nobody has begun to deploy it yet.",
} as const;

/** As it does at the end of a deployment, also where a worker dies there. */
const TO_GO_ON = {
  within: 30 * 60_000,
  code: "not_onward_yet",
  message: "The next environment was not asked for yet.",
} as const;

/**
 * What was merged is deployed by runs of their own, each move of which wakes this one up: it tells how far the version is, and is over with the
 * last of them (GH-7).
 */
export async function awaitRelease(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  const { store, now, readStandings } = dependencies;
  const { runId, subject } = run;
  const releases = await listReleases(store, subject.repository, runId);
  const [newest] = releases;
  const standings = newest ? await readStandings(subject) : [];
  const standing = standings.find((one) => one.runId === newest?.traceId);
  if (standing) await submit(dependencies, job, { type: "release.moved", runId, release: released(standing) });
  if (releases.some(({ active }) => active)) return;
  if (newest === undefined) waitOn(run.mergedAt, now(), TO_BEGIN);
  else if (standing?.onward) waitOn(newest.endedAt, now(), TO_GO_ON);
  await submit(dependencies, job, { type: "work.released", runId });
}

/** @throws RetryLater so long as there is something to wait for */
function waitOn(
  since: string | undefined,
  at: string,
  { within, code, message }: { readonly within: number; readonly code: string; readonly message: string },
): void {
  const afterMs = within - (Date.parse(at) - Date.parse(since ?? at));
  if (afterMs > 0) throw new RetryLater(code, message, { source: "logic", afterMs });
}

function released({ changes: _brought, more: _more, direct: _direct, ...release }: DeployStanding): ReleaseStanding {
  return release;
}
