import { type DeployStanding, ENVIRONMENTS, type Environment, environmentSubject } from "../../domain/deployments.ts";
import { ForgeError } from "../../domain/errors.ts";
import { numberOf, type RepositoryRef, type Subject, subjectKey } from "../../domain/subjects.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { findLatestRun, listRunsOfSubject } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import type { Deployment } from "./deployment.ts";
import { readEnvironmentLog } from "./environment-log.ts";
import { type EnvironmentFacts, replayDeployment } from "./evolve.ts";
import { standingOf } from "./standing-of.ts";

/** Deployments that are looked through for each environment, from the newest. */
const MOST = 20;

/** How the newest deployments that an issue or a pull request has to do with stand now, one for each environment (`/forge status`). */
export async function readStandings(store: Store, about: Subject): Promise<DeployStanding[]> {
  const found = await Promise.all(
    ENVIRONMENTS.map(async (environment): Promise<DeployStanding[]> => {
      const subject = environmentSubject(about.repository, environment);
      const rows = (await listRunsOfSubject(store, subject)).slice(0, MOST);
      for (const { traceId } of rows) {
        const run = replayDeployment(await readEvents(store, traceId));
        if (!run || !concerns(run, about)) continue;
        const { hold } = (await readEnvironmentLog(store, subject)).environment;
        return [standingOf(run, run.endedAt === undefined || hold?.runId === run.runId ? hold : undefined)];
      }
      return [];
    }),
  );
  return found.flat();
}

/** What runs in an environment of a repository, and how the newest deployment there stands. */
export type EnvironmentReport =
  | { readonly environment: Environment; readonly facts: EnvironmentFacts; readonly newest?: DeployStanding }
  /** Its log has an event that this version of Forge cannot read, as after a downgrade. */
  | { readonly environment: Environment; readonly unreadable: true };

/** Every environment of a repository to which something was deployed. One that cannot be read keeps no other from being shown. */
export async function readEnvironments(store: Store, repository: RepositoryRef): Promise<EnvironmentReport[]> {
  const found = await Promise.all(
    ENVIRONMENTS.map(async (environment): Promise<EnvironmentReport[]> => {
      const subject = environmentSubject(repository, environment);
      const row = await findLatestRun(store, subject);
      if (!row) return [];
      try {
        const [events, log] = await Promise.all([readEvents(store, row.traceId), readEnvironmentLog(store, subject)]);
        const run = replayDeployment(events);
        const { environment: facts } = log;
        return [{ environment, facts, ...(run ? { newest: standingOf(run, facts.hold) } : {}) }];
      } catch (error) {
        if (!(error instanceof ForgeError) || error.code !== "event_invalid") throw error;
        return [{ environment, unreadable: true }];
      }
    }),
  );
  return found.flat();
}

/** It is told here, works on here, or brings what was merged here. */
function concerns({ deploy, observed }: Deployment, place: Subject): boolean {
  const { about } = deploy;
  if (about && subjectKey(about) === subjectKey(place)) return true;
  const number = numberOf(place);
  if (place.kind === "issue") return deploy.implements?.issue === number;
  return observed?.facts.changes.some((change) => change.number === number) === true;
}
