import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { DoorSettings } from "../settings.ts";

/** How far a signed time may lie from ours. */
const REPLAY_MS = 5 * 60_000;

/** A header, where it came once. */
export type Header = (name: string) => string | undefined;

/**
 * Whether a message is of whom the door is for, by its very bytes. What is compared takes the same time wherever it differs. Sentry signs no
 * time and Alertmanager nothing at all: what they tell again is known by what it says.
 * @param secret what the sender signs with, or its bearer token
 */
export function isGenuine(door: DoorSettings, secret: string, header: Header, body: Uint8Array, now: Date): boolean {
  switch (door.kind) {
    case "alertmanager":
      return isEqual(header("authorization") ?? "", `Bearer ${secret}`);
    case "sentry":
      return isSigned(secret, header("sentry-hook-signature"), [body]);
    case "grafana": {
      const signature = header(door.signature_header.toLowerCase());
      if (door.timestamp_header === undefined) return isSigned(secret, signature, [body]);
      const time = header(door.timestamp_header.toLowerCase()) ?? "";
      return isRecent(time, now) && isSigned(secret, signature, [`${time}:`, body]);
    }
    case "plain": {
      const time = header("x-forge-timestamp") ?? "";
      const signature = header("x-forge-signature-256");
      if (!signature?.startsWith("sha256=")) return false;
      return isRecent(time, now) && isSigned(secret, signature.slice("sha256=".length), [`${time}.`, body]);
    }
  }
}

/** Seconds since 1970. */
function isRecent(time: string, now: Date): boolean {
  return /^\d{10}$/.test(time) && Math.abs(now.getTime() - Number(time) * 1000) <= REPLAY_MS;
}

function isSigned(secret: string, signature: string | undefined, parts: readonly (string | Uint8Array)[]): boolean {
  if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) return false;
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  return timingSafeEqual(hmac.digest(), Buffer.from(signature, "hex"));
}

/** Compared as digests, so that the time taken tells nothing, not even the length. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
