import type { IncomingHttpHeaders } from "node:http";
import type { RefusalReason } from "./answers.ts";
import { parseSignature } from "./verify-signature.ts";

const GUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const EVENT_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;
const TARGET_ID = /^[0-9]{1,20}$/;

/** What the headers of an acceptable delivery say. */
export interface DeliveryHeaders {
  readonly guid: string;
  readonly event: string;
  readonly hookTargetId: string | undefined;
  readonly signature: string;
  /** Bytes of the body as announced; undefined when it comes in chunks. */
  readonly announcedBytes: number | undefined;
}

/** Reads the headers of a delivery, or says why it is refused; the body is not needed for that. */
export function readDeliveryHeaders(
  headers: IncomingHttpHeaders,
  bodyLimitBytes: number,
): DeliveryHeaders | RefusalReason {
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) return "content_type_unsupported";
  const guid = single(headers["x-github-delivery"]);
  if (guid === undefined || !GUID.test(guid)) return "delivery_id_invalid";
  const event = single(headers["x-github-event"]);
  if (event === undefined || !EVENT_NAME.test(event)) return "event_name_invalid";
  const header = single(headers["x-hub-signature-256"]);
  if (header === undefined) return "signature_missing";
  const signature = parseSignature(header);
  if (signature === undefined) return "signature_malformed";
  const announcedBytes = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  if (announcedBytes !== undefined && announcedBytes > bodyLimitBytes) return "body_too_large";
  const target = single(headers["x-github-hook-installation-target-id"]);
  const hookTargetId = target !== undefined && TARGET_ID.test(target) ? target : undefined;
  // Letter case must not make two deliveries of one.
  return { guid: guid.toLowerCase(), event, hookTargetId, signature, announcedBytes };
}

/** Only in its types does Node give arrays here: it joins repeated headers with commas, which none of the patterns takes. */
function single(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** One webhook delivery whose signature was right, as it came in. */
export interface Delivery {
  /** `X-GitHub-Delivery` in lower case: the same for every redelivery of the same happening. */
  readonly guid: string;
  /** `X-GitHub-Event`, for instance `pull_request`. */
  readonly event: string;
  /** `X-GitHub-Hook-Installation-Target-ID`: for the webhook of an App, the App's id. */
  readonly hookTargetId?: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** The raw bytes that were signed. They are a JSON object, of which nothing was kept yet. Their memory is used again after the answer. */
  readonly body: Buffer;
}

/**
 * Takes a delivery for good: must resolve only when it would survive a crash, with `duplicate` when its GUID was taken before, and must
 * reject when it cannot be kept. GitHub is answered by what this says.
 */
export type AcceptDelivery = (delivery: Delivery) => Promise<"accepted" | "duplicate">;
