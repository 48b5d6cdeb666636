// Another process that owns the database named by its first argument until it is killed.
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { openStore } from "../../src/store/open-store.ts";

const store = await openStore({ url: process.argv[2]!, processName: "the first" });
const receivedAt = new Date().toISOString();
await acceptDelivery(store, { guid: "d-1", event: "push", receivedAt, body: Buffer.from("{}") });
await claimJob(store, { workerId: "child", now: receivedAt, leaseMs: 3_600_000 });
process.stdout.write("ready\n");
setInterval(() => {}, 60_000);
