import { join } from "node:path";
import { cloneBare, initialiseBare } from "../git/bare-repository.ts";
import type { Account, Repository, Role } from "../records.ts";
import { organizationShape, userShape } from "../shapes/account.ts";
import { repositoryMiniature } from "../shapes/repository.ts";
import { emit, emitInstallation } from "../webhooks/emit.ts";
import { covers, fullName, nextId, now, pullsOf, type World } from "../world.ts";

export async function createRepository(
  world: World,
  owner: Account,
  name: string,
  options: {
    private: boolean;
    defaultBranch: string;
    collaborators: Readonly<Record<string, Role>>;
    source: Repository | null;
  },
): Promise<Repository> {
  const id = nextId(world);
  const directory = join(world.root, `${id}.git`);
  if (options.source) await cloneBare(options.source.directory, directory);
  else await initialiseBare(directory, options.defaultBranch);
  const collaborators = Object.entries(options.collaborators).map(
    ([login, role]) => [login.toLowerCase(), role] as const,
  );
  const repository: Repository = {
    id,
    owner,
    name,
    private: options.private,
    defaultBranch: options.defaultBranch,
    directory,
    source: options.source,
    createdAt: now(),
    pushedAt: now(),
    lastNumber: 0,
    issues: new Map(),
    labels: new Map(),
    collaborators: new Map(collaborators),
    checkSuites: [],
    statuses: [],
    protections: new Map(),
  };
  world.repositories.set(fullName(repository).toLowerCase(), repository);
  return repository;
}

/** Deleting a fork leaves pull requests behind whose head has no repository. */
export function deleteRepository(world: World, repository: Repository): void {
  emit(world, repository, "repository", { action: "deleted" }, repository.owner);
  for (const installation of world.installations)
    if (installation.repositoryIds && covers(installation, repository)) removeFrom(world, installation, [repository]);
  world.repositories.delete(fullName(repository).toLowerCase());
  for (const other of world.repositories.values())
    for (const { pull } of pullsOf(other)) if (pull.headRepository === repository) pull.headRepository = null;
}

/** The old name redirects: https://docs.github.com/en/repositories/creating-and-managing-repositories/transferring-a-repository */
export function transferRepository(world: World, repository: Repository, to: Account): void {
  const previous = repository.owner;
  const losing = world.installations.filter((installation) => covers(installation, repository));
  for (const installation of losing) removeFrom(world, installation, [repository]);
  const oldName = fullName(repository).toLowerCase();
  world.repositories.delete(oldName);
  world.redirects.set(oldName, repository);
  repository.owner = to;
  world.repositories.set(fullName(repository).toLowerCase(), repository);
  const from =
    previous.type === "Organization"
      ? { organization: organizationShape(world, previous) }
      : { user: userShape(world, previous) };
  emit(world, repository, "repository", { action: "transferred", changes: { owner: { from } } }, to);
}

/** https://docs.github.com/en/repositories/creating-and-managing-repositories/renaming-a-repository: the old name redirects here too. */
export function renameRepository(world: World, repository: Repository, name: string): void {
  const oldName = fullName(repository).toLowerCase();
  world.repositories.delete(oldName);
  world.redirects.set(oldName, repository);
  repository.name = name;
  world.repositories.set(fullName(repository).toLowerCase(), repository);
}

export function removeFrom(
  world: World,
  installation: World["installations"][number],
  repositories: readonly Repository[],
): void {
  for (const repository of repositories) installation.repositoryIds?.delete(repository.id);
  emitInstallation(world, installation, "installation_repositories", {
    action: "removed",
    repository_selection: installation.repositoryIds ? "selected" : "all",
    repositories_added: [],
    repositories_removed: repositories.map(repositoryMiniature),
    requester: null,
  });
}
