import { beforeEach, expect, it } from "vitest";
import type { Actor } from "../../src/domain/subjects.ts";
import { learnReactions } from "../../src/learning/learn-from-people.ts";
import type { Vote } from "../../src/pipeline/runs/ports.ts";
import { A, finding, finished, headChanged, minute, observed, subject } from "../pipeline/review/story.ts";
import { deskForEach } from "./desk.ts";

const desk = deskForEach(() => minute(9));
beforeEach(async () => {
  await desk.tell(headChanged(A), observed("run-a", A));
  await desk.tell(finished("run-a", [finding("one", { id: "F-AAA2" }), finding("two", { id: "F-BBB2" })]));
  const placed = [{ findingId: "F-AAA2", placement: "comment", commentId: 1 } as const];
  await desk.tell({ type: "findings.posted", subject, at: minute(3), newRunId: "x", runId: "run-a", placed });
  await desk.tell(headChanged("b".repeat(40)));
});

const person = (id: number, kind: Actor["kind"] = "user"): Actor => ({ login: `p-${id}`, id, kind });

/** GitHub as it answers at this moment, and how often it was asked for a role. */
async function look(votes: readonly Vote[], mayPush = (_login: string) => true): Promise<number> {
  let asked = 0;
  const comments = {
    readVotes: async (_subject: unknown, ids: readonly number[]) =>
      votes.filter(({ commentId }) => ids.includes(commentId)),
    readRole: async (_repository: unknown, login: string) => {
      asked += 1;
      return mayPush(login) ? ("write" as const) : ("read" as const);
    },
  };
  await desk.work((about, { fence, signal }) => {
    const dependencies = { store: desk.store(), makeId: desk.makeId, now: desk.now, comments };
    return learnReactions(dependencies, { ...about, fence, signal });
  });
  return asked;
}
const learnt = async () =>
  (await desk.feedback(subject)).map(({ actor, payload }) => [actor?.id, "is" in payload && payload.is]);

it("HUM-4: people who may push are heard, each once for a finding, and nobody else", async () => {
  await look(
    [
      { commentId: 1, by: person(1), is: "down" },
      { commentId: 1, by: person(1), is: "up" },
      { commentId: 1, by: person(2), is: "up" },
      { commentId: 1, by: person(3, "bot"), is: "down" },
      { commentId: 7, by: person(4), is: "down" },
    ],
    (login) => login !== "p-2",
  );
  expect(await learnt()).toEqual([[1, "down"]]);
});

it("a flood of reactions asks GitHub for thirty people at most", async () => {
  const flood = Array.from({ length: 400 }, (_, id): Vote => ({ commentId: 1, by: person(id + 1), is: "down" }));
  expect(await look(flood)).toBe(30);
  expect(await learnt()).toHaveLength(30);
});

it("a comment that was deleted has no votes, and hearing of it again changes nothing", async () => {
  await look([{ commentId: 1, by: person(1), is: "up" }]);
  await desk.tell(headChanged("c".repeat(40)));
  await look([]);
  await desk.tell(headChanged("d".repeat(40)));
  await look([{ commentId: 1, by: person(1), is: "down" }]);
  expect(await learnt()).toEqual([[1, "up"]]);
});
