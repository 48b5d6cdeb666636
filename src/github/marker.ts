import { createHash, createHmac } from "node:crypto";

/** Known to this installation of Forge alone. */
export type MarkerSecret = string | Buffer;

/** What a write to GitHub is about: the kind of thing and the key that makes it the same thing every time. */
export interface Marked {
  /** Letters, digits and dots. */
  readonly kind: string;
  readonly key: string;
}

/**
 * The hidden line by which Forge finds its own writes again (GH-13): `<!-- forge:<kind>:<short hash of key>:<hmac> -->`. Only who knows
 * the secret can make one, so text that people or models write cannot pass for Forge's.
 */
export function markerFor(marked: Marked, secret: MarkerSecret): string {
  return `<!-- ${externalIdFor(marked, secret)} -->`;
}

/** The same for where GitHub has a field of its own: a check-run's `external_id`. */
export function externalIdFor({ kind, key }: Marked, secret: MarkerSecret): string {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 12);
  const signature = createHmac("sha256", secret).update(`${kind}\n${key}`).digest("hex").slice(0, 32);
  return `forge:${kind}:${hash}:${signature}`;
}

/**
 * Whether the text carries exactly this marker. It says who wrote the marker, not who wrote the text around it: a person can copy one, so
 * ask who the author is as well.
 */
export function findMarker(body: string, marked: Marked, secret: MarkerSecret): boolean {
  return body.includes(markerFor(marked, secret));
}
