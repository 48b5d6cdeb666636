import { expect, it } from "vitest";
import type { NewEvent, PlacedEvent } from "../../../src/domain/events.ts";
import { timelineOf } from "../../../src/pipeline/views/timeline.ts";
import { at } from "../../store/fixtures.ts";

const HEAD = "a".repeat(40);
const question = { type: "cost_overrun", usedUsd: 1, limitUsd: 2, next: "read on" } as const;

function log(...events: readonly NewEvent[]): PlacedEvent[] {
  return events.map((event, index) => ({ ...event, traceId: "run", version: index + 1, at: at(index) }));
}

const entered = (phase: "planning" | "implementation" | "review"): NewEvent => ({
  type: "phase.entered",
  payload: { phase, round: 1, reason: "because" },
});
const completed = (phase: "planning" | "implementation"): NewEvent => ({
  type: "phase.completed",
  payload: { phase, durationMs: 1 },
});

it("OPS-2: a timeline has phases, gates and stops as stretches, and what went back", () => {
  const events = log(
    entered("planning"),
    {
      type: "gate.requested",
      payload: { gate: "G-1", question, headSha: HEAD, deadline: at(50), needs: "write" },
    },
    { type: "gate.approved", payload: { gate: "G-1" } },
    completed("planning"),
    entered("implementation"),
    { type: "run.stopped", payload: { reason: "no money" } },
    { type: "run.resumed", payload: { attempt: 2, reason: "asked" } },
    entered("review"),
    {
      type: "phase.bounced",
      payload: { from: "review", to: "implementation", cause: "review", bounce: 1, reason: "1 finding", feedback: [] },
    },
    entered("implementation"),
    { type: "run.cancelled", payload: { reason: "closed" } },
  );
  const { stretches, bounces } = timelineOf(events);
  expect(stretches).toEqual([
    { is: "phase", phase: "planning", from: at(0), to: at(3), ended: "completed" },
    { is: "gate", gate: "G-1", question, from: at(1), to: at(2), ended: "approved" },
    { is: "phase", phase: "implementation", from: at(4), to: at(5) },
    { is: "stopped", from: at(5), to: at(6), reason: "no money" },
    { is: "phase", phase: "review", from: at(7), to: at(8), ended: "bounced" },
    { is: "phase", phase: "implementation", from: at(9), to: at(10) },
  ]);
  expect(bounces).toEqual([{ at: at(8), from: "review", to: "implementation", reason: "1 finding" }]);
});

it("OPS-2: what goes on has no end, and a phase that a dead worker left open ends where the next one takes it up", () => {
  expect(timelineOf(log(entered("review"), entered("review"))).stretches).toEqual([
    { is: "phase", phase: "review", from: at(0), to: at(1) },
    { is: "phase", phase: "review", from: at(1) },
  ]);
  expect(timelineOf([])).toEqual({ stretches: [], bounces: [] });
});
