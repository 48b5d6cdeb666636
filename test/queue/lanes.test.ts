import { describe, expect, it } from "vitest";
import { openKinds } from "../../src/queue/lanes.ts";

const kinds = ["delivery", "review", "effects"] as const;
const open = (atWork: Partial<Record<(typeof kinds)[number], number>>, slots = 4) =>
  openKinds(kinds, new Map(Object.entries(atWork)) as Map<(typeof kinds)[number], number>, slots);

describe("the slots of a worker", () => {
  it("are open to every kind when nothing is at work", () => {
    expect(open({})).toEqual(kinds);
  });

  it("are kept for the kinds that have nothing at work", () => {
    expect(open({ review: 2 })).toEqual(["delivery", "effects"]);
    expect(open({ review: 2, delivery: 1 })).toEqual(["effects"]);
    expect(open({ delivery: 2, review: 1 })).toEqual(["effects"]);
  });

  it("are free for all once every kind has its own", () => {
    expect(open({ review: 1, delivery: 1, effects: 1 })).toEqual(kinds);
    expect(open({ review: 2, delivery: 1, effects: 1 })).toEqual([]);
  });

  it("cannot be kept when there are fewer than kinds", () => {
    expect(open({}, 2)).toEqual(kinds);
    expect(open({ review: 1 }, 2)).toEqual(kinds);
    expect(open({ review: 2 }, 2)).toEqual([]);
  });
});
