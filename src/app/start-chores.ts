import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createPullRequestHost } from "../github/pull-request-host.ts";
import { createReconcile } from "../github/reconcile.ts";
import { createAppDeliveries, sweepRedeliveries } from "../github/redelivery-sweep.ts";
import { learnHistories } from "../learning/learn-history.ts";
import { takeUpLookingBack } from "../learning/look-back.ts";
import { tidyMemories } from "../memory/open-memory.ts";
import { sweepStranded, sweepUrgent } from "../pipeline/runs/sweep-stranded.ts";
import { expireCheckpoints, expireDeliveries, expireFeedback } from "../store/expire.ts";
import { readDelivery } from "../store/inbox/read-delivery.ts";
import { prunePackages } from "../workspace/install/package-cache.ts";
import { pruneMirrors } from "../workspace/prune-mirrors.ts";
import { clearScratch, clearTemporary } from "../workspace/scratch.ts";
import { type ChoreLog, createChoreLog } from "./chore-log.ts";
import { packageSource, type Resources } from "./dependencies.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** DATA-2: raw deliveries are kept this long. */
const DELIVERY_DAYS = 14;

/** DATA-2: after the run. */
const CHECKPOINT_DAYS = 30;
/** MEM-5: a change of the method is worked off in portions. */
const EMBEDDED_AT_ONCE = 100;

interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Not at the start, when there is enough to do: after a whole turn. */
  readonly later?: true;
  /** The result, for the log; undefined when there was nothing to do. */
  run(signal: AbortSignal): Promise<object | undefined>;
}

/** Periodic chores, first run at start: ask for what was missed, repair what was left, clear what has expired. */
export function startChores(resources: Resources): () => Promise<void> {
  const { store, client, config, log, now, makeId, mirrorRoot, scratchRoot, bornAt, ai } = resources;
  const reconcile = createReconcile({ store, client, now, makeId, bornAt });
  const host = createPullRequestHost(client, config.github);
  const chores: Chore[] = [
    {
      name: "take up stranded work",
      everyMs: 5 * MINUTE_MS,
      run: () => sweepStranded({ store, now }),
    },
    {
      name: "take up deployments that nobody watches",
      everyMs: MINUTE_MS / 2,
      run: () => sweepUrgent({ store, now }),
    },
    {
      name: "ask for missed deliveries",
      everyMs: 5 * MINUTE_MS,
      run: async (signal) => {
        const report = await sweepRedeliveries({
          ...createAppDeliveries(await client.app(), signal),
          isStored: async (guid) => (await readDelivery(store, guid)) !== undefined,
          since: new Date(Date.parse(now()) - 3 * DAY_MS),
          now: new Date(now()),
        });
        return report.redelivered.length + report.failed.length > 0 ? report : undefined;
      },
    },
    { name: "look for heads nobody took", everyMs: 30 * MINUTE_MS, run: reconcile },
    {
      name: "expire deliveries",
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        const removed = await expireDeliveries(
          store,
          new Date(Date.parse(now()) - DELIVERY_DAYS * DAY_MS).toISOString(),
        );
        return removed > 0 ? { removed } : undefined;
      },
    },
    {
      name: "expire feedback",
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        await expireFeedback(store, new Date(Date.parse(now()) - DELIVERY_DAYS * DAY_MS).toISOString());
      },
    },
    {
      name: "expire checkpoints",
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        const before = new Date(Date.parse(now()) - CHECKPOINT_DAYS * DAY_MS).toISOString();
        const runs = await expireCheckpoints(store, before);
        return runs > 0 ? { runs } : undefined;
      },
    },
    {
      name: "embed memories",
      everyMs: 60 * MINUTE_MS,
      run: async (signal) => {
        let embedded = 0;
        for (let more = 1; more > 0 && !signal.aborted; embedded += more) {
          more = await ai.memory.renewEmbeddings(EMBEDDED_AT_ONCE, signal);
        }
        return embedded > 0 ? { embedded } : undefined;
      },
    },
    {
      name: "look back at runs",
      everyMs: 5 * MINUTE_MS,
      later: true,
      run: () => takeUpLookingBack({ store, now }),
    },
    {
      name: "tidy memories",
      everyMs: 10 * MINUTE_MS,
      later: true,
      run: (signal) => tidyMemories({ store, now, makeId, memory: ai.memory }, signal),
    },
    {
      name: "learn from histories",
      everyMs: 5 * MINUTE_MS,
      later: true,
      run: (signal) => learnHistories({ store, now, mirrorRoot, scratchRoot, host }, signal),
    },
    {
      name: "clear scratch",
      everyMs: 10 * MINUTE_MS,
      run: async (signal) => {
        const limits = { timeMs: 5 * MINUTE_MS, signal };
        const cleared = [await clearScratch(dirname(scratchRoot), scratchRoot, limits), await clearTemporary(limits)];
        const removed = cleared.reduce((sum, each) => sum + each.removed, 0);
        const left = cleared.flatMap((each) => each.left);
        return removed + left.length > 0 ? { removed, left } : undefined;
      },
    },
    {
      name: "prune mirrors",
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        const report = await pruneMirrors(mirrorRoot, config.mirrorBytes);
        return report.removed.length > 0 ? report : undefined;
      },
    },
    {
      name: "prune packages",
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        const report = await prunePackages(packageSource(config));
        return report.removed > 0 ? report : undefined;
      },
    },
  ];
  const ending = new AbortController();
  const choreLog = createChoreLog(log);
  const loops = chores.map((chore) => repeat(chore, ending.signal, choreLog));
  return async () => {
    ending.abort();
    await Promise.all(loops);
  };
}

/** One at a time and never two of the same; a failure is logged and tried again at the next turn. */
async function repeat(chore: Chore, signal: AbortSignal, log: ChoreLog): Promise<void> {
  if (chore.later) await pause(chore.everyMs, signal);
  while (!signal.aborted) {
    try {
      log.done(chore.name, await chore.run(signal));
    } catch (error) {
      if (!signal.aborted) log.failed(chore.name, error);
    }
    await pause(chore.everyMs, signal);
  }
}

/** Over at once when the signal comes, or has come. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
