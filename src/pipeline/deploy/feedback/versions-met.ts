import type { PlannedStep } from "../../../domain/deployments.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { readEventsOfLatestRuns } from "../../../store/events/read-events.ts";
import type { Store } from "../../../store/store.ts";
import { onlyPull, type StepState } from "../deployment.ts";
import { replayDeployment } from "../evolve.ts";

/** A version that had some of the traffic of an environment, be it 5 % for a minute. */
export interface MetVersion {
  readonly sha: string;
  /** Of the run that brought it. */
  readonly runId: string;
  /** ISO 8601: nobody met it before. */
  readonly at: string;
  /** What it was brought in place of; undefined where nothing ran there, and of going back, which changes nothing anew. */
  readonly before: string | undefined;
  /** The pull request that it brought, where that was all. */
  readonly only?: number | undefined;
}

/** Deployments that are looked through, from the newest. */
const DEPLOYMENTS = 50;

/** Steps of which nothing came there. */
const NEVER: ReadonlySet<StepState["outcome"]["is"]> = new Set(["waiting", "never_started", "rejected", "cancelled"]);

/** What says which versions were met: not what was measured of them, which is most of a log. */
const TELLING = ["run.started", "deployment.observed", "deployment.started", "deployment.progressed"] as const;

/** The versions that users of an environment met, oldest first; one for each time that another came. */
export async function versionsMet(store: Store, environment: Subject): Promise<MetVersion[]> {
  const events = await readEventsOfLatestRuns(store, environment, { runs: DEPLOYMENTS, types: TELLING });
  const met = [...Map.groupBy(events, ({ traceId }) => traceId).values()].flatMap((log): MetVersion[] => {
    const run = replayDeployment(log);
    const steps = (run?.steps ?? []).filter(({ outcome, doneAt }) => doneAt !== undefined || !NEVER.has(outcome.is));
    // A workflow turns the traffic before it says that it is done: from the beginning of the step somebody may meet the version.
    return steps.map(({ planned, startedAt }) => {
      const { sha, task, marker } = planned;
      const only = task === "deploy" && run ? onlyPull(run) : undefined;
      return { sha, runId: marker.run, at: startedAt, before: beforeOf(planned), only };
    });
  });
  met.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return met.filter(({ sha }, index) => met[index - 1]?.sha !== sha);
}

function beforeOf({ task, previous }: PlannedStep): string | undefined {
  return task === "deploy" ? previous : undefined;
}
