import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpServer } from "../../src/github/intake/http-server.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { countDeliveries } from "./count-deliveries.ts";

/**
 * Forge's front door with its real storage in a temporary folder; `--no-store` answers without keeping anything, to see what share of the
 * time storing has. Says its port to the parent, and on `memory` and `stop` what it used and what it kept.
 */
const withStore = !process.argv.includes("--no-store");
const folder = mkdtempSync(join(tmpdir(), "forge-bench-"));
const url = `file:${join(folder, "forge.sqlite")}`;
const store = withStore ? await openStore({ url }) : undefined;

const server = await startHttpServer({
  host: "127.0.0.1",
  port: 0,
  secrets: [process.env.BENCH_SECRET ?? ""],
  accept: store === undefined ? async () => "accepted" : (delivery) => acceptDelivery(store, delivery),
  ready: () => true,
  log: { info() {}, warn() {}, error: (fields) => console.error(fields) },
});

process.on("message", async (message) => {
  if (message === "memory") {
    const { rss } = process.memoryUsage();
    process.send?.({ rssBytes: rss, peakBytes: process.resourceUsage().maxRSS * 1024 });
  }
  if (message === "stop") {
    await server.stop(1_000);
    if (store !== undefined) await closeStore(store);
    process.send?.({ rows: store === undefined ? 0 : await countDeliveries(url) });
  }
});
process.on("disconnect", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.send?.({ port: server.port });
