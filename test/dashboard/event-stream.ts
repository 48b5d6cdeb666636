import { get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Person } from "./person.ts";

/** A stream of Server-Sent Events, as a browser reads one. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next event of a type that was not taken yet. */
  next(type: string): Promise<{ readonly id: string; readonly data: string }>;
  /** How many of a type came and were not taken. */
  left(type: string): number;
  /** Resolves when the server ends it. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens one. `reads` is false for a reader who never reads. */
export async function openStream(
  person: Person,
  address: string,
  {
    headers = {},
    reads = true,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly reads?: boolean } = {},
): Promise<EventStream> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers: { cookie, ...headers }, agent: false }, resolve).on("error", reject);
  });
  const events: { type: string; id: string; data: string }[] = [];
  const waiting = new Set<() => void>();
  let text = "";
  if (reads) {
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1] ?? "";
        // It comes with time, on a busy machine at any moment of a test, and tells nothing.
        if (block === ": here") continue;
        events.push({ type: field("event"), id: field("id"), data: field("data") });
      }
      for (const go of waiting) go();
    });
  }
  response.on("error", () => {});
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next: async (type) => {
      for (;;) {
        const index = events.findIndex((event) => event.type === type);
        const [found] = index === -1 ? [] : events.splice(index, 1);
        if (found) return found;
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    left: (type) => events.filter((event) => event.type === type).length,
    ended: new Promise((resolve) => response.once("close", () => resolve())),
    close: () => response.destroy(),
  };
}
