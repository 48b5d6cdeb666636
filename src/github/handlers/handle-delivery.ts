import type { Probot } from "probot";
import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { membersOf } from "./members-of.ts";
import * as payloads from "./payloads.ts";
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
export function createDeliveryHandler(probot: Probot, dependencies: HandlerDependencies) {
  const results = new Map<string, { readonly ignored?: string }>();
  registerHandlers(probot, dependencies, (id, result) => results.set(id, result));
  return async function handleDelivery({ guid, event, body }: StoredDelivery): Promise<DeliveryOutcome> {
    const payload = await readPayload(body);
    if (payload === undefined) return { state: "ignored", reason: "the body is not a JSON object, or too large" };
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

/** Whatever such a body holds, reading it takes 10 ms. */
const USUAL_BODY_BYTES = 128 * 1024;

/** Every member that a handler reads, and `action`, by which Probot finds the handler. */
const MEMBERS: ReadonlySet<string> = new Set(["action", ...Object.values(payloads).flatMap(membersIn)]);

/** Of a large body only the members that Forge reads: what a million others would take, and hold, is its sender's choice. */
async function readPayload(body: Buffer): Promise<object | undefined> {
  const read = body.length <= USUAL_BODY_BYTES ? body : await membersOf(body, MEMBERS);
  return read && parseObject(read);
}

function parseObject(body: Buffer): object | undefined {
  try {
    const payload: unknown = JSON.parse(body.toString("utf8"));
    return payload !== null && typeof payload === "object" && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** The names of an object's members, and of theirs. */
function membersIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, member]) => [name, ...membersIn(member)]);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return membersIn(schema.unwrap());
  return schema instanceof z.ZodArray ? membersIn(schema.element) : [];
}

/** Probot makes a client for the installation of each event before a handler sees it, and fails without an id. */
function hasUsableInstallation(payload: object): boolean {
  const { installation } = payload as { readonly installation?: unknown };
  return installation === undefined || installation === null || payloads.Installation.safeParse(installation).success;
}

/** Probot collects the failures of all handlers; a delivery has one handler here, so the first is the one. */
function firstError(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const first: unknown = error.errors[0];
    return first instanceof Error && first.cause instanceof ForgeError ? first.cause : first;
  }
  return error;
}
