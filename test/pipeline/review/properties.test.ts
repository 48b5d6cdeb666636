import { expect, it } from "vitest";
import { findBrokenLink } from "../../../src/domain/events.ts";
import type { PullInput } from "../../../src/domain/inputs.ts";
import { replay } from "../../../src/pipeline/review/evolve.ts";
import { ownsSubject } from "../../../src/pipeline/review/run-state.ts";
import fc from "../../properties.ts";
import { ana, command, ends, finding, finished, headChanged, minute, observed, Story, subject } from "./story.ts";

const shas = ["a", "b", "c"].map((letter) => letter.repeat(40));
const error = {
  code: "x",
  source: "logic",
  severity: "high",
  recoverability: "auto",
  message: "x",
  context: {},
} as const;

/** Any order of what may happen: pushes, closings, and workers that come late with results of any run. */
const anyInput = fc.record({
  what: fc.constantFrom("push", "again", "close", "observe", "finish", "fail", "gone", "stop", "resume", "trust"),
  sha: fc.constantFrom(...shas),
  run: fc.nat(12),
  found: fc.subarray(["one", "two", "three"]),
  flag: fc.boolean(),
});

function toInput(
  step: number,
  { what, sha, run, found, flag }: typeof anyInput extends fc.Arbitrary<infer T> ? T : never,
): PullInput {
  const runId = `run-${run % (step + 1)}`;
  const at = minute(step * 13);
  const base = { subject, at, newRunId: `run-${step}` };
  switch (what) {
    case "push":
      return headChanged(sha, { at, runId: `run-${step}` });
    case "again":
      return headChanged(sha, {
        at,
        runId: `run-${step}`,
        request: { id: `ask-${run}`, reason: "rerequested", automatic: false },
      });
    case "close":
      return { ...base, type: "pull_request.closed", by: ana, merged: flag };
    case "stop":
    case "resume":
    case "trust":
      return command({ name: what }, { at, newRunId: `run-${step}`, pull: { open: flag, ends: ends(sha), title: "" } });
    case "gone":
      return { ...base, type: "subject.gone", reason: "repository_gone" };
    case "observe":
      return observed(runId, sha, { at, draft: flag, open: step % 5 !== 0 });
    case "finish":
      return finished(
        runId,
        found.map((name) => finding(name, { severity: flag ? "error" : "warning" })),
        { at },
      );
    default:
      return { ...finished(runId, [], { at }), type: "review.failed", error, attempts: 1, final: flag };
  }
}

it("PIPE-2, PIPE-3: any order of inputs leaves at most one active run, one opening and one ending a check, and an intact log", () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 40 }), (steps) => {
      const story = new Story();
      for (const [i, step] of steps.entries()) {
        story.when(toInput(i, step));
        expect(story.runs().filter(ownsSubject).length).toBeLessThanOrEqual(1);
      }
      const keys = story.effects.map((effect) => effect.key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const run of story.runs()) {
        const events = story.events.get(run.runId)!;
        expect(findBrokenLink(events)).toBeUndefined();
        expect(replay(structuredClone(events))).toEqual(run);
        const endings = events.filter((event) => /^run\.(completed|failed|cancelled)$/.test(event.type));
        expect(endings.length).toBe(ownsSubject(run) ? 0 : 1);
      }
    }),
    { numRuns: 300 },
  );
});
