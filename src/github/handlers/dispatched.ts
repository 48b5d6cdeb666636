import { Environment } from "../../domain/deployments.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { DispatchEvent, type Payload, parsePayload, repositoryRef } from "./payloads.ts";

const KINDS: ReadonlySet<string> = new Set(["forge.error", "forge.anomaly"]);

/** `repository_dispatch` of the types `forge.error` and `forge.anomaly`: production says something of itself (GH-8). */
export async function handleDispatched(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"repository_dispatch">,
) {
  const event = parsePayload(DispatchEvent, payload);
  if (!KINDS.has(event.action)) return { ignored: "dispatches of this type are not for Forge" };
  const told = event.client_payload ?? {};
  const environment = Environment.catch("production").parse(told.environment);
  return dependencies.takeDispatched(repositoryRef(event), { id: deliveryId, environment, payload: told });
}
