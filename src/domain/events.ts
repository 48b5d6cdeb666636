import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "./canonical-json.ts";
import { ForgeError } from "./errors.ts";
import { EVENT_CATALOGUE, type EventType } from "./event-catalogue.ts";
import { Phase } from "./phases.ts";
import { Actor } from "./subjects.ts";

type Payloads = { readonly [T in EventType]: z.infer<(typeof EVENT_CATALOGUE)[T]> };

/** What `decide` says happened: an event before it has an id, a place in its run and a hash. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly type: T;
    readonly payload: Payloads[T];
    readonly phase?: Phase;
    /** The person or bot that caused it (EVT-1); absent for what Forge did by itself. */
    readonly actor?: Actor;
    readonly durationMs?: number;
    readonly cost?: { readonly tokens: number; readonly usd: number };
  };
}[EventType];

/**
 * The types of events of which a fold may know nothing: all of other families (the word before the dot), and those of its own that it names.
 * `event.type satisfies Others<"gate">` in its `default:` makes a new event of the family a compile error there.
 */
export type Others<Family extends string, Named extends EventType = never> =
  | Exclude<EventType, `${Family}.${string}`>
  | Named;

/** What was learnt, for a subject's own log: `cause` names what happened, and one that stands there already is not written again. */
export type LearntEvent = {
  readonly [T in Exclude<EventType, "phase.bounced">]: "cause" extends keyof Payloads[T]
    ? Extract<NewEvent, { readonly type: T }> & { readonly payload: { readonly cause: string } }
    : never;
}[Exclude<EventType, "phase.bounced">];

/** A new event with its place in its run: all that a fold needs. Versions of a run count from 1 without gaps. */
export type PlacedEvent = NewEvent & {
  readonly traceId: string;
  readonly version: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
};

/** An immutable fact of a run (EVT-1); `hash` chains each event to the one before it. */
export type RunEvent = PlacedEvent & {
  readonly id: string;
  readonly source: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** `previousHash` of the first event of a run. */
export const GENESIS = "0".repeat(64);

const Envelope = z.object({
  id: z.string().length(26),
  traceId: z.string().min(1),
  version: z.number().int().positive(),
  at: z.iso.datetime({ precision: 3 }),
  source: z.string().min(1),
  type: z.string(),
  payload: z.unknown(),
  phase: Phase.optional(),
  actor: Actor.optional(),
  durationMs: z.number().nonnegative().optional(),
  cost: z.object({ tokens: z.number().nonnegative(), usd: z.number().nonnegative() }).optional(),
  previousHash: z.string().length(64),
  hash: z.string().length(64),
});

export interface Seal {
  readonly id: string;
  readonly traceId: string;
  readonly version: number;
  readonly at: string;
  readonly source: string;
  readonly previousHash: string;
}

/**
 * Turns a new event into a link of its run's chain.
 * @throws ForgeError `event_invalid` when the payload does not fit the catalogue.
 */
export function sealEvent(event: NewEvent, seal: Seal): RunEvent {
  const payload = parsePayload(event.type, event.payload);
  const unhashed = { ...event, payload, ...seal };
  return { ...unhashed, hash: hashEvent(unhashed) } as RunEvent;
}

/** Hex SHA-256 over the canonical JSON of everything but the hash itself; `previousHash` is part of it, so the chain is too. */
export function hashEvent(event: object): string {
  const { hash: _ignored, ...rest } = event as { hash?: string };
  return createHash("sha256").update(canonicalJson(rest)).digest("hex");
}

/**
 * Reads an event back from storage.
 * @throws ForgeError `event_invalid` naming the event when it does not fit the catalogue.
 */
export function parseEvent(stored: unknown): RunEvent {
  const envelope = Envelope.safeParse(stored);
  if (!envelope.success) throw invalid("unknown", envelope.error);
  const type = envelope.data.type;
  if (!(type in EVENT_CATALOGUE)) {
    throw new ForgeError("event_invalid", `The event log holds an event of the unknown type ${type}.`, {
      source: "validation",
      severity: "high",
      recoverability: "manual",
      context: { id: envelope.data.id },
    });
  }
  return { ...envelope.data, payload: parsePayload(type as EventType, envelope.data.payload) } as RunEvent;
}

/**
 * The version of the first event whose hash or place in the chain is wrong, or undefined for an intact run (EVT-3). Takes events as they
 * are stored, before `parseEvent`: a schema that has grown since may add members, and the hash was made without them.
 */
export function findBrokenLink(
  stored: readonly { readonly version: number; readonly previousHash: string; readonly hash: string }[],
): number | undefined {
  let previousHash = GENESIS;
  let version = 1;
  for (const event of stored) {
    if (event.version !== version || event.previousHash !== previousHash || event.hash !== hashEvent(event)) {
      return event.version;
    }
    previousHash = event.hash;
    version += 1;
  }
  return undefined;
}

function parsePayload(type: EventType, payload: unknown): unknown {
  const parsed = EVENT_CATALOGUE[type].safeParse(payload);
  if (!parsed.success) throw invalid(type, parsed.error);
  return parsed.data;
}

function invalid(type: string, cause: z.ZodError): ForgeError {
  return new ForgeError(
    "event_invalid",
    `An event of type ${type} does not fit its schema: ${z.prettifyError(cause)}`,
    {
      source: "validation",
      severity: "high",
      recoverability: "none",
      cause,
    },
  );
}
