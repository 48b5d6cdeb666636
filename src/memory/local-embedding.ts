import { normalised } from "./normalise.ts";
import type { Embedder } from "./ports.ts";
import { wordsOf } from "./words-of.ts";

const DIMENSIONS = 256;
const SHORTEST = 3;
const LONGEST = 4;
/** Texts about different things reach this by chance. */
const NOISE = 0.2;

/**
 * The built-in embedding, without model or network (MEM-5): words and the pieces of 3 and 4 characters in them, hashed into a vector with
 * signs. Words that share a stem or were joined or misspelt still share most of their pieces.
 */
export function localEmbedder(): Embedder {
  return {
    method: `local-1:${DIMENSIONS}`,
    dimensions: DIMENSIONS,
    noise: NOISE,
    embed: (texts) => Promise.resolve(texts.map(embedLocally)),
  };
}

function embedLocally(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of new Set(wordsOf(text))) addWord(vector, word);
  return normalised(vector);
}

/** The more pieces, the less each weighs: long words do not drown short ones. */
function addWord(vector: Float32Array, word: string): void {
  const padded = `<${word}>`;
  const places: number[] = [];
  for (let length = SHORTEST; length <= LONGEST; length += 1) {
    for (let start = 0; start + length <= padded.length; start += 1) places.push(hash(padded, start, start + length));
  }
  const weight = 1 / Math.sqrt(places.length);
  for (const place of places) add(vector, place, weight);
  add(vector, hash(`=${padded}`, 0, padded.length + 1), weight);
}

function add(vector: Float32Array, hashed: number, weight: number): void {
  const place = hashed % DIMENSIONS;
  vector[place] = vector[place]! + (hashed & 0x40000000 ? weight : -weight);
}

/** FNV-1a over the UTF-16 units from `start` to `end`, then mixed, so that the lowest bits depend on all of them. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
