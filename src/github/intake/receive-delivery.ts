import type { IncomingMessage, ServerResponse } from "node:http";
import { defined } from "../../domain/defined.ts";
import { errorFacts } from "../../domain/errors.ts";
import { ACCEPTED, DUPLICATE, type HttpAnswer, REFUSALS, type RefusalReason } from "./answers.ts";
import type { BodyRoom } from "./body-room.ts";
import { type AcceptDelivery, type DeliveryHeaders, readDeliveryHeaders } from "./delivery.ts";
import type { IsJsonObject } from "./json-object.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { VerifySignature } from "./verify-signature.ts";

/** What receiving needs; made once for the life of the server. */
export interface Reception {
  readonly verify: VerifySignature;
  readonly isJsonObject: IsJsonObject;
  readonly accept: AcceptDelivery;
  readonly bodies: BodyRoom;
  readonly refusals: RefusalLog;
  readonly bodyLimitBytes: number;
  readonly now: () => Date;
}

/**
 * Takes one delivery, cheapest check first: method, headers, announced size, real size, signature over the raw bytes, whether it is
 * JSON. Only then is it handed to `accept`, and only after that answered (SEC-7). Undefined when the sender went away or was sent away.
 */
export async function receiveDelivery(
  reception: Reception,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpAnswer | undefined> {
  if (request.method !== "POST") return refuse(reception, "method_not_allowed");
  const headers = readDeliveryHeaders(request.headers, reception.bodyLimitBytes);
  if (typeof headers === "string") return refuse(reception, headers);
  const body = await reception.bodies.read(request, response, reception.bodyLimitBytes, headers.announcedBytes);
  if (body === "aborted") return undefined;
  if (body === "too_large") return refuse(reception, "body_too_large");
  try {
    if (!(await reception.verify(body.bytes, headers.signature))) return refuse(reception, "signature_wrong");
    if (!(await reception.isJsonObject(body.bytes))) return refuse(reception, "body_not_json");
    return await store(reception, headers, body.bytes);
  } finally {
    body.release();
  }
}

async function store(reception: Reception, headers: DeliveryHeaders, body: Buffer): Promise<HttpAnswer> {
  const { guid, event, hookTargetId } = headers;
  const receivedAt = reception.now().toISOString();
  try {
    const taken = await reception.accept({
      guid,
      event,
      ...defined({ hookTargetId }),
      receivedAt,
      body,
    });
    return taken === "accepted" ? ACCEPTED : DUPLICATE;
  } catch (thrown) {
    // Whatever the reason, the delivery is not safe with us: GitHub's list of deliveries has to show a failure.
    return refuse(reception, "storage_failed", { error: errorFacts(thrown) });
  }
}

function refuse(reception: Reception, reason: RefusalReason, fields?: Readonly<Record<string, unknown>>): HttpAnswer {
  reception.refusals.note(reason, fields);
  return REFUSALS[reason];
}
