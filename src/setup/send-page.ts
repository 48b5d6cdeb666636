import type { IncomingMessage, ServerResponse } from "node:http";
import { defined } from "../domain/defined.ts";

/** Bytes of a form: some fields of 500 characters. */
const LARGEST_FORM = 16_384;

/** `formTarget`: the one other origin that a form may be sent to. */
export function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  formTarget?: string,
): void {
  const forms = ["'self'", ...Object.values(defined({ formTarget }))].join(" ");
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'self'; img-src data:; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    ...headers,
  });
  response.end(body);
}

/** A form that was sent; undefined for another kind of content, and for one that is too large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (request.headers["content-type"]?.split(";")[0]?.trim() !== "application/x-www-form-urlencoded") return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_FORM) return undefined;
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString("utf8"));
}
