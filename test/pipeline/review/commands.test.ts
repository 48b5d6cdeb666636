import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/domain/commands.ts";
import { findBrokenLink } from "../../../src/domain/events.ts";
import type { RequestMade } from "../../../src/domain/inputs.ts";
import type { Role } from "../../../src/domain/subjects.ts";
import { reachVerdict } from "../../../src/pipeline/review/verdict.ts";
import fc from "../../properties.ts";
import {
  A,
  ana,
  B,
  command,
  coverage,
  ends,
  finding,
  finished,
  given,
  headChanged,
  minute,
  OWN,
  observed,
  type Story,
  subject,
} from "./story.ts";

function comment(to: Partial<RequestMade> = {}): RequestMade {
  return {
    type: "request.made",
    subject,
    at: minute(4),
    newRunId: "unused",
    source: { kind: "issue_comment", id: "1" },
    by: ana,
    deliveryId: "d1",
    bodyHash: "0",
    plain: false,
    ...to,
  };
}

const dismiss = (id: string, to: Partial<Extract<Command, { name: "dismiss" }>> = {}): Command => {
  return { name: "dismiss", finding: id, reason: "known", scope: { kind: "here" }, ...to };
};
const error = { severity: "error" } as const;

/** Head A was reviewed and has these findings. */
function reviewed(...found: ReturnType<typeof finding>[]): Story {
  return given(headChanged(A), observed("run-a", A), finished("run-a", found));
}

function revision(story: Story) {
  const effect = story.effects.findLast(({ kind }) => kind === "check.revise");
  return effect?.kind === "check.revise" ? effect.payload : undefined;
}

describe("GH-4: a comment is taken once", () => {
  it("acknowledges it and puts a job for it, and ignores it when it comes again", () => {
    const story = given();
    const first = story.when(comment());
    expect(story.effectsOf(first)).toEqual(["comment.react"]);
    expect(first.jobs.map(({ kind, key }) => [kind, key])).toEqual([
      ["command", `command:${OWN}`],
      ["effects", "effects:11"],
    ]);
    expect(story.when(comment({ deliveryId: "d2" })).ignored).toBe("this comment was taken before");
    expect(story.when(comment({ source: { kind: "review", id: "1" } })).ignored).toBeUndefined();
  });

  it("GH-8b: takes none by a bot, and no talk outside a finding's thread", () => {
    const story = given();
    expect(story.when(comment({ by: { ...ana, kind: "bot" } })).ignored).toBe("bots start nothing");
    expect(story.when(comment({ plain: true, thread: 9 })).ignored).toBe("the reply is in no finding's thread");
  });

  it("carries each command out once, however often its job runs", () => {
    const story = reviewed(finding("AAA", error));
    const given = command(dismiss("F-AAA"));
    expect(story.when(given).ignored).toBeUndefined();
    expect(story.when(given).ignored).toBe("this command was settled before");
    expect(story.when({ ...given, index: 1 }).ignored).toBeUndefined();
  });
});

describe("GH-14: refusals", () => {
  const roles: [Command, Role, string][] = [
    [{ name: "review", full: false }, "read", "role"],
    [dismiss("F-NNN"), "read", "role"],
    [dismiss("F-NNN"), "triage", "unknown_finding"],
    [{ name: "override", check: "forge/review", reason: "r" }, "write", "role"],
    [{ name: "override", check: "forge/tests", reason: "r" }, "admin", "nothing_to_override"],
    [{ name: "undismiss", finding: "F-AAA" }, "admin", "not_dismissed"],
    [{ name: "dismiss", reason: "", scope: { kind: "here" } }, "admin", "which_finding"],
    [{ name: "unpause", repository: false }, "admin", "not_paused"],
  ];
  it.each(roles)("%j by %s: %s", (what, role, reason) => {
    const story = reviewed(finding("AAA", error));
    const decision = story.when(command(what, { role }));
    expect(story.refusal()?.reason).toBe(reason);
    expect(story.effectsOf(decision)).toEqual(["comment.react", "comment.reply"]);
    expect(story.ledger.get("F-AAA")?.state).toBe("open");
  });

  it("is said in words only where the command was all that was said", () => {
    const story = given();
    const what = command({ name: "review", full: false }, { role: "read", alone: false });
    expect(story.effectsOf(story.when(what))).toEqual(["comment.react"]);
  });

  it("a role that could not be read is no role", () => {
    const { role: _role, ...unread } = command({ name: "help" });
    const story = given(unread);
    expect(story.refusal()).toEqual({ reason: "role_unknown", name: "help" });
  });

  it("an override is for a settled check on the newest head", () => {
    const override = { name: "override", check: "forge/review", reason: "r" } as const;
    const story = reviewed(finding("AAA", error));
    story.when(command(override, { pull: { open: true, ends: ends(B), title: "" } }));
    expect(story.refusal()).toMatchObject({ why: "other_head" });
    story.when(headChanged(B));
    story.when(command(override, { pull: { open: true, ends: ends(B), title: "" } }));
    expect(story.refusal()).toMatchObject({ why: "at_work" });
  });

  it("GH-12a: says in words that a label or a button came to nothing, where GitHub has no reaction", () => {
    const story = reviewed();
    const failed = { type: "commands.void", refusal: { reason: "failed", code: "set_aside" }, at: minute(9) } as const;
    const of = (kind: "label" | "button" | "issue_comment") => {
      const handled = story.when({ ...failed, subject, source: { kind, id: "7" }, newRunId: "unused", by: ana });
      return story.effectsOf(handled);
    };
    expect([of("label"), of("button"), of("issue_comment")]).toEqual([
      ["comment.reply"],
      ["comment.reply"],
      ["comment.react"],
    ]);
  });

  it("SEC-7: an override that was written before the review of this head began, and came late, is about another head", () => {
    const override = { name: "override", check: "forge/review", reason: "r" } as const;
    const late = { updatedAt: "2026-11-20T12:00:05Z" };
    const story = given(headChanged(A), observed("run-a", A, late), finished("run-a", [finding("AAA", error)]));
    story.when(command(override, { writtenAt: "2026-11-20T12:00:04Z" }));
    expect(story.refusal()).toMatchObject({ why: "newer_head" });
    const settled = story.when(command(override, { writtenAt: "2026-11-20T12:00:05Z" }));
    expect(story.effectsOf(settled)).toContain("check.revise");
  });
});

describe("what a command changes at once", () => {
  it("a dismissal revises the check from the last review's coverage", () => {
    const story = reviewed(finding("AAA", error), finding("BBB", error));
    story.when(command(dismiss("F-AAA")));
    expect(revision(story)).toMatchObject({ conclusion: "failure", report: { blocking: 1, coverage: coverage() } });
    story.when(command(dismiss("F-BBB")));
    expect(revision(story)).toMatchObject({ conclusion: "success", report: { blocking: 0, findings: [] } });
    expect(story.ledger.get("F-AAA")).toMatchObject({ state: "dismissed", dismissal: { by: ana, reason: "known" } });
  });

  it("GH-8a: a reply in plain words dismisses what its thread is about, answers once and resolves the thread", () => {
    const story = reviewed(finding("AAA", error));
    const placed = [{ findingId: "F-AAA", placement: "comment", commentId: 9 }] as const;
    story.when({ ...finished("run-a", []), type: "findings.posted", placed: [...placed] });
    const talk = { plain: true, thread: 9, source: { kind: "review_comment", id: "12" } } as const;
    expect(story.when(comment(talk)).ignored).toBeUndefined();
    const plain: Command = { name: "dismiss", reason: "by design", scope: { kind: "here" } };
    expect(story.effectsOf(story.when(command(plain, { ...talk, role: "read" })))).toEqual([]);
    const decision = story.when(command(plain, { ...talk, source: { kind: "review_comment", id: "13" } }));
    expect(story.effectsOf(decision)).toEqual(["check.revise", "thread.resolve", "comment.react", "comment.reply"]);
    expect(story.effects.at(-1)?.payload).toMatchObject({
      thread: 9,
      answer: { kind: "dismissed", findingId: "F-AAA" },
    });
    const back = story.when(command({ name: "undismiss", finding: "F-AAA" }));
    expect(story.effectsOf(back)).toEqual(["check.revise", "thread.reopen", "comment.react"]);
  });

  it("GH-11a: dismissing everything never makes a check green that did not look at everything", () => {
    const partly = coverage({ uncovered: [{ path: "big.ts", reason: "too large", gap: true }] });
    const story = given(headChanged(A), observed("run-a", A));
    story.when(finished("run-a", [finding("AAA", error)], { coverage: partly }));
    story.when(command(dismiss("F-AAA")));
    expect(revision(story)?.conclusion).toBe("action_required");
  });

  it("leaves the check to a run that is at work", () => {
    const story = reviewed(finding("AAA", error));
    story.when(headChanged(B, { at: minute(4) }));
    story.when(command(dismiss("F-AAA")));
    expect(revision(story)).toBeUndefined();
    story.when(observed("run-b", B, { at: minute(6) }));
    story.when(finished("run-b", [finding("AAA", error)], { at: minute(7) }));
    expect(story.runs().at(-1)).toMatchObject({ conclusion: "success" });
  });

  it("a rule or a path covers what it names and never a secret or a critical security finding", () => {
    const rule = "x/rule";
    const found = [
      finding("AAA", { ...error, rule }),
      finding("BBB", { ...error, rule, file: "gen/b.ts" }),
      finding("KEY", { ...error, rule, secret: true }),
      finding("HHH", { severity: "critical", category: "security", rule }),
    ];
    const story = reviewed(...found);
    story.when(command(dismiss("F-BBB", { scope: { kind: "path", glob: "gen/**" } })));
    expect([...story.ledger.values()].filter(({ state }) => state === "dismissed")).toHaveLength(1);
    story.when(command(dismiss("F-AAA", { scope: { kind: "rule" } })));
    const open = [...story.ledger.values()].filter(({ state }) => state === "open").map((entry) => entry.finding.id);
    expect(open).toEqual(["F-KEY", "F-HHH"]);
    story.when(command(dismiss("F-KEY", { scope: { kind: "rule" } })));
    expect(story.refusal()).toEqual({ reason: "one_by_one", findingId: "F-KEY", why: "secret" });
    story.when(command(dismiss("F-KEY"), { role: "triage" }));
    expect(story.refusal()).toMatchObject({ reason: "role", needs: "write", why: "secret" });
    story.when(command(dismiss("F-HHH", { reason: "" })));
    expect(story.refusal()).toMatchObject({ reason: "reason_missing", why: "critical" });
  });

  it("what a rule's dismissal hides is in the ledger, and open again when the dismissal is taken back", () => {
    const rule = "x/rule";
    const story = reviewed(finding("AAA", { ...error, rule }));
    story.when(command(dismiss("F-AAA", { scope: { kind: "rule" } })));
    story.when(headChanged(B, { at: minute(6) }));
    story.when(observed("run-b", B, { at: minute(6) }));
    const found = [finding("AAA", { ...error, rule }), finding("NEW", { ...error, rule })];
    story.when(finished("run-b", found, { at: minute(7), coverage: coverage({ headSha: B }) }));
    expect(story.ledger.get("F-NEW")).toMatchObject({ state: "dismissed", dismissal: { findingId: "F-AAA" } });
    const pull = { open: true, ends: ends(B), title: "" };
    story.when(command({ name: "undismiss", finding: "F-NEW" }, { pull }));
    expect(story.refusal()).toEqual({ reason: "dismissed_with", findingId: "F-NEW", other: "F-AAA" });
    story.when(command({ name: "undismiss", finding: "F-AAA" }, { pull }));
    expect(revision(story)).toMatchObject({ conclusion: "failure", report: { blocking: 2 } });
  });

  it("what another pull request's dismissal covered is open again with the next review after that was taken back", () => {
    const rule = "x/rule";
    const story = given(headChanged(A), observed("run-a", A));
    const by = { by: ana, at: minute(0), reason: "noise", scope: { kind: "rule" } } as const;
    story.dismissals.set("F-XXX", { findingId: "F-XXX", fingerprint: "elsewhere", rule, ...by });
    story.when(finished("run-a", [finding("AAA", { ...error, rule })]));
    expect(story.ledger.get("F-AAA")?.state).toBe("dismissed");
    story.dismissals.clear();
    story.when(headChanged(B, { at: minute(6) }));
    story.when(observed("run-b", B, { at: minute(6) }));
    const decision = story.when(finished("run-b", [finding("AAA", { ...error, rule })], { at: minute(7) }));
    expect(story.ledger.get("F-AAA")).toMatchObject({ state: "open" });
    expect(story.ledger.get("F-AAA")?.dismissal).toBeUndefined();
    expect(story.effectsOf(decision)).toEqual(["review.post", "check.complete"]);
  });

  it("an override passes a check that could not be completed, too", () => {
    const failed = { ...finished("run-a", []), type: "review.failed" as const, attempts: 3, final: true };
    const problem = {
      code: "x",
      source: "logic",
      severity: "high",
      recoverability: "none",
      message: "m",
      context: {},
    } as const;
    const story = given(headChanged(A), observed("run-a", A), { ...failed, error: problem });
    const passed = story.when(command({ name: "override", check: "forge/review", reason: "r" }));
    expect(revision(story)).toMatchObject({
      conclusion: "success",
      report: { kind: "failed" },
      overridden: { by: "ana" },
    });
    // RUN-1: a person decided otherwise than the run.
    expect(passed.appends.flatMap(({ events }) => events).find(({ type }) => type === "run.noted")?.payload).toEqual({
      ...{ cause: "noted:run-a:overridden", runId: "run-a", what: "overridden" },
    });
  });

  it("a pause ends what is at work, and its end starts the head anew", () => {
    const story = given(headChanged(A), observed("run-a", A));
    const paused = story.when(command({ name: "pause", repository: false }));
    expect(paused.cancelJobsOfRuns).toEqual(["run-a"]);
    expect(story.runs()[0]).toMatchObject({ status: "completed", conclusion: "skipped" });
    const unpaused = story.when(command({ name: "unpause", repository: false }));
    expect(unpaused.jobs.map(({ kind }) => kind)).toContain("review");
  });
});

it("whatever is dismissed, taken back, pushed and reviewed in whatever order: the last check says what the ledger comes to", () => {
  const step = fc.record({
    what: fc.constantFrom("review", "dismiss", "undismiss", "rule"),
    which: fc.constantFrom("AAA", "BBB", "KEY"),
    found: fc.subarray(["AAA", "BBB", "KEY"]),
  });
  const make = (name: string) =>
    finding(name, { ...error, rule: "x/rule", ...(name === "KEY" ? { secret: true } : {}) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const story = reviewed(make("AAA"), make("BBB"), make("KEY"));
      for (const [i, { what, which, found }] of steps.entries()) {
        const at = minute(60 * (i + 1));
        if (what === "review") {
          const request = { id: `ask-${i}`, reason: "rerequested", automatic: false } as const;
          story.when(headChanged(A, { at, runId: `run-${i}`, request }));
          story.when(observed(`run-${i}`, A, { at }));
          story.when(finished(`run-${i}`, found.map(make), { at }));
        } else if (what === "undismiss") story.when(command({ name: "undismiss", finding: `F-${which}` }, { at }));
        else story.when(command(dismiss(`F-${which}`, { scope: { kind: what === "rule" ? "rule" : "here" } }), { at }));
      }
      const open = [...story.ledger.values()].filter(({ state }) => state === "open" || state === "regressed");
      const last = story.effects.findLast(({ kind }) => kind === "check.revise" || kind === "check.complete");
      const verdict = reachVerdict(
        open.map((entry) => entry.finding),
        coverage(),
      );
      expect(last?.payload).toMatchObject({ conclusion: verdict.conclusion, report: { blocking: verdict.blocking } });
      for (const events of story.events.values()) expect(findBrokenLink(events)).toBeUndefined();
      const keys = story.effects.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 200 },
  );
});
