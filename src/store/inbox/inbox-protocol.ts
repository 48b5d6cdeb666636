import { LibsqlError } from "@libsql/client";
import type { Acceptance, NewDelivery } from "../store.ts";

/**
 * Bodies on their way to the thread stand behind each other in a slot: one of so many pieces of memory that both sides share as long as the
 * thread lives, so that neither side's garbage collector has to do with them.
 */
export const SLOTS = 2;
export const SLOT_BYTES = 1024 * 1024;

/** The thread's start data. */
export interface InboxThreadData {
  readonly url: string;
  readonly slots: readonly Uint8Array[];
}

/** A delivery whose body comes by other means. */
export type Head = Omit<NewDelivery, "body"> & { readonly bytes: number };

/**
 * What the thread is asked to do, one after the other; it answers each in the order of asking, `close` by ending. `slot` is a number below
 * SLOTS.
 */
export type Order =
  /** Packs the next piece of a body that is larger than a slot. */
  | { readonly kind: "pack"; readonly parcel: number; readonly slot: number; readonly bytes: number }
  /** Commits a group whose bodies are in the slot; or one delivery whose body was packed before. */
  | { readonly kind: "accept"; readonly heads: readonly Head[]; readonly slot: number }
  | { readonly kind: "accept packed"; readonly head: Head; readonly parcel: number }
  | { readonly kind: "close" };

export type Reply = { readonly acceptances: readonly Acceptance[] } | { readonly failure: Failure };

/** An error of the client as a plain value: what crosses a thread loses its class. */
interface Failure {
  readonly error: Error;
  readonly codes?: {
    readonly code: string;
    readonly extendedCode: string | undefined;
    readonly rawCode: number | undefined;
  };
}

export function toFailure(thrown: unknown): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (!(error instanceof LibsqlError)) return { error };
  const { code, extendedCode, rawCode } = error;
  return { error: new Error(error.message, { cause: error.cause }), codes: { code, extendedCode, rawCode } };
}

export function fromFailure({ error, codes }: Failure): Error {
  if (!codes) return error;
  return new LibsqlError(error.message, codes.code, codes.extendedCode, codes.rawCode, error);
}
