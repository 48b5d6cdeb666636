/**
 * Turns texts into vectors (MEM-5). `method` names the way and its version: vectors of different methods are never compared. `dimensions`
 * is the length of each vector. Vectors have length 1. May reject; recall then goes by words alone.
 */
export interface Embedder {
  readonly method: string;
  readonly dimensions: number;
  /** A cosine below which two texts have nothing to do with each other. */
  readonly noise: number;
  readonly embed: (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>;
}

/** Tokens that a text takes in a prompt, about. */
export type EstimateTokens = (text: string) => number;
