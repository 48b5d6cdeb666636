import { expect, it } from "vitest";
import { type Environment, environmentSubject } from "../../../src/domain/deployments.ts";
import type { GateQuestion } from "../../../src/domain/gates.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { NumberedSubject, Subject } from "../../../src/domain/subjects.ts";
import { gateMeant } from "../../../src/pipeline/commands/gate-meant.ts";
import { askPerson } from "../../../src/pipeline/implement/ask-person.ts";
import { IMPLEMENT } from "../../../src/pipeline/implement/kind.ts";
import { suspendReview } from "../../../src/pipeline/review/gates.ts";
import { loadView } from "../../../src/pipeline/review/load-view.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { run } from "../../store/fixtures.ts";
import { deployWorld, PULL } from "./deploy-world.ts";

const world = deployWorld("staging");
const makeId = createIdMaker();
const AT = "2026-11-20T10:00:00.000Z";
const OVERRUN: GateQuestion = { type: "cost_overrun", usedUsd: 2, limitUsd: 2, next: "read on" };
const ISSUE: NumberedSubject = { ...PULL, kind: "issue", number: 5 };

/** A merge waits for a person's yes to staging, and its comment is on the pull request or the issue. */
async function asked(about: Subject = PULL): Promise<void> {
  const runId = await world.request({ about });
  await world.observe({}, { approval: true });
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
}
/** Something else waits too, with this number. */
async function waits(runId: string, subject: Subject, gate: string, more: object = {}): Promise<void> {
  const payload = { gate, question: OVERRUN, headSha: "a".repeat(40), deadline: AT, needs: "write" } as const;
  const appends = [{ traceId: runId, expectedVersion: 0, events: [{ type: "gate.requested" as const, payload }] }];
  const projected = run(runId, "waiting", { subject, ...more });
  await commitDecision(world.store, { appends, run: [projected], at: AT, makeId, source: "test" });
}
const meant = (place: Subject, gate?: string, environment?: Environment) =>
  gateMeant(world.store, place, gate, environment);
const STAGING = { is: "deployment", environment: "staging", gate: "G-1" };

it("SAFE-3: an answer reaches the deployment whose comment is there, and none of another conversation", async () => {
  await asked();
  expect([await meant(PULL), await meant(PULL, "G-1"), await meant(PULL, "G-2")]).toEqual([
    STAGING,
    STAGING,
    { is: "own" },
  ]);
  const other = { ...PULL, number: 13 };
  expect([await meant(other), await meant(other, "G-1")]).toEqual([{ is: "own" }, { is: "own" }]);
});

it("SAFE-3: of two open gates the number says which; without one people are asked, and a number that both have answers neither", async () => {
  await asked();
  await waits("other", PULL, "G-2");
  expect(await meant(PULL, "G-2")).toEqual({ is: "own" });
  expect(await meant(PULL, "G-1")).toEqual(STAGING);
  expect(await meant(PULL)).toEqual({
    ...{ is: "unclear", refusal: { reason: "which_gate", open: ["G-2", "G-1"] } },
  });
  await waits("same", { ...PULL }, "G-1", { kind: "implement" });
  expect(await meant(PULL, "G-1")).toEqual({
    ...{ is: "unclear", refusal: { reason: "same_gate", gate: "G-1", environments: ["staging"] } },
  });
  // The environment says that the deployment is meant, and never the other question.
  expect(await meant(PULL, "G-1", "staging")).toEqual(STAGING);
  for (const [gate, environment] of [
    ["G-1", "production"],
    ["G-2", "staging"],
  ] as const)
    expect(await meant(PULL, gate, environment)).toEqual({
      is: "unclear",
      refusal: { reason: "unknown_gate", written: `${environment} ${gate}`, open: ["G-2", "G-1", "G-1"] },
    });
});

it("SAFE-3: an answer on a pull request by Forge reaches the deployment whose comment is on its issue", async () => {
  await waits("work", ISSUE, "G-1", { kind: "implement", pullNumber: PULL.number, branch: "forge/5" });
  await asked(ISSUE);
  expect(await meant(PULL, "G-2")).toEqual({ ...STAGING, gate: "G-2" });
  expect(await meant(ISSUE, "G-2")).toEqual({ ...STAGING, gate: "G-2" });
  expect(await meant({ ...PULL, number: 13 }, "G-2")).toEqual({ is: "own" });
});

it("SAFE-3: numbers of gates differ among deployments and within a conversation", async () => {
  await waits("production", environmentSubject(PULL.repository, "production"), "G-4", { kind: "deploy" });
  await asked(ISSUE);
  expect((await world.standing()).gate?.gate).toBe("G-5");
  const input = { at: AT, newRunId: makeId(), runId: "none" };
  const issue = await IMPLEMENT.load(world.store, { ...input, type: "work.looked", subject: ISSUE } as never);
  const looked = { runId: "r", subject: ISSUE, gates: [] } as never;
  expect(askPerson(issue, looked, OVERRUN, AT).gate.gate).toBe("G-6");
});

it("SAFE-3: a review that asks while a deployment waits on its pull request takes another number", async () => {
  await asked();
  const suspended = { type: "review.suspended", runId: "r", subject: PULL, at: AT, newRunId: makeId() } as const;
  const view = await loadView(world.store, { ...suspended, question: OVERRUN, needs: "write" });
  const running = {
    status: "running",
    runId: "r",
    subject: PULL,
    request: { id: "d" },
    ends: { headSha: "a".repeat(40) },
    phase: "review",
  };
  const decision = suspendReview({ ...view, addressed: running } as never, {
    ...suspended,
    question: OVERRUN,
    needs: "write",
  });
  expect(decision.appends[0]?.events[0]?.payload).toMatchObject({ gate: "G-2" });
});
