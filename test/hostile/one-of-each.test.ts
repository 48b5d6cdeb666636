import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLASSES } from "./classes.ts";
import { type Arena, createArena, unboxed } from "./program/arena.ts";
import type { Payload } from "./program/payload.ts";

let arena: Arena;
beforeAll(() => {
  // It stays alive between payloads; the longer runs kill and restart it after each.
  arena = createArena({ spared: true });
});
afterAll(async () => {
  expect(await arena.end()).toEqual([]);
});

/** The first payload of the class that this machine can run. */
function firstOf(payloads: readonly Payload[]): Payload {
  return payloads.find(({ needsSandbox }) => needsSandbox !== true || unboxed === undefined) ?? payloads[0]!;
}

describe("one attack of each class on the whole program", () => {
  for (const { name, payloads } of CLASSES) {
    const payload = firstOf(payloads(1));
    it.skipIf(payload.needsSandbox === true && unboxed !== undefined)(`${name}: ${payload.name}`, async () => {
      expect(await arena.run(payload), `It ${payload.does}.`).toEqual([]);
    });
  }
});
