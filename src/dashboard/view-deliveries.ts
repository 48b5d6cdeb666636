import type { DeliveryAttempt } from "../github/redelivery-sweep.ts";
import { type ListedDelivery, listDeliveries } from "../store/inbox/list-deliveries.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";

/** One thing that happened on GitHub, as GitHub tells of delivering it and as it ended here. */
export interface SeenDelivery {
  readonly guid: string;
  readonly event: string;
  /** ISO 8601: of the newest attempt, or when it was received. */
  readonly at: string;
  /** The newest of GitHub's attempts, with their number; absent where GitHub's latest hundred have none. */
  readonly attempt?: { readonly id: number; readonly statusCode: number; readonly tries: number };
  /** Absent where it is not in the database. */
  readonly here?: ListedDelivery;
  /** `process`: it was received and given up; `deliver`: it is not here, and GitHub can send it again. */
  readonly next?: "process" | "deliver";
}

export interface DeliveriesReport {
  /** The newest first. */
  readonly deliveries: readonly SeenDelivery[];
  /** Why GitHub's list is missing; the message is GitHub's. */
  readonly notListed?: string;
}

/** Rows of each kind. */
const MOST = 100;

/** Joins GitHub's list of attempts, which is asked for now, with what became of each delivery here. */
export async function viewDeliveries({
  store,
  deliveries: host,
}: Pick<DashboardDependencies, "store" | "deliveries">): Promise<DeliveriesReport> {
  const listed = await host.latest();
  const attempts = "why" in listed ? [] : listed;
  const byGuid = Map.groupBy(attempts, ({ guid }) => guid.toLowerCase());
  const stored = await listDeliveries(store, { latest: MOST, failed: MOST, guids: [...byGuid.keys()] });
  const here = new Map(stored.map((each) => [each.guid, each]));
  const guids = new Set([...byGuid.keys(), ...here.keys()]);
  const deliveries = [...guids].map((guid) => join(guid, byGuid.get(guid) ?? [], here.get(guid)));
  deliveries.sort((a, b) => (a.at < b.at ? 1 : Number(a.at > b.at) * -1));
  return { deliveries, ...("why" in listed ? { notListed: listed.why } : {}) };
}

function join(guid: string, attempts: readonly DeliveryAttempt[], here: ListedDelivery | undefined): SeenDelivery {
  const [newest] = attempts;
  const next = here ? here.state === "failed" && "process" : newest && "deliver";
  return {
    guid,
    event: here?.event ?? newest?.event ?? "",
    at: newest?.deliveredAt.toISOString() ?? here?.receivedAt ?? "",
    ...(newest && { attempt: { id: newest.id, statusCode: newest.statusCode, tries: attempts.length } }),
    ...(here && { here }),
    ...(next && { next }),
  };
}
