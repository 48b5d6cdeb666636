import { defined } from "../../domain/defined.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/deployments.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { listActiveDeployments, listNewestDeployments } from "../../store/runs/read-releases.ts";
import { findActiveRun } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import { workBehind } from "../runs/implementation-of.ts";

/**
 * The environment to which a version is being deployed that was merged here or asked for here; production before staging. None while a run works
 * on the issue or the pull request itself: then the command is about that run.
 */
export async function releaseMeant(store: Store, place: Subject): Promise<{ readonly environment?: Environment }> {
  const places = await placesOf(store, place);
  const keys = places.map(subjectKey);
  const [deployments, ...active] = await Promise.all([
    listActiveDeployments(store, place.repository),
    ...places.map((each) => findActiveRun(store, each)),
  ]);
  const [own] = active.filter((run) => run !== undefined);
  const here = deployments.filter(({ about, implements: of }) => {
    return about && keys.includes(subjectKey(about)) && (own === undefined || of?.runId === own.traceId);
  });
  const environment = ENVIRONMENTS.toReversed().find((each) => here.some((deploy) => deploy.environment === each));
  return defined({ environment });
}

/** The environment whose newest deployment was asked for here or followed from a merge here, and is the newest of these: its check is meant. */
export async function checkMeant(store: Store, place: Subject): Promise<{ readonly environment?: Environment }> {
  const keys = (await placesOf(store, place)).map(subjectKey);
  const newest = await listNewestDeployments(store, place.repository);
  const here = newest.find(({ about }) => about && keys.includes(subjectKey(about)));
  return defined({ environment: here?.environment });
}

/** The conversation itself, and the issue that a pull request of Forge is the work on. */
async function placesOf(store: Store, place: Subject): Promise<readonly Subject[]> {
  const work = await workBehind(store, place);
  return [place, ...(work ? [work.subject] : [])];
}
