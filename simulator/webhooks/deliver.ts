// One webhook on its way to one app.
import { createHmac, randomUUID } from "node:crypto";
import type { Delivery } from "../log-records.ts";
import type { App } from "../records.ts";
import { nextId, now, type World } from "../world.ts";
import { enqueue, holdBack, sendLater } from "./queue.ts";

export interface Outgoing {
  readonly app: App;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  /** Set when an earlier delivery is sent again: it keeps its GUID.
   * https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
  readonly guid?: string;
}

export function deliver(world: World, outgoing: Outgoing): void {
  const { app, event, payload } = outgoing;
  if (!app.webhookUrl) return;
  world.referee?.checkWebhook(event, payload);
  const action = typeof payload.action === "string" ? payload.action : null;
  const delivery = record(world, outgoing, action);
  const body = JSON.stringify(payload);
  const send = () => post(world, delivery, body);
  const fault = outgoing.guid === undefined ? world.faults.takeWebhookFault(event, action) : null;
  if (fault?.kind === "drop") {
    delivery.status = "timed out";
  } else if (fault?.kind === "delay") sendLater(world.queue, fault.ms, send);
  else if (fault?.kind === "reorder") holdBack(world.queue, send);
  else if (fault?.kind === "duplicate") {
    const twin = record(world, { ...outgoing, guid: delivery.guid }, action);
    enqueue(world.queue, async () => void (await Promise.all([send(), post(world, twin, body)])));
  } else enqueue(world.queue, send);
}

function record(world: World, outgoing: Outgoing, action: string | null): Delivery {
  const { app, event, payload, installationId, repositoryId, guid } = outgoing;
  const delivery: Delivery = {
    id: nextId(world),
    guid: guid ?? randomUUID(),
    app,
    event,
    action,
    installationId,
    repositoryId,
    payload,
    redelivery: guid !== undefined,
    deliveredAt: now(),
    status: "pending",
    statusCode: 0,
    duration: 0,
    response: "",
  };
  world.deliveries.push(delivery);
  return delivery;
}

/** Never throws: what went wrong stands in the delivery log, as on GitHub. */
async function post(world: World, delivery: Delivery, body: string): Promise<void> {
  const { app } = delivery;
  const started = performance.now();
  try {
    const response = await fetch(app.webhookUrl, {
      method: "POST",
      body,
      headers: headersOf(delivery, body),
      signal: AbortSignal.any([AbortSignal.timeout(world.webhookTimeoutMs), world.stopping.signal]),
    });
    delivery.response = await response.text();
    delivery.statusCode = response.status;
    delivery.status = response.ok ? "OK" : `Invalid HTTP Response: ${response.status}`;
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    delivery.status = timedOut ? "timed out" : "failed to connect to host";
  }
  delivery.duration = Math.round(performance.now() - started) / 1000;
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers */
function headersOf({ app, guid, event }: Delivery, body: string): Record<string, string> {
  const signature = (algorithm: string) => createHmac(algorithm, app.webhookSecret).update(body).digest("hex");
  return {
    accept: "*/*",
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/simulator",
    "x-github-delivery": guid,
    "x-github-event": event,
    "x-github-hook-id": "1",
    "x-github-hook-installation-target-id": String(app.appId),
    "x-github-hook-installation-target-type": "integration",
    "x-hub-signature": `sha1=${signature("sha1")}`,
    "x-hub-signature-256": `sha256=${signature("sha256")}`,
  };
}

/** Sends a delivery again under its GUID, as a new entry of the log. */
export function redeliver(world: World, { app, event, payload, installationId, repositoryId, guid }: Delivery): void {
  deliver(world, { app, event, payload, installationId, repositoryId, guid });
}
