/** What the front door knows of a connection. Times are in milliseconds on one clock that never goes back. */
export interface ConnectionFacts {
  /** The sender: an address, or the connection if no trusted proxy names the address. */
  readonly client: unknown;
  /** Since when the connection is in this phase. */
  readonly sinceMs: number;
  /**
   * `waiting`: no request with complete headers, or an answer that the client does not read. `reading`: the body is not complete.
   * `answering`: Forge is working on it. `kept`: the whole body of a delivery is held, which is about to be verified or stored.
   */
  readonly phase: "waiting" | "reading" | "answering" | "kept";
}

const ORDER = { waiting: 0, reading: 1, answering: 2, kept: 3 } as const;

/**
 * The connection that gives way to a new one: one that waits before one that sends, of those one of the client with the most connections,
 * of those the oldest (SEC-9). Undefined if all of them are kept.
 */
export function whoLeaves<Connection extends ConnectionFacts>(
  connections: Iterable<Connection>,
): Connection | undefined {
  const all = [...connections].filter(({ phase }) => phase !== "kept");
  const of = new Map<unknown, number>();
  for (const { client } of all) of.set(client, (of.get(client) ?? 0) + 1);
  const isBefore = (a: Connection, b: Connection) =>
    (ORDER[a.phase] - ORDER[b.phase] || of.get(b.client)! - of.get(a.client)! || a.sinceMs - b.sinceMs) < 0;
  let leaving: Connection | undefined;
  for (const each of all) if (leaving === undefined || isBefore(each, leaving)) leaving = each;
  return leaving;
}
