import { afterAll, describe, expect, it } from "vitest";
import { createArena, unboxed } from "./arena.ts";
import type { HostileClass } from "./payload.ts";
import { drawnFrom } from "./turns.ts";

/** The same payloads each time; others by FORGE_HOSTILE_SEED, which CI takes from the commit. */
const SEED = Number(process.env.FORGE_HOSTILE_SEED ?? 1);
/** No measure: whoever is never at rest is told so long before. */
const TIMEOUT_MS = 900_000;

/**
 * One payload of each class as a test, against the whole program: one program for all of these, because to set one up and see that it does
 * its work before and after costs as much as three payloads. It is killed after each.
 */
export function describeHostile(...classes: readonly HostileClass[]): void {
  const arena = createArena();
  afterAll(async () => {
    expect(await arena.end()).toEqual([]);
  }, TIMEOUT_MS);
  for (const attacks of classes) {
    describe(`hostile: ${attacks.name} (seed ${SEED})`, () => {
      const payload = drawnFrom(attacks, SEED);
      if (payload === undefined) return;
      const isOut = payload.needsSandbox === true && unboxed !== undefined;
      if (isOut) process.stderr.write(`NOT TESTED (hostile: ${payload.name}): ${unboxed}\n`);
      const again = `npm run hostile -- --all --class ${attacks.name} --seed ${SEED} --only '${payload.name}'`;
      it.skipIf(isOut)(
        payload.name,
        async () => expect(await arena.run(payload), `It ${payload.does}. Again: ${again}`).toEqual([]),
        TIMEOUT_MS,
      );
    });
  }
}
