import { afterAll, afterEach, beforeAll } from "vitest";
import type { World } from "./world.ts";

/** For the tests of a file, each of which makes a world of its own. Ends it after the test, and checks how Forge behaved in it. */
export function endEach(world: () => World): void {
  afterEach(async () => {
    try {
      await world().expectGoodManners();
    } finally {
      await world().end();
    }
  });
}

/**
 * For the tests of a file that share one world: checks after each of them how Forge behaved so far.
 * @param prepare keeps the world for the tests, and has in it what all of them need
 */
export function shareWorld(create: () => Promise<World>, prepare: (world: World) => Promise<void> | void): void {
  let world: World;
  beforeAll(async () => {
    world = await create();
    await prepare(world);
  });
  afterEach(() => world.expectGoodManners());
  afterAll(() => world.end());
}
