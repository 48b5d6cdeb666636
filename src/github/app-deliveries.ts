import type { ProbotOctokit } from "probot";
import type { DeliveryAttempt, SweepOptions } from "./redelivery-sweep.ts";

const PER_PAGE = 100;

/** GitHub's list of what it delivered to the App, for the sweep. `octokit` speaks for the App itself: `await probot.auth()`. */
export function createAppDeliveries(
  octokit: ProbotOctokit,
  maxPages = 100,
): Pick<SweepOptions, "listDeliveries" | "redeliver"> {
  return {
    listDeliveries: () => listDeliveries(octokit, maxPages),
    redeliver: async (id) => {
      await octokit.request("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
    },
  };
}

/** Newest first; the next page, found by its cursor, is fetched when the one before has been read. */
async function* listDeliveries(octokit: ProbotOctokit, maxPages: number): AsyncGenerator<DeliveryAttempt> {
  let pages = 0;
  for await (const { data } of octokit.paginate.iterator("GET /app/hook/deliveries", { per_page: PER_PAGE })) {
    pages += 1;
    for (const item of data) {
      yield {
        id: item.id,
        guid: item.guid,
        event: item.event,
        statusCode: item.status_code,
        deliveredAt: new Date(item.delivered_at),
      };
    }
    if (pages === maxPages) return;
  }
}
