import { expect, it } from "vitest";
import type { LearntEvent } from "../../src/domain/events.ts";
import type { PullInput } from "../../src/domain/inputs.ts";
import type { RunOutcome } from "../../src/domain/ladder.ts";
import { subjectKey } from "../../src/domain/subjects.ts";
import { standingsOf } from "../../src/safety/ladder.ts";
import { nextEffects } from "../../src/store/effects/read-effects.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { readOutcomes } from "../../src/store/runs/level-record.ts";
import { readRepositoryFacts } from "../../src/store/runs/repository-facts.ts";
import { A, command, finished, headChanged, minute, observed, subject } from "../pipeline/review/story.ts";
import { outcome, outcomes } from "../safety/level-record.ts";
import { deskForEach } from "./desk.ts";

const desk = deskForEach(() => minute(9));

const came = (of: RunOutcome, more: readonly LearntEvent[] = [], at = minute(9)): PullInput => ({
  ...{ type: "learning.observed", subject, at, newRunId: "x", cause: of.cause },
  events: [{ type: "run.outcome", payload: of }, ...more],
});
const repository = subject.repository.id;
const levelNow = async () => (await readRepositoryFacts(desk.store(), repository)).level;

it("SAFE-4: an outcome counts once, and a later one of the same run takes its place, whatever the clock says", async () => {
  await desk.tell(headChanged(A), observed("run-a", A), finished("run-a", []));
  const merged = outcome({ runId: "run-a", outcome: "merged", cause: "run-a merged" });
  const missed = outcome({ runId: "run-a", outcome: "missed", cause: "run-a missed" });
  await desk.tell(came(merged), came(merged), came(missed, [], minute(0)), came(merged));
  expect((await readOutcomes(desk.store(), repository)).map((one) => one.outcome.outcome)).toEqual(["missed"]);
});

it("SAFE-4: a miss takes the level down at once and says why where it happened; what was decided on an older level is decided anew", async () => {
  await desk.tell(headChanged(A), observed("run-a", A), finished("run-a", []));
  const ladder = { standings: standingsOf(outcomes(60, 0)), actions: [] };
  await desk.tell(command({ name: "level", level: 1 }, { ladder }));
  const miss = { is: "reverted", action: "approved", by: { commit: A } } as const;
  const cause = "run-a missed";
  const demoted = (after: number): LearntEvent => {
    return { type: "level.demoted", payload: { cause, from: 1, level: 0, carries: {}, after, miss } };
  };
  const missed = outcome({ runId: "run-a", outcome: "missed", cause });
  await expect(desk.tell(came(missed, [demoted(0)]))).rejects.toMatchObject({ code: "version_conflict" });
  expect((await levelNow())?.level).toBe(1);
  await desk.tell(came(missed, [demoted(1)]));
  expect(await levelNow()).toMatchObject({ level: 0, changes: 2, by: "forge", miss });
  const said = await nextEffects(desk.store(), subject);
  expect(said.filter(({ kind, key }) => kind === "comment.reply" && key.includes(cause))).toMatchObject([
    { payload: { answer: { kind: "demoted", from: 1, to: 0, miss } } },
  ]);
  // The record begins anew, and the log says all of it.
  expect(await readOutcomes(desk.store(), repository)).toEqual([]);
  const types = (await readEvents(desk.store(), subjectKey(subject))).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("level.") || type === "run.outcome")).toEqual([
    ...["level.set", "run.outcome", "level.demoted"],
  ]);
});
