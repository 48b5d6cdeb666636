import { isUtf8 } from "node:buffer";
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { Webhooks } from "@octokit/webhooks";
import { ForgeError } from "../../domain/errors.ts";

/** Probot's fallback, which a forger tries first. */
const PUBLIC_SECRET = "development";

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/** An `X-Hub-Signature-256` header; undefined unless it is exactly as GitHub writes it (sha256, 64 lower-case digits). */
export function parseSignature(header: string | undefined): string | undefined {
  return header !== undefined && SIGNATURE.test(header) ? header : undefined;
}

/** Whether `signature`, as `parseSignature` gives it, is the HMAC of exactly these bytes with one of the secrets. */
export type VerifySignature = (body: Buffer, signature: string) => Promise<boolean>;

/**
 * Made once for one secret, or for two while the old one is being replaced. Comparing takes the same time wherever digests differ.
 * @throws ForgeError `webhook_secret_missing` when there is none, or one that is empty or everybody's
 */
export function createSignatureVerifier(secrets: readonly string[]): VerifySignature {
  if (secrets.length === 0 || secrets.some((secret) => secret.trim() === "" || secret === PUBLIC_SECRET)) {
    throw new ForgeError(
      "webhook_secret_missing",
      `WEBHOOK_SECRET is missing, empty or "${PUBLIC_SECRET}", so anybody could forge deliveries: set it to the secret in the App's webhook settings.`,
      { source: "validation", severity: "critical", recoverability: "manual" },
    );
  }
  const known = secrets.map((secret) => new Webhooks({ secret }));
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(secret, "utf8")));
  return async (body, signature) => {
    if (!isShortText(body)) return keys.some((key) => isSigned(key, body, signature));
    const text = body.toString("utf8");
    for (const webhooks of known) if (await webhooks.verify(text, signature)) return true;
    return false;
  };
}

/** Above this the text of a body and the copy that is hashed of it would cost more memory than the body itself is allowed. */
const TEXT_BYTES = 1024 * 1024;

/**
 * What `verify` of @octokit/webhooks can be given: a text that is exactly these bytes again. It takes no bytes, and refuses an empty one.
 * A body that is no UTF-8 has no such text, and would be another one once it was decoded.
 */
function isShortText(body: Buffer): boolean {
  return body.length > 0 && body.length <= TEXT_BYTES && isUtf8(body);
}

function isSigned(key: KeyObject, body: Buffer, signature: string): boolean {
  const expected = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
}
