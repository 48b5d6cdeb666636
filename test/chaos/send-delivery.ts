import { createHmac } from "node:crypto";
import type { Simulator } from "../../simulator/start-simulator.ts";
import type { ChaosWorld } from "./chaos-world.ts";

type Delivery = Simulator["deliveries"][number];

/** Delivers what GitHub kept back, signed as GitHub does; resolves with the status of the answer. */
export async function sendDelivery(
  { port, webhookSecret }: ChaosWorld,
  { guid, event, payload }: Delivery,
): Promise<number> {
  const body = JSON.stringify(payload);
  const signature = createHmac("sha256", webhookSecret).update(body).digest("hex");
  const response = await fetch(`http://127.0.0.1:${port}/api/github/webhooks`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-github-delivery": guid,
      "x-github-event": event,
      "x-hub-signature-256": `sha256=${signature}`,
    },
  });
  return response.status;
}
