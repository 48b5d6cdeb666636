import { ForgeError } from "../domain/errors.ts";
import type { Embedder } from "./ports.ts";

/** Most texts that one request carries: what common endpoints take. */
const TEXTS_PER_REQUEST = 64;
/** What unrelated texts of common models reach. */
const NOISE = 0.25;

export interface EmbeddingEndpoint {
  /** Names provider, model and length: a change of it means that all memories are embedded anew. */
  readonly model: string;
  readonly dimensions: number;
  /** One request; the vectors in the order of the texts. Rejects when there is none. */
  readonly request: (texts: readonly string[], signal?: AbortSignal) => Promise<readonly (readonly number[])[]>;
}

/** An embedder over any endpoint (MEM-5). What it answers is checked, so that a changed model cannot spoil what is stored. */
export function endpointEmbedder({ model, dimensions, request }: EmbeddingEndpoint): Embedder {
  return {
    method: `${model}:${dimensions}`,
    dimensions,
    noise: NOISE,
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += TEXTS_PER_REQUEST) {
        const asked = texts.slice(start, start + TEXTS_PER_REQUEST);
        const answered = await request(asked, signal);
        if (answered.length !== asked.length || answered.some((vector) => !fits(vector, dimensions)))
          throw misfit(model);
        vectors.push(...answered.map((vector) => normalised(Float32Array.from(vector))));
      }
      return vectors;
    },
  };
}

function fits(vector: readonly number[], dimensions: number): boolean {
  return vector.length === dimensions && vector.every(Number.isFinite);
}

function misfit(model: string): ForgeError {
  return new ForgeError(
    "embedding_invalid",
    `The embedding endpoint answered with other vectors than were asked of ${model}: check its name and its number of dimensions.`,
    { source: "llm", severity: "low", recoverability: "manual" },
  );
}

/** Makes the vector's length 1, in place; a zero vector stays one. */
export function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at += 1) vector[at] = vector[at]! * factor;
  return vector;
}
