import { z } from "zod";
import { CONFIGURATION_PATH } from "../domain/repo-config.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import { PROJECT_FILES, type Project, readProject } from "../pipeline/project/read-project.ts";
import type { AppClient } from "./app-client.ts";
import { READ_PERMISSIONS } from "./permissions.ts";
import { createPullRequestHost } from "./pull-request-host.ts";
import { createReader } from "./reader.ts";

/** A repository on which the App is installed: what it is, and where its settings go. */
export interface InstalledProject extends Project {
  /** The default branch. */
  readonly branch: string;
  /** There is a `.github/forge.yml` already. */
  readonly hasSettings: boolean;
  /** GitHub named a part of the files only. */
  readonly isCut: boolean;
}

/** Looks at a repository through the API; undefined where it is empty or gone. It throws as `PullRequestHost` does. */
export type ReadInstalled = (repository: RepositoryRef) => Promise<InstalledProject | undefined>;

const Repository = z.object({ default_branch: z.string() });
/** Milliseconds for all requests together. */
const READ_MS = 30_000;
/** Milliseconds for which a project is held: a page that is loaded again asks GitHub nothing. */
const HELD_MS = 60_000;
const MOST_HELD = 100;

/** `now`: milliseconds. */
export function createProjectHost(
  client: AppClient,
  github: Parameters<typeof createPullRequestHost>[1],
  now: () => number = Date.now,
): ReadInstalled {
  const host = createPullRequestHost(client, github);
  const held = new Map<number, { readonly until: number; readonly project: ReturnType<ReadInstalled> }>();

  const read: ReadInstalled = async (repository) => {
    const signal = AbortSignal.timeout(READ_MS);
    const [listing, about] = await Promise.all([
      host.listFiles(repository, signal),
      createReader(client, repository, READ_PERMISSIONS, signal)(Repository, "GET /repos/{owner}/{repo}", {}),
    ]);
    if (!listing || !about) return undefined;
    const paths = listing.files.map(({ path }) => path).sort();
    const known = new Set(paths);
    const texts = await Promise.all(
      PROJECT_FILES.filter((path) => known.has(path)).map(
        async (path) => [path, (await host.readFile(repository, path, signal)) ?? ""] as const,
      ),
    );
    return {
      ...readProject(paths, new Map(texts), repository.name),
      ...{ branch: about.default_branch, hasSettings: known.has(CONFIGURATION_PATH), isCut: listing.truncated },
    };
  };

  return (repository) => {
    const before = held.get(repository.id);
    if (before !== undefined && before.until > now()) return before.project;
    const project = read(repository);
    held.delete(repository.id);
    held.set(repository.id, { until: now() + HELD_MS, project });
    const [oldest] = held.keys();
    if (oldest !== undefined && held.size > MOST_HELD) held.delete(oldest);
    // What could not be read is asked for again.
    project.catch(() => held.delete(repository.id));
    return project;
  };
}
