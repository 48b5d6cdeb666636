import { expect, it } from "vitest";
import { findBrokenLink, parseEvent } from "../../../src/domain/events.ts";
import { FORGE } from "../../../src/domain/subjects.ts";
import { replayImplementation } from "../../../src/pipeline/implement/evolve.ts";
import { ownsIssue } from "../../../src/pipeline/implement/implementation.ts";
import { restorePointOf } from "../../../src/pipeline/implement/restore-point.ts";
import { projectImplementation } from "../../../src/pipeline/implement/status-of.ts";
import fc from "../../properties.ts";
import { ANA, BEN, PEOPLE } from "../../simulation/cast.ts";
import { A, aPlan, B, IssueStory, observed, opened, pushed, reviewed, sha, tested, took, worked } from "./story.ts";

const error = {
  code: "x",
  source: "logic",
  severity: "high",
  recoverability: "auto",
  message: "x",
  context: {},
} as const;
const ci = { from: "ci", name: "build", app: "actions", checkRunId: 1, conclusion: "failure" } as const;
const review = { from: "person", reviewId: 9, by: { login: "ben", id: 2, kind: "user" } } as const;

/** Anything that may be told, at any moment, about any head and any run. */
const anything = fc.record({
  what: fc.nat(28),
  version: fc.nat(30),
  head: fc.constantFrom(A, B, sha("d"), "0".repeat(40)),
  other: fc.constantFrom(A, B, sha("d"), null),
  by: fc.constantFrom(...PEOPLE),
  gate: fc.constantFrom("G-1", "G-2", "G-3"),
  level: fc.constantFrom("low", "high", "critical"),
  phase: fc.constantFrom("planning", "implementation", "review", "testing"),
  flag: fc.boolean(),
  minutes: fc.constantFrom(0, 0, 0, 1, 1, 1, 90, 1_500),
});
type Anything = typeof anything extends fc.Arbitrary<infer T> ? T : never;

/** Two of three steps are the one that the run waits for: else nothing would come far. */
function happen(story: IssueStory, step: Anything): void {
  const { what, version, head, other, by, gate, level, phase, flag } = step;
  const runId = story.ledger.runs.size > 0 ? story.run.runId : "run-1";
  const tell = (input: Parameters<IssueStory["when"]>[0]) =>
    story.when({ ...input, ...("runId" in input ? { runId } : {}) });
  switch (what) {
    case 0:
      return void story.command({ name: "implement" }, by);
    case 1:
      return void tell(observed(undefined, flag));
    case 2:
      return void tell(aPlan(level));
    case 3:
      return void tell(worked(head));
    case 4:
      return void tell(pushed(head));
    case 5:
      return void tell(pushed(head, other));
    case 6:
      return void tell(opened);
    case 7:
      return void tell(reviewed(head, { risk: level, found: flag ? 1 : 0, criticalSecurity: flag ? 1 : 0 }));
    case 8:
      return void tell(tested(head, flag ? {} : { outcome: "failed" }));
    case 9:
      return void story.command({ name: "approve", gate, ...(flag ? { note: "so" } : {}) }, by);
    case 10:
      return void story.command({ name: "reject", gate }, by);
    case 11:
      return void story.command({ name: "stop" }, by);
    case 12:
      return void story.command({ name: "resume" }, by);
    case 13:
      return void story.command(flag ? { name: "retry" } : { name: "retry", phase }, by);
    case 14:
      return void story.command({ name: "extend", limit: "usd", amount: 3 }, by);
    case 15:
      return void tell({
        type: "work.halted",
        ...took,
        costUsd: 3,
        reason: "x",
        ...(flag ? { limit: "usd" } : {}),
      });
    case 16:
      return void tell({ type: "work.failed", runId, error, attempts: 3, final: flag });
    case 17:
      return void tell({ type: "branch.moved", by: flag ? FORGE : BEN, headSha: head, looked: flag });
    case 18:
      return void tell({ type: "pull.ended", by: BEN, merged: flag });
    case 19:
      return void tell({ type: "issue.ended", by: BEN, reason: flag ? "label_removed" : "issue_closed" });
    case 20:
      return void tell({ type: "pull.signalled", signal: flag ? review : { ...ci, headSha: head } });
    case 21: {
      const feedback = [{ from: "ci", id: "CI-1", name: "build", message: "x" }] as const;
      return void tell({ type: "signal.read", runId, signal: flag ? review : { ...ci, headSha: head }, feedback });
    }
    case 22:
      return void story.command({ name: "fix", findings: [] }, by);
    case 23: {
      const question = { type: "question", agentId: "agent:1", question: "Which?", phase: "planning" } as const;
      return void tell({ type: "work.suspended", runId, question, needs: "write" });
    }
    case 24:
      return void story.command({ name: "answer", text: "this" }, by);
    case 25:
      return void tell({ type: "effect.failed", runId, effect: { key: "x", kind: "branch.push" }, error });
    case 26:
      return void tell({ type: "subject.gone", reason: "repository_gone" });
    case 27: {
      const restore = story.ledger.runs.size > 0 ? restorePointOf(story.events(), version) : { notRestorable: "x" };
      return void story.command({ name: "retry", checkpoint: version }, by, { restore });
    }
    default:
      return void tell({ type: "work.unnecessary", ...took, costUsd: 1, reason: "x" });
  }
}

/** What a well-meaning world would tell next. */
function wanted(story: IssueStory, step: Anything): Anything {
  if (story.ledger.runs.size === 0) return { ...step, what: 0, by: ANA };
  const { run } = story;
  if (!ownsIssue(run)) return { ...step, what: 0, by: BEN };
  if (run.status === "pending") return { ...step, what: 1, flag: true };
  if (run.stopped) return { ...step, what: run.stopped.limit ? 14 : 12, by: BEN };
  const open = run.gates.find(({ standing }) => standing.is === "open");
  if (open && Date.parse(open.deadline) <= Date.parse(story.at())) return { ...step, what: 1, flag: true };
  if (open) return { ...step, what: open.question.type === "question" ? 24 : 9, gate: open.gate as "G-1", by: BEN };
  const head = (run.work?.headSha ?? A) as typeof step.head;
  switch (story.next) {
    case "planning":
      return { ...step, what: 2 };
    case "implementation":
    case "join":
      return { ...step, what: 3, head: head === A && run.work ? B : head };
    case "review":
      return { ...step, what: 7, head };
    case "testing":
      return { ...step, what: 8, head, flag: true };
    case "read":
      return { ...step, what: 21 };
    case "look":
      return { ...step, what: 20 };
    default:
      return run.pushed === head ? { ...step, what: 6 } : { ...step, what: 4, head };
  }
}

it("PIPE-2, PIPE-3: any order of inputs leads to legal states, throws nothing, and is told by its events alone", () => {
  let deepest = 0;
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 60, size: "max" }), (steps) => {
      // After every input the story looks whether the state is legal.
      const story = new IssueStory();
      for (const [index, step] of steps.entries()) {
        story.minutes += step.minutes;
        happen(story, index % 3 === 2 ? step : wanted(story, step));
        expect([...story.ledger.runs.values()].filter(ownsIssue).length).toBeLessThanOrEqual(1);
      }
      const keys = new Map<string, unknown>();
      for (const { effect } of story.ledger.effects.values()) keys.set(effect.key, effect.payload);
      expect(keys.size).toBe(story.ledger.effects.size);
      for (const run of story.ledger.runs.values()) {
        const events = story.ledger.events.get(run.runId)!;
        expect(findBrokenLink(events)).toBeUndefined();
        const stored = events.map((event) => parseEvent(JSON.parse(JSON.stringify(event))));
        expect(replayImplementation(stored)).toEqual(run);
        expect(projectImplementation(run).version).toBe(events.length);
        if (run.readyHead !== undefined) deepest += 1;
      }
    }),
    { numRuns: 500, endOnFailure: true },
  );
  expect(deepest).toBeGreaterThan(5);
});

it("GH-4: a command that is told again is ignored, whatever happened meanwhile", () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 25 }), fc.nat(5), (steps, late) => {
      const story = new IssueStory();
      for (const step of steps) happen(story, wanted(story, step));
      const again = () => story.command({ name: "stop" }, BEN, { as: 1 });
      again();
      for (const step of steps.slice(0, late)) happen(story, step);
      const before = story.ledger.effects.size;
      expect(again().ignored).toBe("this command was settled before");
      expect(story.ledger.effects.size).toBe(before);
    }),
    { numRuns: 100 },
  );
});
