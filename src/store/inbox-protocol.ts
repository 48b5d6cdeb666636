import { LibsqlError } from "@libsql/client";
import type { Acceptance, NewDelivery } from "./store.ts";

/** A group on its way to the thread: bodies behind each other in one piece of memory, which is handed over, not copied. */
export interface Parcel {
  readonly heads: readonly (Omit<NewDelivery, "body"> & { readonly bytes: number })[];
  readonly bodies: Uint8Array;
}

/** The thread answers every parcel, in the order of sending; `close` it answers by ending. */
export type Order = Parcel | "close";
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

/** Puts a group together. A body alone, in memory that threads share, goes as it is. */
export function packParcel(group: readonly NewDelivery[]): { parcel: Parcel; transfer: ArrayBuffer[] } {
  const heads = group.map(({ body, ...head }) => ({ ...head, bytes: body.length }));
  const only = group.length === 1 ? group[0]!.body : undefined;
  if (only && (only.buffer as ArrayBufferLike) instanceof SharedArrayBuffer) {
    return { parcel: { heads, bodies: only }, transfer: [] };
  }
  const memory = new ArrayBuffer(heads.reduce((sum, { bytes }) => sum + bytes, 0));
  const bodies = new Uint8Array(memory);
  let at = 0;
  for (const { body } of group) {
    bodies.set(body, at);
    at += body.length;
  }
  return { parcel: { heads, bodies }, transfer: [memory] };
}

export function unpackParcel({ heads, bodies }: Parcel): NewDelivery[] {
  let at = bodies.byteOffset;
  return heads.map(({ bytes, ...head }) => {
    const body = Buffer.from(bodies.buffer, at, bytes);
    at += bytes;
    return { ...head, body };
  });
}
