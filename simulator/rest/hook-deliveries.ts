// https://docs.github.com/en/rest/apps/webhooks

import type { Delivery } from "../log-records.ts";
import { notFound } from "../problem.ts";
import { deliveryShape, fullDeliveryShape } from "../shapes/app.ts";
import { redeliver } from "../webhooks/deliver.ts";
import type { World } from "../world.ts";
import { requireJwt } from "./apps.ts";
import { type Call, createRoutes, numberParameter } from "./call.ts";

const USUAL_PAGE = 30;
const LARGEST_PAGE = 100;

export function hookDeliveryRoutes(world: World) {
  const routes = createRoutes();
  const deliveryOf = (call: Call): Delivery => {
    const app = requireJwt(call);
    const id = numberParameter(call, "delivery");
    const found = world.deliveries.find((each) => each.id === id && each.app === app);
    if (!found) throw notFound();
    return found;
  };

  routes.get("/app/hook/config", (call) => {
    const app = requireJwt(call);
    return call.json({ content_type: "json", insecure_ssl: "0", secret: "********", url: app.webhookUrl });
  });
  // deliveries are paged by cursor, newest first
  routes.get("/app/hook/deliveries", (call) => {
    const app = requireJwt(call);
    const cursor = Number(call.req.query("cursor") ?? Number.POSITIVE_INFINITY);
    const size = Math.min(Number(call.req.query("per_page") ?? USUAL_PAGE), LARGEST_PAGE);
    const failed = call.req.query("status") === "failure";
    const all = world.deliveries
      .filter((each) => each.app === app && each.status !== "pending" && each.id < cursor)
      .filter((each) => !failed || each.status !== "OK")
      .reverse();
    const page = all.slice(0, size);
    const last = page.at(-1);
    if (last && all.length > size) {
      const url = new URL(`${world.origin}/api/v3/app/hook/deliveries?per_page=${size}&cursor=${last.id}`);
      call.header("link", `<${url}>; rel="next"`);
    }
    return call.json(page.map(deliveryShape));
  });
  routes.get("/app/hook/deliveries/:delivery", (call) => call.json(fullDeliveryShape(deliveryOf(call))));
  routes.post("/app/hook/deliveries/:delivery/attempts", (call) => {
    redeliver(world, deliveryOf(call));
    return call.json({}, 202);
  });
  return routes;
}
