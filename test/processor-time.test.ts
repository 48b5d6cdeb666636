import { expect, it } from "vitest";
import { growsInProportion } from "./processor-time.ts";

/** Work that no compiler leaves out. */
function step(state: number): number {
  return (Math.imul(state, 48_271) + 1) | 0;
}

it("tells work in proportion to its size from work by its square", async () => {
  let state = 1;
  const linear = (size: number) => {
    for (let at = 0; at < 1_000 * size; at += 1) state = step(state);
  };
  const square = (size: number) => {
    for (let at = 0; at < size * size; at += 1) state = step(state);
  };
  expect(await growsInProportion(linear, 100_000)).toBe(true);
  expect(await growsInProportion(square, 10_000)).toBe(false);
  expect(state).not.toBe(1.5);
});
