import { createHmac, randomUUID } from "node:crypto";
import type { Child } from "./child.ts";
import { largePayload } from "./payload.ts";
import { WEBHOOK_PATH } from "./rates.ts";

const MEGABYTE = 1024 * 1024;

export interface LargeResult {
  /** Statuses of six deliveries of 24.9 MB, three at a time, and of one of 26 MB. */
  readonly accepted: readonly number[];
  readonly tooLarge: number;
  /** Largest resident size meanwhile, over the one before. */
  readonly growthMegabytes: number;
}

/** Sends large deliveries to a fresh server. */
export async function deliverLarge(server: Child, secret: string): Promise<LargeResult> {
  const before = await server.ask<{ rssBytes: number }>("memory");
  const body = largePayload(Math.floor(24.9 * MEGABYTE));
  const accepted: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    accepted.push(...(await Promise.all([1, 2, 3].map(() => deliver(server.port, body, secret)))));
  }
  const tooLarge = await deliver(server.port, largePayload(26 * MEGABYTE), secret);
  const after = await server.ask<{ peakBytes: number }>("memory");
  return { accepted, tooLarge, growthMegabytes: (after.peakBytes - before.rssBytes) / MEGABYTE };
}

async function deliver(port: number, body: Buffer, secret: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${WEBHOOK_PATH}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": "push",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
  });
  await response.arrayBuffer();
  return response.status;
}
