import OpenAI from "openai";
import type { Endpoint } from "./model-settings.ts";

const PATIENCE_MS = 5_000;

/** The first model that an OpenAI-compatible server says it serves; nothing when it does not say. */
export async function firstServedModel({ apiKey, baseUrl }: Endpoint): Promise<string | undefined> {
  const client = new OpenAI({
    apiKey: apiKey ?? "none",
    baseURL: baseUrl ?? null,
    maxRetries: 0,
    timeout: PATIENCE_MS,
    logLevel: "off",
  });
  try {
    const { data } = await client.models.list();
    return data.map(({ id }) => id).find((id) => typeof id === "string" && id !== "");
  } catch {
    // Not every server has a list; the caller says what to do then.
    return undefined;
  }
}
