import { describe, expect, it } from "vitest";
import { type BodyFacts, isBehind, type MemoryLimits, shareMemory } from "../../src/github/intake/share-memory.ts";

const MEBI = 1024 * 1024;
const LIMITS: MemoryLimits = { firstOfBody: 100, firstRoom: 1_000, restRoom: 500 };
let connections = 0;

/** A body of a connection of its own that came at 0 and may have any number of bytes to come. */
function body(facts: Partial<BodyFacts> = {}): BodyFacts {
  const own = { startedMs: 0, waitedMs: 0, heldSinceMs: undefined, hasMore: false, movedMs: 0, bytes: 1 };
  connections += 1;
  return { client: connections, ...own, expectedBytes: 25 * MEBI, isWhole: false, isLeader: false, ...facts };
}

describe("the pace of a body (SEC-9)", () => {
  it.each([
    ["nothing in the first second", {}, 999, false],
    ["less than 64 kB after a second", { bytes: 65_535 }, 1_000, true],
    ["64 kB after a second", { bytes: 65_536 }, 1_000, false],
    ["a small body that is not complete after a second", { bytes: 199, expectedBytes: 200 }, 1_000, true],
    ["64 kB a second of 400 kB", { bytes: 196_608, expectedBytes: 400_000 }, 3_000, false],
    ["less of 400 kB", { bytes: 196_607, expectedBytes: 400_000 }, 3_000, true],
    ["64 kB a second of 25 MB, which would take minutes", { bytes: 196_608 }, 3_000, true],
    ["25 MB that come within ten seconds", { bytes: 13 * MEBI }, 5_500, false],
    ["a whole body", { isWhole: true }, 60_000, false],
    ["a body that Forge kept waiting", { waitedMs: 59_500 }, 60_000, false],
    ["a held body that has more", { heldSinceMs: 500, hasMore: true }, 60_000, false],
    ["a held body whose sender is silent", { heldSinceMs: 500 }, 60_000, true],
  ])("%s", (_, facts, nowMs, expected) => {
    expect(isBehind(body(facts), nowMs)).toBe(expected);
  });
});

describe("who gives way when memory is short (SEC-9)", () => {
  it("nobody as long as there is room, however slow and however large the announcements are", () => {
    const bodies = Array.from({ length: 500 }, () => body({ bytes: 2 }));
    expect(shareMemory(bodies, 60_000, LIMITS)).toMatchObject({ ended: new Map(), held: new Set() });
  });

  it("the slow before the quick, until an eighth of the room is free", () => {
    const slow = Array.from({ length: 10 }, (_, at) => body({ bytes: 100, startedMs: 10 - at }));
    const quick = body({ bytes: 90, startedMs: 4_900 });
    const { ended } = shareMemory([...slow, quick], 5_000, LIMITS);
    expect([...ended.keys()]).toEqual([slow[9], slow[8], slow[7]]);
    expect(new Set(ended.values())).toEqual(new Set(["slow"]));
  });

  it("of the quick the oldest, and never a whole body", () => {
    const whole = body({ bytes: 100, isWhole: true });
    const quick = Array.from({ length: 10 }, (_, at) => body({ bytes: 100, startedMs: 10 + at }));
    const { ended } = shareMemory([whole, ...quick], 500, LIMITS);
    expect([...ended.keys()]).toEqual(quick.slice(0, 3));
    expect(new Set(ended.values())).toEqual(new Set(["oldest"]));
  });

  it("of the quick one of the client with the most bodies", () => {
    const alone = Array.from({ length: 5 }, () => body({ bytes: 100 }));
    const many = Array.from({ length: 6 }, () => body({ bytes: 100, startedMs: 20, client: "203.0.113.9" }));
    expect([...shareMemory([...alone, ...many], 500, LIMITS).ended.keys()]).toEqual(many.slice(0, 3));
  });

  it("nobody in pace if Forge itself is slow to store: the others wait", () => {
    const whole = Array.from({ length: 8 }, () => body({ bytes: 100, isWhole: true }));
    const coming = Array.from({ length: 3 }, () => body({ bytes: 90 }));
    const { ended, held } = shareMemory([...whole, ...coming], 500, LIMITS);
    expect([ended.size, held]).toEqual([0, new Set(coming)]);
  });
});

describe("large bodies (SEC-9)", () => {
  it("one grows and the others wait, so that none is lost and memory has a bound", () => {
    const leader = body({ bytes: 20 * MEBI, isLeader: true, movedMs: 400 });
    const others = [body({ bytes: 400, startedMs: 9 }), body({ bytes: 400, startedMs: 8 })];
    const small = body({ bytes: 50 });
    expect(shareMemory([leader, ...others, small], 500, LIMITS)).toEqual({
      ended: new Map(),
      held: new Set(others),
      leader,
    });
  });

  it("a leader that pauses gives way, and the newest comes next", () => {
    const leader = body({ bytes: 20_000, isLeader: true, movedMs: -100 });
    const others = [body({ bytes: 400, startedMs: 8 }), body({ bytes: 400, startedMs: 9 })];
    const { ended, leader: next } = shareMemory([leader, ...others], 900, LIMITS);
    expect([[...ended], next]).toEqual([[[leader, "slow"]], others[1]]);
  });

  it("a leader that is being stored keeps its place", () => {
    const leader = body({ bytes: 20_000, isLeader: true, isWhole: true });
    const others = [body({ bytes: 400, startedMs: 8 }), body({ bytes: 400, startedMs: 9 })];
    const { ended, leader: same } = shareMemory([leader, ...others], 900, LIMITS);
    expect([ended.size, same]).toEqual([0, leader]);
  });

  it("bodies that were held before they were slow do not keep a quick one waiting", () => {
    const hostile = Array.from({ length: 70 }, () => body({ bytes: 400, heldSinceMs: 300 }));
    const honest = body({ bytes: 400, startedMs: 900, movedMs: 1_000 });
    const { ended, leader, held } = shareMemory([...hostile, honest], 1_000, {
      ...LIMITS,
      firstRoom: 100_000,
    });
    expect([leader, held.has(honest), ended.size > 0]).toEqual([honest, false, true]);
  });
});
