import { type DeployStanding, ENVIRONMENTS, type Environment, environmentSubject } from "../../domain/deployments.ts";
import { ForgeError } from "../../domain/errors.ts";
import { numberOf, type RepositoryRef, type Subject, subjectKey } from "../../domain/subjects.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { listRunsOfSubject } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import type { Deployment } from "./deployment.ts";
import { readEnvironmentLog } from "./environment-log.ts";
import { type EnvironmentFacts, replayDeployment } from "./evolve.ts";
import { standingOf } from "./standing-of.ts";

/** Deployments that are looked through for each environment, from the newest. */
const MOST = 20;

/** How the newest deployments that an issue or a pull request has to do with stand now, one for each environment (`/forge status`). */
export async function readStandings(store: Store, about: Subject): Promise<DeployStanding[]> {
  return inEach(about.repository, async (_environment, subject) => {
    const { run, facts } = (await findDeployment(store, subject, (each) => concerns(each, about), MOST)) ?? {};
    if (!run) return undefined;
    const hold = facts?.hold;
    return standingOf(run, run.endedAt === undefined || hold?.runId === run.runId ? hold : undefined);
  });
}

/** What runs in an environment of a repository, and how the newest deployment there stands. */
export type EnvironmentReport =
  | { readonly environment: Environment; readonly facts: EnvironmentFacts; readonly newest?: DeployStanding }
  /** Its log has an event that this version of Forge cannot read, as after a downgrade. */
  | { readonly environment: Environment; readonly unreadable: true };

/** Every environment of a repository to which something was deployed. One that cannot be read keeps no other from being shown. */
export async function readEnvironments(store: Store, repository: RepositoryRef): Promise<EnvironmentReport[]> {
  return inEach(repository, async (environment, subject): Promise<EnvironmentReport | undefined> => {
    try {
      const found = await findDeployment(store, subject, () => true, 1);
      if (!found) return undefined;
      const { facts, run } = found;
      return { environment, facts, ...(run ? { newest: standingOf(run, facts.hold) } : {}) };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "event_invalid") throw error;
      return { environment, unreadable: true };
    }
  });
}

async function inEach<T>(
  repository: RepositoryRef,
  read: (environment: Environment, subject: Subject) => Promise<T | undefined>,
): Promise<T[]> {
  const found = await Promise.all(
    ENVIRONMENTS.map((environment) => read(environment, environmentSubject(repository, environment))),
  );
  return found.filter((each) => each !== undefined);
}

/** What is of an environment itself, and of its latest `most` deployments the newest that `fits`. Undefined where nothing was deployed. */
async function findDeployment(
  store: Store,
  subject: Subject,
  fits: (run: Deployment) => boolean,
  most: number,
): Promise<{ readonly facts: EnvironmentFacts; readonly run?: Deployment } | undefined> {
  const rows = await listRunsOfSubject(store, subject, { limit: most });
  if (rows.length === 0) return undefined;
  const { environment: facts } = await readEnvironmentLog(store, subject);
  for (const { traceId } of rows) {
    const run = replayDeployment(await readEvents(store, traceId));
    if (run && fits(run)) return { facts, run };
  }
  return { facts };
}

/** It is told here, works on here, or brings what was merged here. */
function concerns({ deploy, observed }: Deployment, place: Subject): boolean {
  const { about } = deploy;
  if (about && subjectKey(about) === subjectKey(place)) return true;
  const number = numberOf(place);
  if (place.kind === "issue") return deploy.implements?.issue === number;
  return observed?.facts.changes.some((change) => change.number === number) === true;
}
