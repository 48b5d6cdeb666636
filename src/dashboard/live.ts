import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { ForgeError } from "../domain/errors.ts";
import type { LogChange, LogPlace } from "../store/events/tail.ts";
import type { LiveLog } from "./live-log.ts";
import type { LogPlaces } from "./log-places.ts";
import type { Visitor } from "./visitor.ts";

/** Pages that may listen at a time, of everybody together. */
export const MOST_READERS = 200;
/** How many of these can belong to one person. */
export const MOST_OF_PERSON = 20;
/** A comment is sent so often, whatever happens, so that proxies keep the connection. The session is checked as often. */
const SILENCE_MS = 15_000;
/** When a page is more events behind than this, Forge does not read them: the page reloads. */
const FAR_BEHIND = 5_000;
/** A stream ends after so long, and the page opens another: one that nobody reads any more is gone by then. */
const LIFE_MS = 15 * 60_000;
/** Runs that are named in one message; of more it says that there are many. */
const NAMED = 50;
/** A page that says where it was, in a way that cannot be read: the secret is another one now. It is loaded again. */
const FORGOTTEN = -1;

export interface LiveAsked {
  readonly log: LiveLog;
  readonly places: LogPlaces;
  /** As GitHub numbers people. */
  readonly person: number;
  /** The person who listens, looked up each time; undefined once they are signed out. */
  readonly visitor: () => Promise<Visitor | undefined>;
  readonly onError: (error: unknown) => void;
}

/**
 * Tells a page which runs changed, by Server-Sent Events (OPS-2). Each has the place in the log up to which it tells: a browser that comes back
 * says the last one, and hears what it missed. A reader that is slow is not written to: what happens meanwhile becomes one message.
 */
export function live(call: Context, asked: LiveAsked): Response {
  call.header("x-accel-buffering", "no");
  const said = call.req.header("last-event-id") || call.req.query("after");
  const begin = said ? (asked.places.open(said) ?? FORGOTTEN) : undefined;
  const response = streamSSE(call, async (stream) => {
    const leave = asked.log.join(asked.person);
    const life = setTimeout(() => stream.abort(), LIFE_MS);
    const signs = setInterval(() => void stream.write(": here\n\n"), SILENCE_MS);
    stream.onAbort(leave);
    try {
      await tell(stream, asked, begin);
    } catch (error) {
      const isSignedOut = error instanceof ForgeError && error.code === "sign_in_ended";
      if (isSignedOut) await stream.writeSSE({ event: "ended", data: "" });
      // The page opens another stream in two seconds.
      else asked.onError(error);
    } finally {
      clearTimeout(life);
      clearInterval(signs);
      leave();
    }
  });
  // The helper says `no-cache`, with which a proxy may still keep it.
  response.headers.set("cache-control", "no-store");
  return response;
}

async function tell(
  stream: SSEStreamingApi,
  { log, visitor, places }: LiveAsked,
  begin: LogPlace | undefined,
): Promise<void> {
  const last = await log.last();
  const isForgotten = begin === FORGOTTEN;
  let place = begin === undefined || isForgotten ? last : begin;
  await stream.writeSSE({ event: "place", data: "", id: places.close(place), retry: 2_000 });
  if (isForgotten || last - place > FAR_BEHIND) {
    place = last;
    await stream.writeSSE({
      event: "changed",
      id: places.close(place),
      data: JSON.stringify({ runs: [], many: true }),
    });
  }
  while (!stream.aborted && !stream.closed && !log.isStopped()) {
    const person = await visitor();
    if (!person) return stream.writeSSE({ event: "ended", data: "" });
    const found = await log.after(place);
    const seen = person.isOperator ? undefined : await person.repositories();
    const changes = found.changes.filter(({ repositoryId }) => seen === undefined || seen.has(repositoryId));
    const moved = found.place !== place;
    place = found.place;
    if (changes.length > 0) {
      await stream.writeSSE({ event: "changed", id: places.close(place), data: JSON.stringify(summaryOf(changes)) });
    }
    if (moved) continue;
    // Nothing is written because of what the person may not see: not even that something happened.
    await log.next(place, SILENCE_MS);
  }
}

function summaryOf(changes: readonly LogChange[]): { readonly runs: readonly string[]; readonly many: boolean } {
  const runs = [...new Set(changes.map(({ traceId }) => traceId))];
  return { runs: runs.slice(0, NAMED), many: runs.length > NAMED };
}
