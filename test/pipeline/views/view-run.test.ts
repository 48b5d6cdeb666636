import { describe, expect, it } from "vitest";
import { errorFacts } from "../../../src/domain/errors.ts";
import type { NewEvent } from "../../../src/domain/events.ts";
import { viewRun } from "../../../src/pipeline/views/view-run.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryDatabase } from "../../store/databases.ts";
import { decision, HEAD, run } from "../../store/fixtures.ts";

const DOING = { doing: "testing", testFiles: 46 } as const;
const doing: NewEvent = { type: "review.progressed", payload: DOING };
const asked: NewEvent = {
  type: "gate.requested",
  payload: {
    ...({ gate: "G-1", headSha: HEAD, deadline: "2026-11-20T12:00:00.000Z", needs: "write" } as const),
    question: { type: "cost_overrun", usedUsd: 2, limitUsd: 2, next: "read on" },
  },
};

describe("OPS-2, GH-12: what a run does now, as its page says it", () => {
  onEveryDatabase((open) => {
    const activityAfter = async (store: Store, ...events: NewEvent[]) => {
      const appends = [{ traceId: "run-1", expectedVersion: 0, events }];
      await commitDecision(store, decision({ appends, run: [run("run-1", "running", { version: events.length })] }));
      return (await viewRun(store, "run-1", () => true))?.activity?.is;
    };

    it("is the last that it told", async () => {
      expect(await activityAfter(await open(), asked, doing)).toEqual(DOING);
    });

    it.each<NewEvent>([
      asked,
      { type: "gate.approved", payload: { gate: "G-1" } },
      { type: "gate.rejected", payload: { gate: "G-1" } },
      { type: "gate.timeout", payload: { gate: "G-1" } },
      { type: "gate.voided", payload: { gate: "G-1" } },
      { type: "run.stopped", payload: {} },
      { type: "phase.failed", payload: { phase: "review", error: errorFacts(new Error("It broke.")) } },
    ])("is nothing after $type", async (event) => {
      expect(await activityAfter(await open(), asked, doing, event)).toBeUndefined();
    });
  });
});
