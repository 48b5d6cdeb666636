import type { HandlerDependencies } from "./handler-dependencies.ts";
import { AuthorizationEvent, type Payload, parsePayload } from "./payloads.ts";

/** `github_app_authorization.revoked`: whoever takes back what they let the App do is signed out of its pages (OPS-2). */
export async function handleAuthorizationRevoked(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"github_app_authorization.revoked">,
) {
  const { sender } = parsePayload(AuthorizationEvent, payload);
  await dependencies.signOut(sender.id);
  return {};
}
