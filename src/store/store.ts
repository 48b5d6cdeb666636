import type { LibSQLDatabase } from "drizzle-orm/libsql";
import type { RunEvent } from "../domain/events.ts";
import type { Redact } from "../safety/redact.ts";
import type { Group } from "./group.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A delivery as intake hands it over; `body` holds the very bytes that GitHub signed. */
export interface NewDelivery {
  readonly guid: string;
  readonly event: string;
  readonly hookTargetId?: string;
  readonly receivedAt: string;
  readonly body: Buffer;
}

export type Acceptance = "accepted" | "duplicate";
export type OnListenerError = (error: unknown, event: RunEvent) => void;

/** An open database. Opaque outside this room: use the verbs. */
export interface Store {
  readonly url: string;
  readonly read: LibSQLDatabase;
  readonly queue: WriteQueue;
  readonly deliveries: Group<NewDelivery, Acceptance>;
  readonly eventListeners: Set<(event: RunEvent) => void>;
  readonly jobListeners: Set<(keys: readonly string[]) => void>;
  readonly cancelListeners: Set<(runIds: readonly string[]) => void>;
  /** Applied to every event, finding and effect before it is written (SEC-6). */
  readonly redact: Redact;
  readonly onListenerError: OnListenerError;
  readonly close: () => Promise<void>;
}
