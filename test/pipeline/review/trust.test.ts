import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/domain/commands.ts";
import type { LayerReport } from "../../../src/domain/review-report.ts";
import { A, B, command, coverage, ends, finished, given, headChanged, minute, OWN, observed } from "./story.ts";

const trust: Command = { name: "trust" };

/** Head A was reviewed, and its AI layer came to this. */
function reviewed(state: LayerReport["state"]) {
  const layers: LayerReport[] = [{ layer: "ai", state, tools: [] }];
  return given(headChanged(A), observed("run-a", A), finished("run-a", [], { coverage: coverage({ layers }) }));
}

function said(story: ReturnType<typeof given>) {
  const reply = story.effects.findLast(({ kind }) => kind === "comment.reply");
  return reply?.kind === "comment.reply" ? reply.payload.answer : undefined;
}

describe("GH-8c: /forge trust", () => {
  it("has the head reviewed anew whose AI layer waited, and says nothing more", () => {
    const story = reviewed("waiting");
    const decision = story.when(command(trust, { role: "triage" }));
    expect(decision.jobs.map(({ kind }) => kind)).toContain("review");
    expect(story.runs().at(-1)).toMatchObject({ status: "pending", request: { automatic: false } });
    expect(story.types(OWN)).toEqual(["command.received", "subject.trusted"]);
    expect(story.effectsOf(decision)).not.toContain("comment.reply");
  });

  it.each([
    ["not_waiting", reviewed("ran"), {}],
    ["not_waiting", reviewed("waiting"), { pull: { open: true, ends: ends(B), title: "" } }],
    ["at_work", given(headChanged(A)), {}],
    ["closed", reviewed("waiting"), { pull: { open: false, ends: ends(A), title: "" } }],
  ] as const)("is kept where nothing follows at once, and says why: %s", (because, story, to) => {
    const decision = story.when(command(trust, to));
    expect(decision.jobs.map(({ kind }) => kind)).toEqual(["effects"]);
    expect(said(story)).toEqual({ kind: "trusted", because });
    expect(story.types(OWN)).toContain("subject.trusted");
  });

  it("waits where Forge is paused, and where the limit of reviews is reached", () => {
    const paused = reviewed("waiting");
    paused.when(command({ name: "pause", repository: false }));
    paused.when(command(trust));
    expect(said(paused)).toEqual({ kind: "trusted", because: "paused" });
    const busy = reviewed("waiting");
    const layers: LayerReport[] = [{ layer: "ai", state: "waiting", tools: [] }];
    for (const n of [1, 2, 3, 4, 5]) {
      const request = { id: `ask-${n}`, reason: "rerequested", automatic: false } as const;
      busy.when(headChanged(A, { at: minute(3), runId: `run-${n}`, request }));
      busy.when(observed(`run-${n}`, A, { at: minute(3) }));
      busy.when(finished(`run-${n}`, [], { at: minute(4), coverage: coverage({ layers }) }));
    }
    busy.when(command(trust));
    expect(said(busy)).toEqual({ kind: "trusted", because: "limit" });
  });

  it("is recorded once, and can be taken back once", () => {
    const story = reviewed("ran");
    story.when(command(trust));
    story.when(command(trust));
    story.when(command({ name: "untrust" }));
    expect(story.refusal()).toBeUndefined();
    story.when(command({ name: "untrust" }));
    expect(story.refusal()).toEqual({ reason: "not_trusted" });
    const trusting = story.types(OWN).filter((type) => /trusted$/.test(type));
    expect(trusting).toEqual(["subject.trusted", "subject.untrusted"]);
  });

  it("needs triage: the author of the pull request is nobody special", () => {
    const story = reviewed("waiting");
    story.when(command(trust, { role: "read" }));
    expect(story.refusal()).toMatchObject({ reason: "role", needs: "triage" });
    expect(story.types(OWN)).not.toContain("subject.trusted");
  });
});
