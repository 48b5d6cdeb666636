import { describe, expect, it } from "vitest";
import { ForgeError } from "../../src/domain/errors.ts";
import {
  findBrokenLink,
  GENESIS,
  type NewEvent,
  parseEvent,
  type RunEvent,
  sealEvent,
} from "../../src/domain/events.ts";
import { createIdMaker, findingId } from "../../src/domain/ids.ts";

const makeId = createIdMaker();

function chain(...events: NewEvent[]): RunEvent[] {
  const sealed: RunEvent[] = [];
  for (const event of events) {
    const previousHash = sealed.at(-1)?.hash ?? GENESIS;
    const place = { id: makeId(), traceId: "run-1", version: sealed.length + 1, at: "2026-11-01T10:00:00.000Z" };
    sealed.push(sealEvent(event, { ...place, source: "test", previousHash }));
  }
  return sealed;
}

const skipped = (reason: string): NewEvent => ({ type: "phase.skipped", payload: { phase: "review", reason } });

describe("the event log", () => {
  it("EVT-3: an intact chain has no broken link, also after a trip through JSON", () => {
    const events = chain(skipped("draft"), skipped("label"), skipped("author"));
    expect(findBrokenLink(events)).toBeUndefined();
    expect(findBrokenLink(JSON.parse(JSON.stringify(events)))).toBeUndefined();
  });

  it.each([
    ["a changed payload", (log: RunEvent[]) => Object.assign(log[1]!.payload, { reason: "other" }), 2],
    ["a removed event", (log: RunEvent[]) => log.splice(1, 1), 3],
    ["two events swapped", (log: RunEvent[]) => log.reverse(), 3],
    ["a forged hash", (log: RunEvent[]) => Object.assign(log[2]!, { hash: "f".repeat(64) }), 3],
  ])("EVT-3: detects %s", (_name, tamper, version) => {
    const events = chain(skipped("draft"), skipped("label"), skipped("author"));
    tamper(events);
    expect(findBrokenLink(events)).toBe(version);
  });

  it("EVT-1, PIPE-1a: refuses a payload that does not fit the catalogue, and names the type", () => {
    const wrong = { type: "phase.skipped", payload: { phase: "lunch", reason: "noon" } } as unknown as NewEvent;
    expect(() => chain(wrong)).toThrow(/phase\.skipped/);
  });

  it("EVT-1: an event of an unknown type in the log is an error of its own", () => {
    const [event] = chain(skipped("draft"));
    expect(() => parseEvent({ ...event, type: "phase.invented" })).toThrow(ForgeError);
  });

  it("EVT-1: ids increase even within one millisecond", () => {
    const ids = Array.from({ length: 1000 }, () => makeId());
    expect([...ids].sort()).toEqual(ids);
  });

  it("FIND-1: a finding's id is short, stable and longer when it has to be", () => {
    expect(findingId("abc", "pull_request:1:2")).toBe(findingId("abc", "pull_request:1:2"));
    expect(findingId("abc", "pull_request:1:2")).toMatch(/^F-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(findingId("abc", "pull_request:1:2", 6)).toMatch(new RegExp(`^${findingId("abc", "pull_request:1:2")}..$`));
  });
});
