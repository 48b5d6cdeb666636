import { createHash } from "node:crypto";

/** Names an agent by what it was given: whoever takes a run up finds it again only where it would be given the same. */
export function contentKey(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
