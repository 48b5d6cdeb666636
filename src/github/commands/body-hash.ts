import { createHash } from "node:crypto";

/** By this a comment is known to be the very one that the webhook brought; its text itself is not kept. */
export function bodyHash(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}
