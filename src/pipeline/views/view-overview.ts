import { readUsdOfDay } from "../../store/health.ts";
import { countOpenGates, type OpenGate, readOpenGates } from "../../store/runs/open-gates.ts";
import {
  type Delivered,
  type ListedRun,
  listAtWork,
  listDelivered,
  listFailed,
  listParked,
  type Wanted,
} from "../../store/runs/overview.ts";
import type { Store } from "../../store/store.ts";

/** What waits for people, what runs, what failed, and what was merged and deployed (OPS-2), each as far as one page shows it. */
export interface Overview {
  readonly gates: readonly OpenGate[];
  readonly waiting: number;
  readonly atWork: readonly ListedRun[];
  readonly failed: readonly ListedRun[];
  readonly parked: readonly ListedRun[];
  readonly delivered: readonly Delivered[];
  /** USD that models cost today (UTC). */
  readonly usdToday: number;
}

export interface OverviewAsked extends Pick<Wanted, "repositoryIds"> {
  readonly now: Date;
  /** How many gates the pages before this one show. */
  readonly afterGates: number;
}

/** A page is read by people: what is not on it is counted, or a search away. */
export const GATES_SHOWN = 30;
/** Runs of each kind on it. */
export const SHOWN = 20;
const FAILED_MS = 7 * 24 * 3_600_000;

/** What failed is shown where it began since then (ISO 8601). */
export function failedSince(now: Date): string {
  return new Date(now.getTime() - FAILED_MS).toISOString();
}

export async function viewOverview(store: Store, { repositoryIds, now, afterGates }: OverviewAsked): Promise<Overview> {
  const of = repositoryIds ? { repositoryIds } : {};
  const since = failedSince(now);
  const day = now.toISOString().slice(0, 10);
  const [gates, waiting, atWork, failed, parked, delivered, usdToday] = await Promise.all([
    readOpenGates(store, { ...of, limit: GATES_SHOWN, after: afterGates }),
    countOpenGates(store, of),
    listAtWork(store, { ...of, limit: SHOWN }),
    listFailed(store, { ...of, limit: SHOWN, since }),
    listParked(store, { ...of, limit: SHOWN }),
    listDelivered(store, { ...of, limit: SHOWN }),
    readUsdOfDay(store, { ...of, day }),
  ]);
  return { gates, waiting, atWork, failed, parked, delivered, usdToday };
}

/** The overviews of several databases as one. */
export function togetherViewed(overviews: readonly Overview[]): Overview {
  const runs = (of: "atWork" | "failed" | "parked") =>
    latestFirst(
      overviews.flatMap((overview) => overview[of]),
      ({ startedAt }) => startedAt,
    );
  const gates = overviews.flatMap((overview) => overview.gates);
  return {
    gates: gates.sort((a, b) => (a.deadline < b.deadline ? -1 : 1)).slice(0, GATES_SHOWN),
    waiting: overviews.reduce((sum, { waiting }) => sum + waiting, 0),
    ...{ atWork: runs("atWork"), failed: runs("failed"), parked: runs("parked") },
    delivered: latestFirst(
      overviews.flatMap(({ delivered }) => delivered),
      ({ at }) => at,
    ),
    usdToday: overviews.reduce((sum, { usdToday }) => sum + usdToday, 0),
  };
}

function latestFirst<Item>(items: readonly Item[], moment: (item: Item) => string): readonly Item[] {
  return items.toSorted((a, b) => (moment(a) < moment(b) ? 1 : -1)).slice(0, SHOWN);
}
