import type { IncomingMessage, ServerResponse } from "node:http";
import { errorFacts } from "../../domain/errors.ts";
import { isGenuine } from "../../monitoring/doors/verify.ts";
import type { Sources } from "../../monitoring/open-sources.ts";
import type { DoorSettings } from "../../monitoring/settings.ts";
import { ACCEPTED, DUPLICATE, FEEDBACK_REFUSALS, type FeedbackRefusal, type HttpAnswer } from "./answers.ts";
import type { BodyRoom } from "./body-room.ts";
import type { AcceptDelivery } from "./delivery.ts";
import { createGathering, hashOf } from "./gather-messages.ts";
import type { Route } from "./http-server.ts";
import { createJsonCheck } from "./json-object.ts";
import { createRefusalLog, type IntakeLog } from "./refusal-log.ts";

const PATH = "/api/feedback/";
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Sentry gives up after a second. What is stored later comes again, and is known. */
const PATIENCE_MS = 900;

interface Door {
  readonly settings: DoorSettings;
  readonly secret: string;
  readonly mayPass: () => boolean;
  readonly gather: ReturnType<typeof createGathering>;
}

export interface FeedbackDoors {
  readonly sources: Sources;
  readonly accept: AcceptDelivery;
  readonly log: IntakeLog;
  readonly now: () => Date;
}

/**
 * The doors for what production says, at `/api/feedback/<name>` (PROD-2). Each message is verified by its very bytes before anything is
 * made of it, and answered within a second, after it is stored. A path that names no door is not served.
 */
export function feedbackRoute({ sources, accept, log, now }: FeedbackDoors): Route {
  const refusals = createRefusalLog(log, () => now().getTime());
  const isJsonObject = createJsonCheck();
  const doors = new Map<string, Door>(
    Object.entries(sources.doors).map(([name, settings]) => {
      const gather = createGathering({ name, event: `feedback.${name}` }, accept, now);
      return [
        name,
        { settings, secret: sources.secretAt(settings.secret), mayPass: limit(settings.per_minute, now), gather },
      ];
    }),
  );

  function refuse(reason: FeedbackRefusal, fields?: Readonly<Record<string, unknown>>): HttpAnswer {
    refusals.note(reason, fields);
    return FEEDBACK_REFUSALS[reason];
  }
  async function take(name: string, door: Door, request: IncomingMessage, response: ServerResponse, bodies: BodyRoom) {
    if (request.method !== "POST") return refuse("feedback_method");
    const announced = announcedBytes(request);
    if (announced !== undefined && announced > BODY_LIMIT_BYTES) return refuse("feedback_too_large");
    const held = await bodies.read(request, response, BODY_LIMIT_BYTES, announced);
    if (held === "aborted") return undefined;
    if (held === "too_large") return refuse("feedback_too_large");
    try {
      const body = held.bytes;
      const header = (wanted: string) => {
        const value = request.headers[wanted];
        return typeof value === "string" ? value : undefined;
      };
      if (!isGenuine(door.settings, door.secret, header, body, now())) return refuse("feedback_not_genuine");
      if (!door.mayPass()) return refuse("feedback_too_many");
      if (!(await isJsonObject(body))) return refuse("feedback_not_json");
      return await inTime(door.gather({ id: hashOf(name, body), body }));
    } finally {
      held.release();
    }
  }
  async function inTime(stored: Promise<"accepted" | "duplicate">): Promise<HttpAnswer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
    });
    try {
      const taken = await Promise.race([stored, late]);
      if (taken === undefined) return refuse("feedback_not_stored");
      return taken === "accepted" ? ACCEPTED : DUPLICATE;
    } catch (thrown) {
      return refuse("feedback_not_stored", { error: errorFacts(thrown) });
    } finally {
      clearTimeout(timer);
      stored.catch(() => {});
    }
  }

  return async (request, response, bodies) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const name = path.startsWith(PATH) ? path.slice(PATH.length) : "";
    const door = doors.get(name);
    if (door === undefined) return false;
    const answer = await take(name, door, request, response, bodies);
    if (answer === undefined || response.headersSent) return true;
    response.writeHead(answer.status, request.complete ? answer.headers : { ...answer.headers, connection: "close" });
    response.end(answer.body);
    return true;
  };
}

function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers["content-length"];
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** So many pass in a minute. Only genuine ones are counted: whoever forges must not be able to shut the door for others. */
function limit(perMinute: number, now: () => Date): () => boolean {
  let [minute, passed] = [0, 0];
  return () => {
    const current = Math.floor(now().getTime() / 60_000);
    if (current !== minute) [minute, passed] = [current, 0];
    passed += 1;
    return passed <= perMinute;
  };
}
