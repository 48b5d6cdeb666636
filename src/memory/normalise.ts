/** Makes the vector's length 1, in place; a zero vector stays one. */
export function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at += 1) vector[at] = vector[at]! * factor;
  return vector;
}
