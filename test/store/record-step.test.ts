import { describe, expect, it } from "vitest";
import { createIdMaker } from "../../src/domain/ids.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { readEvents, verifyRun } from "../../src/store/events/read-events.ts";
import { type RecordedStep, readCheckpoints, recordStep } from "../../src/store/events/steps.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { turnsDuring } from "../turns.ts";
import { onEveryDatabase } from "./databases.ts";
import { at, decision, happened, pullRequest } from "./fixtures.ts";

const makeId = createIdMaker();
const step = (sequence: number, fields: Partial<RecordedStep> = {}): RecordedStep => ({
  traceId: "run-1",
  agent: "reviewer/1",
  sequence,
  checkpoint: { sequence },
  events: [happened(`s-${sequence}`)],
  at: at(1),
  makeId,
  source: "agents",
  ...fields,
});

describe("a step of an agent", () => {
  onEveryDatabase((open) => {
    it("PIPE-6: its events join the chain of the run, its checkpoints come back in order", async () => {
      const store = await open();
      await commitDecision(store, decision());
      await recordStep(store, step(1));
      await recordStep(store, step(2, { events: [] }));
      await recordStep(store, step(1, { agent: "verifier/1" }));
      expect(await readCheckpoints(store, "run-1", "reviewer/1")).toEqual(['{"sequence":1}', '{"sequence":2}']);
      expect((await readEvents(store, "run-1")).map(({ version }) => version)).toEqual([1, 2, 3]);
      expect(await verifyRun(store, "run-1")).toEqual({});
    });

    it("SEC-6: keeps no secret of what a model wrote or a tool gave, in turns with others", async () => {
      const store = await open();
      const secret = ["ghp", "_x7Qk2mB9zT4wR1vL8nY5cD3fG6hJ0pS4aKq"].join("");
      const results = Array.from({ length: 60 }, (_, at) => `${"// a line of code\n".repeat(3_000)}${secret} ${at}`);
      const { turns } = await turnsDuring(() => recordStep(store, step(1, { checkpoint: { results, token: secret } })));
      const [kept = ""] = await readCheckpoints(store, "run-1", "reviewer/1");
      expect(kept).not.toContain(secret);
      expect(JSON.parse(kept)).toMatchObject({ token: "[redacted]", results: { length: 60 } });
      // Three megabytes, of which at most 100,000 characters and the text that exceeds them are redacted in one turn.
      expect(turns).toBeGreaterThan(15);
    });

    it("PIPE-7: a step is recorded once, and with its events or not at all", async () => {
      const store = await open();
      await recordStep(store, step(1));
      await expect(recordStep(store, step(1))).rejects.toMatchObject({ code: "checkpoint_exists" });
      expect(await readEvents(store, "run-1")).toHaveLength(1);
    });

    it("PIPE-7: steps of agents that work at the same time all find their place", async () => {
      const store = await open();
      await Promise.all(Array.from({ length: 8 }, (_, n) => recordStep(store, step(1, { agent: `reviewer/${n}` }))));
      expect(await readEvents(store, "run-1")).toHaveLength(8);
      expect(await verifyRun(store, "run-1")).toEqual({});
    });

    it("PIPE-7: a job that records a step has got further: workers that died with it before do not count against it", async () => {
      const store = await open();
      const payload = { runId: "run-1", subject: pullRequest() };
      await commitDecision(store, decision({ jobs: [{ kind: "implement", key: "k", payload, runAt: at(0) }] }));
      const claim = (second: number) => claimJob(store, { workerId: "a", now: at(second), leaseMs: 1000 });
      await claim(1);
      const heir = await claim(3);
      expect(heir?.lostLeases).toBe(1);
      await recordStep(store, step(1, { fence: { jobId: heir!.id, token: heir!.token } }));
      expect((await claim(5))?.lostLeases).toBe(1);
      expect((await claim(7))?.lostLeases).toBe(2);
    });

    it("PIPE-7: a worker that lost its job records nothing", async () => {
      const store = await open();
      const job = {
        kind: "review",
        key: "k",
        payload: { runId: "run-1", subject: pullRequest() },
        runAt: at(0),
      } as const;
      await commitDecision(store, decision({ jobs: [job] }));
      const claimed = await claimJob(store, { workerId: "a", now: at(1), leaseMs: 1000 });
      const fence = { jobId: claimed!.id, token: claimed!.token + 1 };
      await expect(recordStep(store, step(1, { fence }))).rejects.toMatchObject({ code: "lease_lost" });
      expect(await readCheckpoints(store, "run-1", "reviewer/1")).toEqual([]);
    });
  });
});
