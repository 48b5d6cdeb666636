import { readConfig } from "../../src/app/config.ts";
import { type Forge, startForge } from "../../src/app/forge.ts";
import { createLog } from "../../src/app/run-server.ts";
import { nextRunAt } from "../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import type { Store } from "../../src/store/store.ts";
import { createMovingClock, type MovingClock } from "../e2e/moving-clock.ts";
import type { ChaosWorld } from "./chaos-world.ts";

/** Forge in this process, so that time can be made to pass for it while it runs. */
export interface RunningForge {
  readonly forge: Forge;
  /** Resolves when nothing is left to be done within the patience; what waits for a moment is given it at once. Throws after `limitMs`. */
  settled(limitMs?: number): Promise<void>;
}

/** @param patienceMs what is put off for longer is not waited for: the deadline of a gate, say */
export async function runHere(world: ChaosWorld, patienceMs = Number.POSITIVE_INFINITY): Promise<RunningForge> {
  const config = readConfig({ ...world.variables, LOG_LEVEL: process.env.FORGE_TEST_LOG ?? "silent" });
  const clock = createMovingClock();
  const forge = await startForge({ config, log: createLog(config), role: "both", clock });
  return { forge, settled: (limitMs = 300_000) => settle(world, forge.store, clock, { limitMs, patienceMs }) };
}

async function settle(
  { github }: ChaosWorld,
  store: Store,
  clock: MovingClock,
  { limitMs, patienceMs }: { readonly limitMs: number; readonly patienceMs: number },
): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (let quiet = 0; quiet < 3; ) {
    await github.idle();
    const { running, queued } = await countJobs(store);
    const next = queued > 0 ? await nextRunAt(store) : undefined;
    const waitMs = next === undefined ? 0 : Date.parse(next) - clock.now().getTime();
    const isLater = waitMs > patienceMs;
    if (running === 0 && waitMs > 50 && !isLater) clock.advance(waitMs + 1);
    quiet = running === 0 && (queued === 0 || isLater) ? quiet + 1 : 0;
    if (Date.now() > deadline) throw new Error(`not settled after ${limitMs} ms: ${running} running, ${queued} queued`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
