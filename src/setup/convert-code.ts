import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { errorFacts, ForgeError } from "../domain/errors.ts";
import { trimEndOf } from "../domain/trim-characters.ts";
import { lackingFor } from "../github/permissions.ts";
import type { Offer } from "./offers.ts";
import { urlsOf } from "./place.ts";

/** What GitHub tells of a new App, once. */
export interface RegisteredApp {
  readonly id: number;
  readonly slug: string;
  /** Its page on GitHub. */
  readonly page: string;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const text = z.string().min(1).max(20_000);
const Answer = z.object({
  id: z.number().int().positive(),
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  html_url: z.url({ protocol: /^https?$/ }),
  pem: text.refine(isPrivateKey, { error: "is no private key" }),
  webhook_secret: text,
  client_id: text,
  client_secret: text,
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
});

const ANSWER_MS = 20_000;
const LARGEST_ANSWER = 1_000_000;

/** Whether the same code may still be good. */
export function canTryAgain(error: unknown): boolean {
  return errorFacts(error).recoverability === "auto";
}

/**
 * Changes the code that GitHub sent somebody back with for the App's secrets.
 * @throws ForgeError `set_up_unanswered` where trying again may help, else `set_up_refused` or `set_up_answer_wrong`.
 */
export async function convertCode(code: string, { place, use }: Offer, timeoutMs = ANSWER_MS): Promise<RegisteredApp> {
  const { apiUrl, origin } = urlsOf(place);
  const address = `${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`;
  const { status, body } = await post(address, timeoutMs);
  if (status === 404 || status === 422)
    throw failure(
      "set_up_refused",
      `GitHub does not take this code (status ${status}): it is good once and for an hour. Begin again, and delete the App that was made in vain in GitHub's settings.`,
    );
  if (status !== 201)
    throw failure("set_up_unanswered", `GitHub answered with status ${status}. Try again in a minute.`, "auto");
  const parsed = Answer.safeParse(parseJson(body));
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
    throw failure(
      "set_up_answer_wrong",
      `${new URL(apiUrl).host} answered with something that is not a new App (${wrong}). If a proxy stands between, let it pass; then delete the App in GitHub's settings and begin again.`,
    );
  }
  const app = parsed.data;
  const isThere = new URL(app.html_url).origin === origin;
  const lacking = lackingFor(use, app.permissions, app.events);
  if (!isThere || lacking.length > 0) {
    const why = isThere ? `lacks ${lacking.join(", ")}` : `is at ${new URL(app.html_url).origin}, not at ${origin}`;
    throw failure("set_up_answer_wrong", `That is another App than was asked for: ${app.slug} ${why}. Begin again.`);
  }
  return {
    ...{ id: app.id, slug: app.slug, page: trimEndOf(app.html_url, "/") },
    ...{ privateKey: app.pem, webhookSecret: app.webhook_secret },
    ...{ clientId: app.client_id, clientSecret: app.client_secret },
  };
}

async function post(address: string, timeoutMs: number): Promise<{ readonly status: number; readonly body: string }> {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { accept: "application/vnd.github+json", "user-agent": "forge" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: await readUpTo(response, LARGEST_ANSWER) };
  } catch (cause) {
    const timedOut = cause instanceof Error && cause.name === "TimeoutError";
    const what = timedOut ? `did not answer within ${Math.round(timeoutMs / 1000)} s` : "could not be reached";
    throw failure("set_up_unanswered", `${new URL(address).host} ${what}. Try again.`, "auto", cause);
  }
}

async function readUpTo(response: Response, limit: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > limit) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

function failure(code: string, message: string, recoverability: "auto" | "manual" = "manual", cause?: unknown) {
  return new ForgeError(code, message, { source: "network", recoverability, ...defined({ cause }) });
}
