import { openSandbox } from "../../../src/workspace/sandbox/open-sandbox.ts";
import { createHostileWorld, type HostileWorld } from "./hostile-world.ts";
import { type Snapshot, snapshot } from "./leftovers.ts";
import type { Payload } from "./payload.ts";
import { type Looks, runPayload } from "./run-payload.ts";
import { openPull } from "./strikes.ts";

const TOTAL = "export function total(prices: number[]): number {\n  return prices.length;\n}\n";
/** What the program has to do as ever when it was under attack. */
const HONEST: Payload = {
  name: "an honest change",
  does: "is what it says",
  strike: openPull({ "src/total.ts": TOTAL }),
  faults: ({ ground, number }) => {
    const { conclusion } = ground.world.github.pullRequest(ground.repository, number).checkRuns[0] ?? {};
    return conclusion === "success" ? [] : [`an honest change ended in ${conclusion}`];
  },
};

/** One program after the other that payloads are let loose on: it is replaced when one of them broke it. */
export interface Arena {
  /**
   * What is wrong; empty when it held.
   * @param spared whether the program is left alive after this one; as the arena does it when left out
   */
  run(payload: Payload, spared?: boolean): Promise<string[]>;
  /** Whether the last program still does its work; what is wrong, empty when nothing is. */
  end(): Promise<string[]>;
}

export function createArena(looks: Pick<Looks, "onSeen" | "spared" | "isTimed"> = {}): Arena {
  let standing: { readonly world: HostileWorld; readonly before: Snapshot } | undefined;
  const stand = async () => {
    const world = await createHostileWorld();
    standing = { world, before: new Set() };
    // What honest work leaves is no leftover.
    await runPayload(world, HONEST, { ...standing, spared: true });
    standing = { world, before: snapshot(world) };
    return standing;
  };
  const fall = async () => {
    await standing?.world.end();
    standing = undefined;
  };
  const run = async (payload: Payload, spared = looks.spared ?? false) => {
    try {
      const { world, before } = standing ?? (await stand());
      const { broken, wrong } = await runPayload(world, payload, { before, ...looks, spared });
      if (broken.length > 0) await fall();
      return [...broken, ...wrong];
    } catch (error) {
      await fall();
      return [`broke off: ${((error as Error).stack ?? String(error)).slice(0, 2_000)}`];
    }
  };
  return {
    run,
    end: async () => {
      const faults = standing ? await run(HONEST, true) : [];
      await fall();
      return faults.map((fault) => `afterwards, an honest change: ${fault}`);
    },
  };
}

const sandbox = await openSandbox();
/** Why there is no sandbox here; undefined when there is one. */
export const unboxed = "unavailable" in sandbox ? sandbox.unavailable : undefined;
