import OpenAI from "openai";
import { ForgeError } from "../domain/errors.ts";
import type { Endpoint } from "./model-settings.ts";

const PATIENCE_MS = 20_000;

/** Asks for the vectors of texts; in their order. */
export type RequestEmbeddings = (
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly (readonly number[])[]>;

/** Embeddings of any endpoint with OpenAI's interface (LLM-1, MEM-5): one request a call, nothing is tried again. */
export function createEmbeddingRequest(endpoint: Endpoint, model: string, dimensions: number): RequestEmbeddings {
  const client = new OpenAI({
    apiKey: endpoint.apiKey ?? "none",
    baseURL: endpoint.baseUrl ?? null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: PATIENCE_MS,
    logLevel: "off",
  });
  return async (texts, signal) => {
    try {
      const body = { model, input: [...texts], dimensions, encoding_format: "float" as const };
      const { data } = await client.embeddings.create(body, signal ? { signal } : {});
      return [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
    } catch (cause) {
      const options = { source: "llm", severity: "low", recoverability: "auto", cause } as const;
      throw new ForgeError("embedding_failed", `The embeddings of ${model} could not be fetched.`, options);
    }
  };
}
