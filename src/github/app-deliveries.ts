import type { ProbotOctokit } from "probot";
import type { DeliveryAttempt, SweepOptions } from "./redelivery-sweep.ts";

const PER_PAGE = 100;

/** GitHub's list of what it delivered to the App, for the sweep. `octokit` speaks for the App itself: `await probot.auth()`. */
export function createAppDeliveries(
  octokit: ProbotOctokit,
  maxPages = 100,
): Pick<SweepOptions, "listDeliveries" | "redeliver"> {
  return {
    listDeliveries: (since) => listDeliveries(octokit, since, maxPages),
    redeliver: async (id) => {
      await octokit.request("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
    },
  };
}

/** Page after page by cursor, newest first, until one page reaches back before `since`. */
async function* listDeliveries(octokit: ProbotOctokit, since: Date, maxPages: number): AsyncGenerator<DeliveryAttempt> {
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
    const oldest = data.at(-1);
    if (pages === maxPages || oldest === undefined || new Date(oldest.delivered_at) < since) return;
  }
}
