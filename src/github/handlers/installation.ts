import type { RepositoryRef, Subject } from "../../domain/subjects.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import {
  InstallationEvent,
  InstalledEvent,
  type Payload,
  parsePayload,
  RepositoriesAddedEvent,
  RepositoriesEvent,
  RepositoryEvent,
} from "./payloads.ts";

/** `installation.created`: the labels that Forge uses, and nothing else (GH-9). */
export async function handleInstallationCreated(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"installation.created">,
) {
  const event = parsePayload(InstalledEvent, payload);
  await dependencies.accessChanged();
  await dependencies.createLabels(covered(event.installation.id, event.repositories ?? []));
  return {};
}

/** `installation_repositories.added`: the same for those that came later. */
export async function handleRepositoriesAdded(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"installation_repositories.added">,
) {
  const event = parsePayload(RepositoriesAddedEvent, payload);
  await dependencies.accessChanged();
  await dependencies.createLabels(covered(event.installation.id, event.repositories_added));
  return {};
}

function covered(installationId: number, all: readonly { readonly id: number; readonly full_name: string }[]) {
  return all.map(({ id, full_name: fullName }): RepositoryRef => {
    const [owner = "", name = ""] = fullName.split("/");
    return { id, owner, name, installationId };
  });
}

/** `installation.deleted`: its queued work is forgotten, and its data where the operator wants that (GH-9). */
export async function handleInstallationDeleted(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"installation.deleted">,
) {
  const { installation } = parsePayload(InstallationEvent, payload);
  await endAll(dependencies, { installationId: installation.id }, "installation_removed");
  await dependencies.forgetInstallation(installation.id);
  return {};
}

/** `installation.suspend`: nothing can be written there until it is unsuspended; open pull requests are then found by the reconcile pass. */
export async function handleInstallationSuspended(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"installation.suspend">,
) {
  const { installation } = parsePayload(InstallationEvent, payload);
  await endAll(dependencies, { installationId: installation.id }, "installation_removed");
  return {};
}

/** `installation_repositories.removed`. */
export async function handleRepositoriesRemoved(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"installation_repositories.removed">,
) {
  const event = parsePayload(RepositoriesEvent, payload);
  for (const { id } of event.repositories_removed) {
    await endAll(dependencies, { installationId: event.installation.id, repositoryId: id }, "installation_removed");
  }
  return {};
}

/** `repository.deleted` and `repository.transferred`: what was going on there cannot be finished under that name. */
export async function handleRepositoryGone(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"repository.deleted" | "repository.transferred">,
) {
  const event = parsePayload(RepositoryEvent, payload);
  const of = { installationId: event.installation.id, repositoryId: event.repository.id };
  await endAll(dependencies, of, "repository_gone");
  return {};
}

async function endAll(
  dependencies: HandlerDependencies,
  of: { installationId: number; repositoryId?: number },
  reason: "installation_removed" | "repository_gone",
): Promise<void> {
  await dependencies.accessChanged();
  const subjects: readonly Subject[] = await dependencies.activeSubjects(of);
  for (const subject of subjects) {
    await dependencies.submit({
      type: "subject.gone",
      subject,
      at: dependencies.now(),
      newRunId: dependencies.makeId(),
      reason,
    });
  }
}
