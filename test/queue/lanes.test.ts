import { describe, expect, it } from "vitest";
import { JOBS } from "../../src/app/jobs.ts";
import type { JobKind } from "../../src/domain/jobs.ts";
import { openKinds } from "../../src/queue/worker.ts";

const kinds = Object.keys(JOBS) as JobKind[];
const takesLong = (kind: JobKind) => JOBS[kind].takes === "minutes";
const short = kinds.filter((kind) => !takesLong(kind));
const open = (atWork: Partial<Record<JobKind, number>>, slots = 4) =>
  openKinds(kinds, takesLong, new Map(Object.entries(atWork)) as Map<JobKind, number>, slots);

describe("the slots of a worker", () => {
  it("are open to every kind while one is left over", () => {
    expect(open({})).toEqual(kinds);
    expect(open({ review: 1, implement: 1 })).toEqual(kinds);
    expect(open({ delivery: 3 })).toEqual(kinds);
  });

  it("are kept from what takes long: what people wait for gets the last", () => {
    expect(short).toEqual(["delivery", "command", "effects", "labels", "merged", "rule", "judge", "merge"]);
    expect(open({ review: 2, implement: 1 })).toEqual(short);
    expect(open({ ask: 1, fix: 1, test: 1 })).toEqual(short);
    expect(open({ implement: 6 }, 8)).toEqual(short);
  });

  it("are all taken at some time", () => {
    expect(open({ review: 3, delivery: 1 })).toEqual([]);
    expect(open({ effects: 4 })).toEqual([]);
  });

  it("cannot be kept where there is one", () => {
    expect(open({}, 1)).toEqual(kinds);
    expect(open({ review: 1 }, 1)).toEqual([]);
  });
});
