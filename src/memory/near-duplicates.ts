import { createBreathing } from "./scope-vectors.ts";

/** From that cosine on two memories say the same (MEM-4). */
export const ALIKE = 0.92;
/** The square of the distance between vectors of length 1 that are so near. */
const NEAR = 2 - 2 * ALIKE;
/** Rounding of 32-bit numbers. */
const SLACK = 1e-5;

/** Numbers of a vector that are compared before it is known whether the rest has to be: few pairs get further than two times that. */
const PIECE = 32;

/**
 * For each vector the place of the first one before it that says the same and that nothing comes before, or its own. A vector is compared with
 * such first ones only, so a chain of small differences does not join what is far apart. A comparison ends as soon as the distance is too
 * large, which is after a quarter of it mostly. Gives way to others every few milliseconds.
 * @param vectors of length 1 and all as long; undefined ones are alone
 * @param differ whether two that are near say different things all the same
 */
export async function linkAlike(
  vectors: readonly (Float32Array | undefined)[],
  differ: (one: number, other: number) => boolean,
): Promise<Int32Array> {
  const links = Int32Array.from(vectors, (_, at) => at);
  const dimensions = vectors.find((vector) => vector !== undefined)?.length ?? 0;
  const width = Math.ceil(dimensions / PIECE) * PIECE;
  const firsts = createFirsts(width);
  const padded = new Float32Array(width);
  const breathe = createBreathing();
  for (const [at, vector] of vectors.entries()) {
    await breathe();
    if (vector === undefined) continue;
    padded.set(vector);
    const found = firsts.find(padded, (place) => !differ(at, place));
    if (found === undefined) firsts.add(padded, at);
    else links[at] = found;
  }
  return links;
}

/** In one piece of memory for each piece of the vectors, as the first pieces are read most. */
function createFirsts(width: number) {
  const places: number[] = [];
  let room = 256;
  let pieces = Array.from({ length: width / PIECE }, () => new Float32Array(room * PIECE));
  const grow = () => {
    room *= 2;
    pieces = pieces.map((piece) => {
      const larger = new Float32Array(room * PIECE);
      larger.set(piece);
      return larger;
    });
  };
  const isNear = (vector: Float32Array, row: number, sum: number): boolean => {
    let distance = sum;
    for (let piece = 1; piece < pieces.length && distance <= NEAR + SLACK; piece += 1) {
      distance += distanceOf(vector, piece * PIECE, pieces[piece]!, row * PIECE);
    }
    return distance <= NEAR + SLACK;
  };
  return {
    add: (vector: Float32Array, place: number): void => {
      if (places.length === room) grow();
      for (const [at, piece] of pieces.entries()) {
        piece.set(vector.subarray(at * PIECE, (at + 1) * PIECE), places.length * PIECE);
      }
      places.push(place);
    },
    find: (vector: Float32Array, accept: (place: number) => boolean): number | undefined => {
      const [first] = pieces;
      if (first === undefined) return undefined;
      for (let row = 0; row < places.length; row += 1) {
        const distance = distanceOf(vector, 0, first, row * PIECE);
        if (distance <= NEAR + SLACK && isNear(vector, row, distance) && accept(places[row]!)) return places[row];
      }
      return undefined;
    },
  };
}

/** The square of the distance of one piece; four sums side by side, as the processor can add them at the same time. */
function distanceOf(vector: Float32Array, from: number, piece: Float32Array, offset: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = 0; at < PIECE; at += 4) {
    const one = vector[from + at]! - piece[offset + at]!;
    const two = vector[from + at + 1]! - piece[offset + at + 1]!;
    const three = vector[from + at + 2]! - piece[offset + at + 2]!;
    const four = vector[from + at + 3]! - piece[offset + at + 3]!;
    a += one * one;
    b += two * two;
    c += three * three;
    d += four * four;
  }
  return a + b + c + d;
}
