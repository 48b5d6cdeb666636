import { createPublicKey, randomBytes } from "node:crypto";
import { missingFor } from "../access/events.ts";
import type { Account, App, Installation, Repository } from "../records.ts";
import { repositoryMiniature } from "../shapes/repository.ts";
import { emitInstallation } from "../webhooks/emit.ts";
import { nextId, now, repositoriesOf, type World } from "../world.ts";

export interface NewApp {
  readonly appId: number;
  readonly slug: string;
  /** PEM; the public half is kept. */
  readonly privateKey: string;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  /** Permission name to "read" or "write". */
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly callbackUrls?: readonly string[];
  readonly setupUrl?: string;
}

/** Throws when an event is asked for without its permission: GitHub refuses to register such an App. */
export function registerApp(world: World, owner: Account, bot: Account, wanted: NewApp): App {
  for (const event of wanted.events) {
    const needed = missingFor(event, wanted.permissions);
    if (needed) throw new Error(`the event ${event} needs the permission ${needed.join(" or ")}`);
  }
  const { privateKey, ...rest } = wanted;
  const app: App = {
    ...rest,
    name: wanted.slug,
    clientId: `Iv23li${randomBytes(7).toString("hex")}`,
    clientSecret: randomBytes(20).toString("hex"),
    owner,
    bot,
    publicKey: createPublicKey(privateKey),
    createdAt: now(),
  };
  world.apps.push(app);
  return app;
}

/** `repositories` null installs on all, now and later. */
export function install(
  world: World,
  app: App,
  account: Account,
  repositories: readonly Repository[] | null,
  accepted?: Readonly<Record<string, string>>,
): Installation {
  const installation: Installation = {
    id: nextId(world),
    app,
    account,
    repositoryIds: repositories && new Set(repositories.map((repository) => repository.id)),
    suspendedAt: null,
    accepted,
    createdAt: now(),
  };
  world.installations.push(installation);
  emitInstallation(world, installation, "installation", {
    action: "created",
    ...covered(world, installation),
    requester: null,
  });
  return installation;
}

/** https://docs.github.com/en/apps/using-github-apps/approving-updated-permissions-for-a-github-app */
export function acceptAll(world: World, installation: Installation): void {
  installation.accepted = undefined;
  emitInstallation(world, installation, "installation", {
    action: "new_permissions_accepted",
    ...covered(world, installation),
  });
}

function covered(world: World, installation: Installation) {
  return { repositories: repositoriesOf(world, installation).map(repositoryMiniature) };
}

/** https://docs.github.com/en/apps/maintaining-github-apps/suspending-a-github-app-installation */
export function setSuspended(world: World, installation: Installation, suspended: boolean): void {
  installation.suspendedAt = suspended ? now() : null;
  const action = suspended ? "suspend" : "unsuspend";
  emitInstallation(world, installation, "installation", { action, ...covered(world, installation) });
}

/** Its tokens are worth nothing from now on. */
export function uninstall(world: World, installation: Installation): void {
  world.installations.splice(world.installations.indexOf(installation), 1);
  emitInstallation(world, installation, "installation", { action: "deleted", ...covered(world, installation) });
}

/** Throws when the App is installed on all repositories. */
export function addTo(world: World, installation: Installation, repositories: readonly Repository[]): void {
  if (!installation.repositoryIds) throw new Error("the App is installed on all repositories of this account");
  for (const repository of repositories) installation.repositoryIds.add(repository.id);
  emitInstallation(world, installation, "installation_repositories", {
    action: "added",
    repository_selection: "selected",
    repositories_added: repositories.map(repositoryMiniature),
    repositories_removed: [],
    requester: null,
  });
}
