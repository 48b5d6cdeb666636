import { createHmac } from "node:crypto";
import type { Stage } from "../stage.ts";
import { until } from "../until.ts";

const LIMIT_MS = 60_000;

/**
 * Sends a message to Forge's door as what collects errors does: signed, and again while nobody answers. Resolves with the status that the door
 * answers.
 */
export function sendError(
  { forge, signal }: Stage,
  secret: string,
  message: Readonly<Record<string, unknown>>,
): Promise<number> {
  const body = JSON.stringify(message);
  const send = async () => {
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
    const headers = { "x-forge-timestamp": time, "x-forge-signature-256": `sha256=${signature}` };
    try {
      const { status } = await fetch(`${forge.address}/api/feedback/errors`, { method: "POST", headers, body, signal });
      return status === 503 ? undefined : status;
    } catch {
      // Forge is not there at the moment.
      return undefined;
    }
  };
  return until("Forge's door answers", send, { signal, limitMs: LIMIT_MS, unless: forge.died });
}
