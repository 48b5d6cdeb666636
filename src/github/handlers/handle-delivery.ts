import type { Probot } from "probot";
import { ForgeError } from "../../domain/errors.ts";
import type { HandlerPowers } from "./handler-powers.ts";
import { Installation } from "./payloads.ts";
import { registerHandlers } from "./register-handlers.ts";

export interface StoredDelivery {
  readonly guid: string;
  readonly event: string;
  readonly body: Buffer;
}

/** How a delivery ended: a handler took it, or nothing followed and why. */
export type DeliveryOutcome = { readonly state: "handled" } | { readonly state: "ignored"; readonly reason: string };

/**
 * Makes the function that runs one stored delivery through Probot's handlers. It may be called again for the same delivery: what it
 * submits is recognised. Throws what a handler throws, so that the queue tries again.
 */
export function createDeliveryHandler(probot: Probot, powers: HandlerPowers) {
  const results = new Map<string, { readonly ignored?: string }>();
  registerHandlers(probot, powers, (id, result) => results.set(id, result));
  return async function handleDelivery({ guid, event, body }: StoredDelivery): Promise<DeliveryOutcome> {
    const payload = parseBody(body);
    if (payload === undefined) return { state: "ignored", reason: "the body is not a JSON object" };
    if (!hasUsableInstallation(payload)) return { state: "ignored", reason: "the installation has no usable id" };
    try {
      await probot.receive({ id: guid, name: event, payload } as Parameters<Probot["receive"]>[0]);
    } catch (error) {
      results.delete(guid);
      throw firstError(error);
    }
    const result = results.get(guid);
    results.delete(guid);
    if (!result) return { state: "ignored", reason: "no handler for this event" };
    return result.ignored === undefined ? { state: "handled" } : { state: "ignored", reason: result.ignored };
  };
}

function parseBody(body: Buffer): object | undefined {
  try {
    const payload: unknown = JSON.parse(body.toString("utf8"));
    return payload !== null && typeof payload === "object" && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Probot makes a client for the installation of each event before a handler sees it, and fails without an id. */
function hasUsableInstallation(payload: object): boolean {
  const { installation } = payload as { readonly installation?: unknown };
  return installation === undefined || installation === null || Installation.safeParse(installation).success;
}

/** Probot collects the failures of all handlers; a delivery has one handler here, so the first is the one. */
function firstError(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const first: unknown = error.errors[0];
    return first instanceof Error && first.cause instanceof ForgeError ? first.cause : first;
  }
  return error;
}
