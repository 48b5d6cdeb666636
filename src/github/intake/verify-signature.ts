import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { ForgeError } from "../../domain/errors.ts";

/** Probot's fallback, which whoever forges deliveries tries first. */
const PUBLIC_SECRET = "development";

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** The digest in an `X-Hub-Signature-256` header; undefined unless it is exactly as GitHub writes it (sha256, 64 lower-case digits). */
export function parseSignature(header: string | undefined): Buffer | undefined {
  const digits = header === undefined ? undefined : SIGNATURE.exec(header)?.[1];
  return digits === undefined ? undefined : Buffer.from(digits, "hex");
}

/** Whether `digest` is the HMAC of exactly these bytes with one of the secrets. */
export type VerifySignature = (body: Buffer, digest: Buffer) => boolean;

/**
 * Made once for one secret, or for two while the old one is being replaced. Comparing takes the same time wherever digests differ.
 * Throws `webhook_secret_missing` when there is none, or one that is empty or everybody's.
 */
export function createSignatureVerifier(secrets: readonly string[]): VerifySignature {
  if (secrets.length === 0 || secrets.some((secret) => secret.trim() === "" || secret === PUBLIC_SECRET)) {
    throw new ForgeError(
      "webhook_secret_missing",
      `WEBHOOK_SECRET is missing, empty or "${PUBLIC_SECRET}", so anybody could forge deliveries: set it to the secret in the App's webhook settings.`,
      { source: "validation", severity: "critical", recoverability: "manual" },
    );
  }
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(secret, "utf8")));
  return (body, digest) => keys.some((key) => timingSafeEqual(createHmac("sha256", key).update(body).digest(), digest));
}
