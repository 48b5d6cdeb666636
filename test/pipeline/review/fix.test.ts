import { describe, expect, it } from "vitest";
import { fixTrace } from "../../../src/domain/command-source.ts";
import type { Command } from "../../../src/domain/commands.ts";
import { type ErrorFacts, errorFacts, ForgeError } from "../../../src/domain/errors.ts";
import type { SuggestedFix } from "../../../src/domain/findings.ts";
import type { BranchPushed, CommandGiven, EffectFailed, FixesMade } from "../../../src/domain/inputs.ts";
import type { Story } from "./story.ts";
import {
  A,
  ana,
  B,
  BASE,
  command,
  ends,
  finding,
  finished,
  given,
  headChanged,
  minute,
  OWN,
  observed,
  subject,
} from "./story.ts";

const fix: SuggestedFix = { file: "src/a.ts", startLine: 4, endLine: 4, before: "a", after: "b" };
const source = { kind: "issue_comment", id: "12" } as const;
const branch = { isDefault: false, isProtected: false };
const prepared = { branch: "topic", onto: A, headSha: B, applied: ["F-AAA"], left: [] };

/** Head A was reviewed: one error and one warning with a fix, and one warning without. */
function reviewed(): Story {
  const found = [
    finding("BBB", { fix }),
    finding("AAA", { fix, severity: "error" }),
    finding("CCC", { severity: "warning" }),
  ];
  return given(headChanged(A), observed("run-a", A), finished("run-a", found));
}

function asked(findings: string[] = [], to: Partial<CommandGiven> = {}): CommandGiven {
  const parsed: Command = { name: "fix", findings };
  return command(parsed, { source, branch, ...to });
}

function made(outcome: FixesMade["outcome"] = { prepared }): FixesMade {
  return {
    ...{ type: "fixes.made", subject, at: minute(6), newRunId: "unused", source, index: 0, by: ana, outcome },
  };
}

function pushed(movedTo?: string | null): BranchPushed {
  const runId = fixTrace({ source, index: 0 });
  const moved = movedTo === undefined ? {} : { movedTo };
  return {
    ...{ type: "branch.pushed", subject, at: minute(7), newRunId: "unused", runId, branch: "topic", headSha: B },
    ...moved,
  };
}

function refusalOf(story: Story, input: CommandGiven) {
  const [event] = story.when(input).appends.flatMap(({ events }) => events);
  return event?.type === "command.refused" ? event.payload.refusal : event?.type;
}

const said = (story: Story) => story.effects.slice(-2).map(({ payload }) => payload);

describe("/forge fix", () => {
  it("is done by a job, for all that have a fix, the most important first, and is not done yet", () => {
    const story = reviewed();
    const decision = story.when(asked());
    const payload = { subject, source, index: 0, by: ana, at: minute(5), headSha: A, findings: ["F-AAA", "F-BBB"] };
    expect(decision.jobs).toEqual([{ kind: "fix", key: `fix:${OWN}`, payload, runAt: minute(5) }]);
    expect(story.effectsOf(decision)).toEqual([]);
  });

  it("means the findings that are named, each once, or the one in whose thread it stands", () => {
    const named = reviewed().when(asked(["f-bb", "F-BBB"]));
    expect(named.jobs).toMatchObject([{ payload: { findings: ["F-BBB"] } }]);
    const story = reviewed();
    const placed = [{ findingId: "F-BBB", placement: "comment", commentId: 9 } as const];
    story.when({ type: "findings.posted", subject, at: minute(3), newRunId: "unused", runId: "run-a", placed });
    expect(story.when(asked([], { thread: 9 })).jobs).toMatchObject([{ payload: { findings: ["F-BBB"], thread: 9 } }]);
  });

  it.each([
    ["an unknown one", ["F-BBB", "F-XXX"], { reason: "unknown_finding", written: "F-XXX" }],
    ["one without a fix", ["F-AAA", "F-CCC"], { reason: "nothing_to_fix", findings: ["F-CCC"] }],
  ])("does nothing when among the named is %s", (_what, findings, refusal) => {
    expect(refusalOf(reviewed(), asked(findings))).toMatchObject(refusal);
  });

  it("has nothing to do for what is dismissed, or where nothing has a fix", () => {
    const story = reviewed();
    story.when(command({ name: "dismiss", finding: "F-AAA", reason: "", scope: { kind: "here" } }));
    expect(refusalOf(story, asked(["F-AAA"]))).toEqual({
      reason: "finding_closed",
      findingId: "F-AAA",
      state: "dismissed",
    });
    expect(refusalOf(given(headChanged(A)), asked())).toEqual({ reason: "nothing_to_fix", findings: [] });
  });

  it.each<[string, Partial<CommandGiven>, object]>([
    ["a fork", { pull: pull({ headRepositoryId: 12 }) }, { reason: "cannot_push", why: "fork" }],
    ["a fork that is gone", { pull: pull({ headRepositoryId: null }) }, { reason: "cannot_push", why: "fork" }],
    [
      "the default branch",
      { branch: { ...branch, isDefault: true } },
      { reason: "cannot_push", why: "default_branch" },
    ],
    ["a protected branch", { branch: { ...branch, isProtected: true } }, { reason: "cannot_push", why: "protected" }],
    ["a closed pull request", { pull: { ...pull({}), open: false } }, { reason: "closed", name: "fix" }],
    ["somebody without push", { role: "triage" }, { reason: "role", needs: "write" }],
  ])("GH-8c: is refused for %s", (_what, to, refusal) => {
    expect(refusalOf(reviewed(), asked([], to))).toMatchObject(refusal);
  });

  it("is refused where the branch could not be read, where Forge is paused, and while another one is at work", () => {
    const { branch: _unread, ...unread } = asked();
    expect(refusalOf(reviewed(), unread)).toEqual({ reason: "cannot_push", why: "gone" });
    const paused = reviewed();
    paused.when(command({ name: "pause", repository: false }));
    expect(refusalOf(paused, asked())).toEqual({ reason: "paused", by: "ana", scope: "subject", name: "fix" });
    const story = reviewed();
    story.when(asked());
    const second = { ...source, id: "13" };
    expect(refusalOf(story, asked([], { source: second }))).toEqual({ reason: "fixing" });
    story.when(made({ left: [] }));
    expect(refusalOf(story, asked([], { source: { ...source, id: "14" } }))).toBe("command.received");
  });
});

describe("GH-13: what comes of it", () => {
  it("is one push onto the head it was made for, however often the work is done", () => {
    const story = reviewed();
    story.when(asked());
    const first = story.when(made());
    expect(story.effectsOf(first)).toEqual(["branch.push"]);
    expect(story.effects.at(-1)).toMatchObject({
      key: `${OWN}/${B}/branch.push/issue_comment:12#0`,
      payload: { branch: "topic", headSha: B, expected: A, theirs: true },
    });
    expect(story.when(made()).ignored).toBe("its commit is made already");
    expect(story.when(made({ refusal: { reason: "branch_moved", headSha: A, movedTo: B } })).ignored).toBeDefined();
  });

  it("is said once when it is there", () => {
    const story = reviewed();
    story.when(asked());
    story.when(made());
    const done = story.when(pushed());
    expect(done.appends[0]?.events).toMatchObject([{ type: "fix.settled", payload: { headSha: B }, actor: ana }]);
    expect(said(story)).toMatchObject([
      { content: "rocket", commentId: 12 },
      { answer: { kind: "fixed", headSha: B, applied: ["F-AAA"], left: [] } },
    ]);
    expect(story.when(pushed()).ignored).toBe("no fix waits for that push");
    expect(story.when(made()).ignored).toBe("this fix was settled before");
  });

  it("is that nothing was done, where somebody pushed meanwhile or nothing fits", () => {
    const moved = reviewed();
    moved.when(asked());
    moved.when(made());
    moved.when(pushed(BASE));
    const refusal = { reason: "branch_moved", headSha: A, movedTo: BASE };
    expect(said(moved)).toMatchObject([{ content: "confused" }, { answer: { kind: "refused", refusal } }]);
    const none = reviewed();
    none.when(asked());
    none.when(made({ left: [{ findingId: "F-AAA", file: "src/a.ts", why: "changed" }] }));
    expect(said(none)).toMatchObject([{ content: "confused" }, { answer: { kind: "fixed", applied: [] } }]);
  });

  it("is what GitHub said, where it does not take the commit", () => {
    const story = reviewed();
    story.when(asked());
    story.when(made());
    const error: ErrorFacts = errorFacts(
      new ForgeError("push_protected", "GitHub refused it.", { source: "permission" }),
    );
    const key = `${OWN}/${B}/branch.push/issue_comment:12#0`;
    const { runId } = pushed();
    const failed: EffectFailed = {
      ...{ type: "effect.failed", subject, at: minute(7), newRunId: "unused", runId, error },
      effect: { key, kind: "branch.push" },
    };
    const types = story.when(failed).appends.flatMap(({ events }) => events.map(({ type }) => type));
    expect(types).toEqual(["error.escalated", "fix.settled"]);
    const refusal = { reason: "push_refused", message: "GitHub refused it." };
    expect(said(story)).toMatchObject([{ content: "confused" }, { answer: { kind: "refused", refusal } }]);
  });
});

function pull(to: Partial<ReturnType<typeof ends>> | { headRepositoryId: number | null }): CommandGiven["pull"] {
  return { open: true, ends: { ...ends(A), ...to }, title: "Add a cart" };
}
