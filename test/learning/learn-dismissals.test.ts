import { expect, it } from "vitest";
import type { PullInput } from "../../src/domain/inputs.ts";
import { learnDismissals } from "../../src/learning/learn-from-people.ts";
import type { Fence } from "../../src/store/jobs/fence.ts";
import {
  A,
  ana,
  command,
  finding,
  finished,
  headChanged,
  minute,
  observed,
  subject,
} from "../pipeline/review/story.ts";
import { deskForEach } from "./desk.ts";

const desk = deskForEach(() => minute(9));

const learn = ({ subject: about }: { subject: typeof subject }, { fence }: { fence: Fence }) =>
  learnDismissals({ store: desk.store(), makeId: desk.makeId, now: desk.now }, { subject: about, fence });
const posted = (...ids: readonly string[]): PullInput => ({
  ...{ type: "findings.posted", subject, at: minute(3), newRunId: "x", runId: "run-a" },
  placed: ids.map((findingId, at) => ({ findingId, placement: "comment", commentId: at + 1 })),
});
const dismiss = (name: string, at = minute(5), to: object = {}) =>
  command({ name: "dismiss", finding: name, reason: "we want that", scope: { kind: "here" }, ...to }, { at });
const reviewed = [
  headChanged(A),
  observed("run-a", A),
  finished("run-a", [finding("one", { id: "F-AAA2" }), finding("two", { id: "F-BBB2", file: "src/b.ts" })]),
];

it("HUM-4: a dismissal is learnt with the time that people could see the finding, and who gave it", async () => {
  await desk.tell(...reviewed, posted("F-AAA2", "F-BBB2"), dismiss("F-AAA2", minute(5)));
  expect(await desk.work(learn)).toBe(1);
  expect(await desk.feedback(subject)).toMatchObject([
    {
      type: "feedback.human_dismissed",
      actor: ana,
      payload: { findingId: "F-AAA2", rule: "biome/one", layer: "static", reasoned: true, seconds: 120 },
    },
  ]);
});

it("counts no dismissal twice, whenever the worker dies", async () => {
  await desk.tell(...reviewed, posted("F-AAA2", "F-BBB2"), dismiss("F-AAA2"));
  // The outcome is stored and the process dies: the job is there when the next one starts.
  await desk.die();
  await expect(
    desk.work(async (payload, context) => {
      await learn(payload, context);
      throw new Error("killed after it was learnt");
    }),
  ).rejects.toThrow("killed");
  expect(await desk.feedback(subject)).toHaveLength(1);
  await desk.die();
  expect(await desk.work(learn)).toBe(1);
  await desk.tell(dismiss("F-BBB2", minute(6)));
  expect(await desk.work(learn)).toBe(1);
  const learnt = await desk.feedback(subject);
  expect(learnt.map(({ payload }) => "findingId" in payload && payload.findingId)).toEqual(["F-AAA2", "F-BBB2"]);
});

it("learns one word from a dismissal of a whole rule, and none from what it took along", async () => {
  const many = ["C", "D", "E"].map((name) => {
    return finding(name, { id: `F-${name.repeat(3)}2`, rule: "biome/same", file: `src/${name}.ts` });
  });
  await desk.tell(headChanged(A), observed("run-a", A), finished("run-a", many));
  await desk.tell(dismiss("F-CCC2", minute(5), { scope: { kind: "rule" } }));
  await desk.work(learn);
  expect((await desk.feedback(subject)).map(({ payload }) => payload)).toMatchObject([{ findingId: "F-CCC2" }]);
});

it("says no time where nobody was shown it, and never less than none where a clock was set back", async () => {
  await desk.tell(...reviewed, dismiss("F-AAA2"));
  await desk.tell(posted("F-BBB2"), dismiss("F-BBB2", minute(1)));
  await desk.work(learn);
  const learnt = await desk.feedback(subject);
  const seconds = learnt.map(({ payload }) => [
    "findingId" in payload && payload.findingId,
    "seconds" in payload && payload.seconds,
  ]);
  expect(Object.fromEntries(seconds)).toEqual({ "F-AAA2": false, "F-BBB2": 0 });
});

it("learning.observed is written once for each cause, and not without anything to learn", async () => {
  await desk.tell(...reviewed);
  const learnt = (cause: string): PullInput => ({
    ...{ type: "learning.observed", subject, at: minute(7), newRunId: "x", cause },
    events: [
      {
        type: "feedback.human_dismissed",
        payload: {
          ...{ cause, findingId: "F-AAA2", rule: "biome/one", layer: "static", severity: "warning" },
          ...{ category: "correctness", scope: { kind: "here" }, reasoned: false },
        },
      },
    ],
  });
  await desk.tell(learnt("one"), learnt("one"), learnt("two"), { ...learnt("three"), events: [] } as PullInput);
  expect((await desk.feedback(subject)).map(({ payload }) => "cause" in payload && payload.cause)).toEqual([
    "one",
    "two",
  ]);
});

it("is started when a pull request ends and when something was dismissed, and not before where Forge said nothing", async () => {
  await desk.tell(headChanged(A), observed("run-a", A), finished("run-a", []));
  expect(await desk.work(learn)).toBe(0);
  const closed = { type: "pull_request.closed", subject, at: minute(8), newRunId: "x", by: ana, merged: true } as const;
  // That nothing was said has an outcome too.
  await desk.tell(closed);
  expect(await desk.work(learn)).toBe(1);
  const other = { ...subject, number: 4 };
  const there = (input: PullInput): PullInput => ({ ...input, subject: other });
  await desk.tell(there(headChanged(A, { runId: "run-o" })), there(observed("run-o", A)));
  await desk.tell(there(finished("run-o", [finding("three")])), there(closed), there(closed));
  expect(await desk.work(learn)).toBe(1);
});
