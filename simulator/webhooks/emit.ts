// Which apps hear of an event.
import { missingFor } from "../access/events.ts";
import type { Account, App, Installation, Repository } from "../records.ts";
import { organizationShape, userShape } from "../shapes/account.ts";
import { nodeId } from "../shapes/addresses.ts";
import { installationShape } from "../shapes/app.ts";
import { repositoryShape } from "../shapes/repository.ts";
import { covers, type World } from "../world.ts";
import { deliver } from "./deliver.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** An app that may write checks hears of them without asking:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_suite */
function hears(app: App, event: string): boolean {
  const automatic = event.startsWith("check_") && app.permissions.checks === "write";
  return automatic || app.events.includes(event);
}

/** Sends to every installed app that hears of the event, or to one of them only. The payload is used as it is now. */
export function emit(
  world: World,
  repository: Repository,
  event: string,
  payload: Payload,
  sender: Account,
  only?: App,
): void {
  for (const installation of world.installations) {
    const { app } = installation;
    if (installation.suspendedAt || !covers(installation, repository)) continue;
    if ((only && app !== only) || !hears(app, event) || missingFor(event, installation.accepted ?? app.permissions))
      continue;
    const { owner } = repository;
    const organization = owner.type === "Organization" ? { organization: organizationShape(world, owner) } : {};
    deliver(world, {
      app,
      event,
      installationId: installation.id,
      repositoryId: repository.id,
      payload: {
        ...payload,
        repository: repositoryShape(world, repository),
        ...organization,
        sender: userShape(world, sender),
        installation: { id: installation.id, node_id: nodeId("MDI", installation.id) },
      },
    });
  }
}

/** Installation events go to the app whatever it subscribed to.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation */
export function emitInstallation(world: World, installation: Installation, event: string, payload: Payload): void {
  deliver(world, {
    app: installation.app,
    event,
    installationId: installation.id,
    repositoryId: null,
    payload: {
      ...payload,
      installation: installationShape(world, installation),
      sender: userShape(world, installation.account),
    },
  });
}
