import { describe, expect, it } from "vitest";
import { JOBS } from "../../src/app/jobs.ts";
import type { JobKind } from "../../src/domain/jobs.ts";
import { openKinds, turns } from "../../src/queue/turns.ts";

const kinds = Object.keys(JOBS) as JobKind[];
const takesLong = (kind: JobKind) => JOBS[kind].takes === "minutes";
const yields = (kind: JobKind) => JOBS[kind].yields === true;
const aside = (kind: JobKind) => JOBS[kind].aside === true;
const manners = { takesLong, yields, aside };
const short = kinds.filter((kind) => !takesLong(kind) || aside(kind));
const others = kinds.filter((kind) => kind !== "feedback");
const counts = (atWork: Partial<Record<JobKind, number>>) => new Map(Object.entries(atWork)) as Map<JobKind, number>;
const open = (atWork: Partial<Record<JobKind, number>>, slots = 4) => openKinds(kinds, manners, counts(atWork), slots);

describe("the slots of a worker", () => {
  it("are open to every kind while one is left over", () => {
    expect(open({})).toEqual(kinds);
    expect(open({ review: 1, implement: 1 })).toEqual(kinds);
    expect(open({ delivery: 3 })).toEqual(kinds);
  });

  it("are kept from what takes long: what people wait for gets the last", () => {
    expect(short).toEqual([
      ...[
        "delivery",
        "feedback",
        "command",
        "effects",
        "labels",
        "merged",
        "fault",
        "rule",
        "explain",
        "judge",
        "merge",
      ],
    ]);
    expect(open({ review: 2, implement: 1 })).toEqual(short);
    expect(open({ ask: 1, fix: 1, test: 1 })).toEqual(short);
    expect(open({ implement: 6 }, 8)).toEqual(short);
  });

  it.each([
    [1, 0],
    [2, 1],
    [4, 2],
    [5, 2],
    [16, 8],
  ])("PROD-3: of %i, feedback has no more than half, and one at least", (slots, most) => {
    const admitted = (atWork: number) => open({ feedback: atWork }, slots).includes("feedback");
    expect(admitted(0)).toBe(true);
    expect(Array.from({ length: slots }, (_, atWork) => admitted(atWork)).filter(Boolean)).toHaveLength(
      Math.max(1, most),
    );
    if (slots > 1) expect(open({ feedback: Math.max(1, most) }, slots)).toEqual(others);
  });

  it("PROD-3: after feedback anything else that is due has the next turn, and after that feedback may have one", () => {
    const next = (last: JobKind | undefined, slots = 4) => turns(kinds, manners, counts({}), slots, last);
    expect(next(undefined)).toEqual([kinds]);
    expect(next("review")).toEqual([kinds]);
    expect(next("feedback")).toEqual([others, kinds]);
    expect(next("feedback", 1)).toEqual([others, kinds]);
    expect(turns(kinds, manners, counts({ feedback: 2 }), 4, "feedback")).toEqual([others]);
  });

  it("are all taken at some time", () => {
    expect(open({ review: 3, delivery: 1 })).toEqual(["explain"]);
    expect(open({ effects: 4 })).toEqual(["explain"]);
    expect(open({ effects: 4, explain: 1 })).toEqual([]);
  });

  it("cannot be kept where there is one", () => {
    expect(open({}, 1)).toEqual(kinds);
    expect(open({ review: 1 }, 1)).toEqual(["explain"]);
  });

  it("TOOLS-3: a model's words on a verdict have one slot of their own, so they keep no step waiting", () => {
    const withoutWords = kinds.filter((kind) => kind !== "explain");
    expect(open({ explain: 1 }, 1)).toEqual(withoutWords);
    expect(open({ explain: 1, review: 2 })).toEqual(withoutWords);
    expect(open({ explain: 1, review: 3 })).toEqual(short.filter((kind) => kind !== "explain"));
  });
});
