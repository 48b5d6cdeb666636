import { describe, expect, it } from "vitest";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { readDelivery, settleDelivery } from "../../src/store/inbox/read-delivery.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { completeJob } from "../../src/store/jobs/held-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { onJobsAdded } from "../../src/store/subscribe.ts";
import { onEveryDatabase } from "./databases.ts";
import { at } from "./fixtures.ts";

const delivery = (guid: string, body = Buffer.from("{}")) => ({ guid, event: "push", receivedAt: at(0), body });

describe("the inbox", () => {
  onEveryDatabase((open) => {
    it("SEC-7: keeps the very bytes of a delivery, whatever they are", async () => {
      const store = await open();
      const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
      // A view into a larger buffer, as network buffers are: neighbours must not come along.
      await acceptDelivery(store, delivery("d-1", bytes.subarray(3, 300)));
      const stored = await readDelivery(store, "d-1");
      expect(Buffer.isBuffer(stored?.body)).toBe(true);
      expect(stored?.body.equals(bytes.subarray(3, 300))).toBe(true);
      expect(stored).toMatchObject({ guid: "d-1", event: "push", receivedAt: at(0), state: "received" });
      expect(await readDelivery(store, "d-2")).toBeUndefined();
    });

    it("SEC-7: a duplicate changes nothing, not even after its job is done", async () => {
      const store = await open();
      expect(await acceptDelivery(store, delivery("d-1", Buffer.from("first")))).toBe("accepted");
      const job = await claimJob(store, { workerId: "w", now: at(1), leaseMs: 1000 });
      expect(job).toMatchObject({ kind: "delivery", key: "delivery:d-1", payload: { deliveryId: "d-1" } });
      await completeJob(store, job!);
      expect(await acceptDelivery(store, delivery("d-1", Buffer.from("second")))).toBe("duplicate");
      expect((await readDelivery(store, "d-1"))?.body.toString()).toBe("first");
      expect(await countJobs(store)).toEqual({ queued: 0, running: 0, dead: 0 });
    });

    it("SEC-7: of a delivery that comes many times at once exactly one is accepted", async () => {
      const store = await open();
      const guids = Array.from({ length: 90 }, (_, index) => `d-${index % 30}`);
      const answers = await Promise.all(guids.map((guid) => acceptDelivery(store, delivery(guid))));
      expect(answers.filter((answer) => answer === "accepted")).toHaveLength(30);
      expect(answers.slice(0, 30).every((answer) => answer === "accepted")).toBe(true);
      expect((await countJobs(store)).queued).toBe(30);
    });

    it("hands deliveries to the queue in the order in which they came", async () => {
      const store = await open();
      const woken: string[] = [];
      onJobsAdded(store, (keys) => void woken.push(...keys));
      await Promise.all(["d-3", "d-1", "d-2"].map((guid) => acceptDelivery(store, delivery(guid))));
      const claims = [];
      for (let turn = 0; turn < 3; turn += 1)
        claims.push(await claimJob(store, { workerId: "w", now: at(1), leaseMs: 1000 }));
      expect(claims.map((job) => job?.key)).toEqual(["delivery:d-3", "delivery:d-1", "delivery:d-2"]);
      expect(woken.sort()).toEqual(["delivery:d-1", "delivery:d-2", "delivery:d-3"]);
    });

    it("remembers what became of a delivery and why", async () => {
      const store = await open();
      await acceptDelivery(store, delivery("d-1"));
      await settleDelivery(store, "d-1", "ignored", "nothing to do for push");
      expect(await readDelivery(store, "d-1")).toMatchObject({ state: "ignored", reason: "nothing to do for push" });
      await settleDelivery(store, "d-1", "handled");
      expect(await readDelivery(store, "d-1")).not.toHaveProperty("reason");
    });
  });
});
