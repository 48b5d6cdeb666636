import { describe, expect, it } from "vitest";
import { DEFAULT_REPO_CONFIG, type RepoConfig } from "../../../src/domain/repo-config.ts";
import type { TestFailure } from "../../../src/domain/test-report.ts";
import { statusOf } from "../../../src/pipeline/implement/status-of.ts";
import { ANA, BASE, BEN, PEOPLE } from "../../simulation/cast.ts";
import {
  A,
  aPlan,
  B,
  begun,
  type IssueStory,
  inReview,
  inTesting,
  observed,
  PULL,
  planned,
  pushed,
  RUN,
  ready,
  reviewed,
  sha,
  THEIRS,
  tested,
  took,
  worked,
} from "./story.ts";

const [, , CLEO, DAN, EVE] = PEOPLE;
const DAY = 24 * 60;
const approve = { name: "approve", gate: "G-1" } as const;
const reject = { name: "reject", gate: "G-1" } as const;
const config = (safety: Partial<RepoConfig["safety"]>): RepoConfig => {
  return { ...DEFAULT_REPO_CONFIG, safety: { ...DEFAULT_REPO_CONFIG.safety, ...safety } };
};
const ends = (headSha: string) => {
  return { headSha, headRef: "forge/42-limit-logins", headRepositoryId: 11, baseSha: BASE, baseRef: "main" };
};
const pullAt = (headSha: string) => ({ pull: { number: PULL, open: true, ends: ends(headSha), title: "" } });

function asked(level: "high" | "critical" = "high", configuration?: RepoConfig): IssueStory {
  const story = begun(configuration);
  story.when(aPlan(level));
  return story;
}

function risky(configuration?: RepoConfig): IssueStory {
  const story = inTesting("high", configuration);
  story.when(tested(A));
  return story;
}

/** Nobody answers until the deadline, and then a worker looks. */
function timeOut(story: IssueStory): void {
  story.minutes += DAY + 1;
  story.when(observed());
}

describe("SAFE-3, PLAN-1: a plan that somebody has to say yes to", () => {
  it("waits with its question in the comment of the plan, and a job for its deadline", () => {
    const story = begun();
    const made = story.when(aPlan("high"));
    expect(made.types).toEqual(["plan.proposed", "phase.completed", "gate.requested"]);
    expect(made.effects.map(({ kind }) => kind)).toEqual(["plan.show", "issue.status"]);
    expect(made.jobs.find(({ kind }) => kind === "implement")?.runAt).toBe("2026-11-02T10:00:00.000Z");
    expect(story.next).toBe("nothing");
  });

  it("is being changed only after a wish, not while it waits", () => {
    const story = asked();
    expect(statusOf(story.run).step).toEqual({ is: "planning", revision: 1, made: true });
    story.command({ ...approve, note: "without the cache" });
    expect(statusOf(story.run).step).toEqual({ is: "planning", revision: 1 });
  });

  it("is carried out after a yes, made anew after a yes with a wish, and dropped after a no", () => {
    const yes = asked();
    expect(yes.command(approve).types).toEqual(["gate.approved", "plan.accepted", "phase.entered", "command.received"]);
    expect(yes.next).toBe("implementation");
    const wish = asked();
    wish.command({ ...approve, note: "without the cache" });
    expect([wish.next, wish.run.changeWanted]).toEqual(["planning", "without the cache"]);
    wish.when(aPlan("high"));
    expect([wish.next, wish.run.plan?.revision]).toEqual(["implementation", 2]);
    const no = asked();
    no.command(reject);
    expect(no.run.end).toMatchObject({ is: "cancelled", reason: "rejected", by: "ben" });
  });

  it("a changed plan is asked about again where it came to be riskier or dearer", () => {
    const story = asked();
    story.command({ ...approve, note: "with a cache" });
    story.when(aPlan("critical"));
    expect(story.standings()).toEqual(["G-1 architecture_approval approved", "G-2 architecture_approval open"]);
    expect(story.run.gates[1]?.needs).toBe("maintain");
  });

  it.each([
    ["high", 1, config({}), true],
    ["medium", 1, config({}), false],
    ["low", 6, config({}), true],
    ["low", 1, config({ gates: { ...DEFAULT_REPO_CONFIG.safety.gates, architecture_approval: "always" } }), true],
    ["critical", 1, config({ gates: { ...DEFAULT_REPO_CONFIG.safety.gates, architecture_approval: "off" } }), false],
  ] as const)("risk %s for $%d", (level, usd, configuration, waits) => {
    const story = begun(configuration);
    story.when(aPlan(level, usd));
    expect(story.run.gates.length > 0).toBe(waits);
  });

  it("GH-14: who asked for the work cannot be the only one who accepts its risk, unless the repository allows it", () => {
    const story = asked();
    story.command(approve, ANA);
    expect(story.refusal).toEqual({ reason: "own_work", gate: "G-1" });
    expect(story.command(reject, ANA).types).toContain("gate.rejected");
    const alone = asked("high", config({ separation_of_duties: false }));
    expect(alone.command(approve, ANA).types).toContain("gate.approved");
    const critical = asked("critical");
    critical.command(approve, CLEO);
    expect(critical.refusal).toMatchObject({ reason: "role", needs: "maintain", has: "write" });
  });

  it.each(["implementation", "review", "testing"] as const)("`retry %s` does not get past it", (phase) => {
    for (const story of [asked(), asked()]) {
      story.command({ name: "retry", phase });
      expect(story.refusal).toEqual({ reason: "guarded", phase, why: "there is no plan that was accepted" });
      expect(story.standings()).toEqual(["G-1 architecture_approval open"]);
    }
  });
});

/** The review of the fourth head blocks again. */
function stuck(configuration?: RepoConfig): IssueStory {
  const story = inReview(configuration);
  for (const [head, next] of [
    [A, B],
    [B, sha("d")],
    [sha("d"), sha("e")],
  ] as const) {
    for (const input of [reviewed(head, { found: 1 }), worked(next), pushed(next)]) story.when(input);
  }
  story.when(reviewed(sha("e"), { found: 1 }));
  return story;
}

/** The review of the fourth head finds a critical security finding again. */
function stuckOnSecurity(configuration?: RepoConfig): IssueStory {
  const story = inReview(configuration);
  for (const [head, next] of [
    [A, B],
    [B, sha("d")],
    [sha("d"), sha("e")],
  ] as const) {
    for (const input of [reviewed(head, { found: 1 }), worked(next), pushed(next)]) story.when(input);
  }
  story.when(reviewed(sha("e"), { found: 1, criticalSecurity: 1 }));
  return story;
}

describe("GH-14a: the first answer counts, for the content that was asked about", () => {
  const moved = { type: "branch.moved", by: CLEO, headSha: THEIRS } as const;
  const failingIn = (...names: readonly string[]) => {
    const failures = names.map((name) => ({ name, message: "expected 429", class: "bug" as const }));
    return { outcome: "failed", failed: names.length, failures } as const;
  };

  it("a second yes, and a no at the same moment, are refused with what was said first", () => {
    const story = asked();
    story.command(approve);
    for (const later of [approve, reject]) {
      expect(story.command(later, CLEO).types).toEqual(["command.refused"]);
      expect(story.refusal).toMatchObject({ reason: "gate_closed", standing: { is: "approved", by: "ben" } });
    }
  });

  it("a push voids the question, its comment says so, and the new head is reviewed", () => {
    const story = risky();
    const told = story.when(moved);
    expect(told.types).toEqual(["gate.voided", "branch.adopted", "phase.entered"]);
    expect(told.effects.map(({ kind }) => kind)).toEqual(["gate.show", "issue.status"]);
    story.command(approve);
    expect(story.refusal).toMatchObject({ reason: "gate_closed", standing: { is: "voided", byHead: THEIRS } });
    expect(story.next).toBe("review");
  });

  it("a push that nobody told of yet is seen when the answer comes", () => {
    const story = risky();
    story.command(approve, BEN, pullAt(THEIRS));
    expect(story.refusal).toMatchObject({ reason: "gate_closed", headSha: A, head: THEIRS });
    expect(story.command(approve, BEN, pullAt(A)).types).toContain("pull.ready");
  });

  it("an answer to a high risk holds for its head and for no other", () => {
    const story = risky();
    story.command(approve);
    story.when(moved);
    story.when(reviewed(THEIRS, { risk: "high" }));
    story.when(tested(THEIRS));
    expect(story.standings()).toEqual(["G-1 high_risk_change approved", "G-2 high_risk_change open"]);
  });

  it("an answer holds for a head with the same tree, or with nothing but the base merged in", () => {
    const same = { sameAs: [A] };
    const risk = risky();
    risk.command(approve);
    for (const input of [moved, reviewed(THEIRS, { risk: "high", ...same }), tested(THEIRS)]) risk.when(input);
    expect(risk.run).toMatchObject({ status: "waiting", readyHead: THEIRS });
    expect(risk.standings()).toEqual(["G-1 high_risk_change approved"]);

    const failing = failingIn("limits");
    const tests = inTesting();
    tests.when(tested(A, failing));
    tests.command(approve);
    for (const input of [moved, reviewed(THEIRS, same), tested(THEIRS, failing)]) tests.when(input);
    expect(tests.run.readyHead).toBe(THEIRS);

    const security = stuckOnSecurity();
    security.command(approve);
    for (const input of [moved, reviewed(THEIRS, { found: 1, sameAs: [sha("e")] })]) security.when(input);
    expect(security.next).toBe("testing");
  });

  it("and for nothing else that is found on such a head: a higher risk, other failures, tests that now run, another finding", () => {
    const same = { sameAs: [A] };
    const risk = risky();
    risk.command(approve);
    for (const input of [moved, reviewed(THEIRS, { risk: "critical", ...same }), tested(THEIRS)]) risk.when(input);
    expect(risk.standings().at(-1)).toBe("G-2 high_risk_change open");

    for (const [before, now] of [
      [failingIn("limits"), failingIn("limits", "payments")],
      [{ outcome: "not_run", reason: "no sandbox" } as const, failingIn("limits")],
    ] as const) {
      const tests = inTesting();
      tests.when(tested(A, before));
      tests.command(approve);
      for (const input of [moved, reviewed(THEIRS, same), tested(THEIRS, now)]) tests.when(input);
      expect(tests.standings().at(-1)).toBe("G-2 test_failure open");
    }

    const security = stuckOnSecurity();
    security.command(approve);
    const more = reviewed(THEIRS, { found: 2, criticalSecurity: 1, sameAs: [sha("e")] });
    for (const input of [moved, more]) security.when(input);
    expect(security.standings().at(-1)).toBe("G-2 security_finding open");
  });

  it("after the deadline nobody can answer, also where no worker has looked yet", () => {
    const story = asked();
    story.minutes = DAY;
    story.command(approve);
    expect(story.refusal).toMatchObject({ reason: "gate_closed", standing: { is: "timed_out" } });
  });
});

describe("SAFE-3: nobody answers in time", () => {
  it("the run is parked and says so; `retry` and `resume` ask again, and an answer counts then", () => {
    for (const name of ["retry", "resume"] as const) {
      const story = asked();
      timeOut(story);
      expect(story.run).toMatchObject({ status: "waiting", stopped: { reason: "nobody answered G-1 in time" } });
      expect(story.command({ name }).types).toEqual(["run.resumed", "gate.requested", "command.received"]);
      expect(story.standings()).toEqual(["G-1 architecture_approval timed_out", "G-2 architecture_approval open"]);
      story.command({ name: "approve" });
      expect(story.next).toBe("implementation");
    }
  });

  it("`retry` with a phase does not get past it either", () => {
    const story = risky();
    timeOut(story);
    story.command({ name: "retry", phase: "testing" });
    expect(story.next).toBe("testing");
    story.when(tested(A));
    expect(story.standings().at(-1)).toBe("G-2 high_risk_change open");
  });

  it("a question of long ago is not asked again", () => {
    const story = asked();
    timeOut(story);
    story.command({ name: "retry", phase: "planning" });
    story.when(aPlan("low"));
    story.minutes += 1;
    story.command({ name: "stop" });
    expect(story.command({ name: "resume" }).types).toEqual(["run.resumed", "command.received"]);
    expect(story.next).toBe("implementation");
  });

  it.each([
    ["high_risk_change", () => risky],
    ["bounces_used", () => stuck],
    ["security_finding", () => stuckOnSecurity],
  ] as const)("%s: the work ends where the repository wants that", (type, story) => {
    const { gates } = DEFAULT_REPO_CONFIG;
    const ends = story()({ ...DEFAULT_REPO_CONFIG, gates: { ...gates, [type]: { hours: 24, on_timeout: "reject" } } });
    timeOut(ends);
    expect(ends.standings()).toEqual([`G-1 ${type} timed_out`]);
    expect(ends.run.end).toMatchObject({ is: "cancelled", reason: "rejected" });
  });

  it("there is one more round where the repository wants that, and the next time the question is put again", () => {
    const { gates } = DEFAULT_REPO_CONFIG;
    const story = stuck({
      ...DEFAULT_REPO_CONFIG,
      gates: { ...gates, bounces_used: { hours: 24, on_timeout: "approve" } },
    });
    timeOut(story);
    expect(story.standings()).toEqual(["G-1 bounces_used approved"]);
    expect(story.run).toMatchObject({ phase: "implementation", cause: "instruction" });
    for (const input of [worked(THEIRS), pushed(THEIRS), reviewed(THEIRS, { found: 1 })]) story.when(input);
    expect(story.standings()).toEqual(["G-1 bounces_used approved", "G-2 bounces_used open"]);
  });

  it("a question that a stop made void is asked again", () => {
    const story = risky();
    expect(story.command({ name: "stop" }).types).toEqual(["gate.voided", "run.stopped", "command.received"]);
    story.command({ name: "resume" });
    expect(story.standings()).toEqual(["G-1 high_risk_change voided", "G-2 high_risk_change open"]);
  });
});

describe("PIPE-5: what comes back, and how often", () => {
  const broken = (to: Partial<TestFailure>): TestFailure => {
    return { name: "limits", message: "expected 429", class: "bug", ...to };
  };

  it("a review that blocks bounces three times, with its findings; then a person is asked, with all that was tried", () => {
    const story = inReview();
    const heads = [A, B, sha("d"), sha("e")];
    for (const [round, head] of heads.entries()) {
      story.when(reviewed(head, { found: 1 }));
      const next = heads[round + 1];
      if (next === undefined) break;
      expect(story.run).toMatchObject({ phase: "implementation", cause: "review", bounces: { review: round + 1 } });
      story.when(worked(next));
      story.when(pushed(next));
    }
    expect(story.standings()).toEqual(["G-1 bounces_used open"]);
    expect(story.run.gates[0]?.question).toMatchObject({
      limit: 3,
      reasons: ["F-1 is wrong"],
      tried: ["3 rounds for review"],
    });
    story.command({ ...approve, note: "use the other lock" });
    expect(story.run.feedback.map(({ message }) => message)).toContain("use the other lock");
    expect(story.next).toBe("implementation");
  });

  it.each([
    [0, ["G-1 bounces_used open"]],
    [1, []],
  ])("with max_bounces of %i for both a first failure leads to %j", (most, asks) => {
    const configuration = { ...DEFAULT_REPO_CONFIG, max_bounces: { review: most, tests: most } };
    const blocked = inReview(configuration);
    blocked.when(reviewed(A, { found: 1 }));
    const failed = inTesting("low", configuration);
    const failures = [broken({ fix: "count from one", confidence: 0.9 })];
    failed.when(tested(A, { outcome: "failed", failed: 1, failures }));
    expect([blocked.standings(), failed.standings()]).toEqual([asks, asks]);
  });

  it("a fix that the review confirmed is given to the implementer once, and what is left of it the pull request says", () => {
    const story = inReview();
    const fix = { severity: "warning", file: "src/1.ts", line: 4, suggestion: "i < n" };
    const fixes = [
      { id: "F-1", message: "off by one", ...fix },
      { id: "F-2", message: "never closed", ...fix },
    ];
    story.when(reviewed(A, { fixes }));
    expect(story.run).toMatchObject({ phase: "implementation", cause: "review", bounces: { review: 1 } });
    expect(story.run.feedback).toMatchObject([{ id: "F-1", suggestion: "i < n" }, { id: "F-2" }]);
    const answers = [
      { id: "F-1", done: true, answer: "Applied." },
      { id: "F-2", done: false, answer: "It is closed by the caller." },
    ];
    story.when(worked(B, { answers }));
    story.when(pushed(B));
    const next = story.when(reviewed(B, { fixes: [fixes[1]!] }));
    expect(next.types).not.toContain("phase.bounced");
    const { effects } = story.when(tested(B));
    const left = [{ id: "F-2", message: "never closed", why: "It is closed by the caller." }];
    expect(effects.find(({ kind }) => kind === "pull.describe")).toMatchObject({
      payload: { description: { fixesLeft: left } },
    });
  });

  describe("GH-5: the project's own CI has run what Forge could not", () => {
    const couldNot = tested(A, { outcome: "not_run", reason: "no sandbox" });
    const ci = (name: string, conclusion = "success", headSha = A) =>
      ({ type: "pull.signalled", signal: { from: "ci", headSha, name, app: "github-actions", conclusion } }) as const;

    it("before the tests and after the question, and the pull request says so", () => {
      const before = inReview();
      before.when(ci("test (node 24)"));
      before.when(reviewed(A));
      expect(before.when(couldNot).types).toContain("pull.ready");
      const later = inTesting();
      later.when(couldNot);
      expect(later.standings()).toEqual(["G-1 test_failure open"]);
      const { types, effects } = later.when(ci("test (node 24)"));
      expect(types).toEqual(["ci.passed", "gate.voided", "pull.ready"]);
      expect(effects.find(({ kind }) => kind === "pull.describe")).toMatchObject({
        payload: { description: { testedByCi: ["test (node 24)"] } },
      });
      expect(effects.some(({ kind }) => kind === "gate.show")).toBe(true);
      expect(later.when(ci("test (node 24)")).ignored).toBe("that was taken before");
    });

    it.each([
      ["a linter says nothing of tests", [ci("lint")]],
      ["another head", [ci("test", "success", B)]],
      ["another check of the head failed", [ci("build", "failure"), ci("test")]],
      ["it failed when it was run again", [ci("test"), ci("test", "failure")]],
    ])("not where %s", (_why, signals) => {
      const story = inReview();
      for (const signal of signals) story.when(signal);
      story.when(reviewed(A));
      story.when(couldNot);
      expect(story.standings()).toEqual(["G-1 test_failure open"]);
    });

    it("tests that Forge ran and that fail are not excused, and a failure that turned green is not worked on", () => {
      const story = inReview();
      story.when(ci("test", "failure"));
      expect(story.run.signals).toHaveLength(1);
      story.when(ci("test"));
      expect(story.run.signals).toEqual([]);
      story.when(reviewed(A));
      story.when(tested(A, { outcome: "failed", failed: 1, failures: [broken({})] }));
      expect(story.standings()).toEqual(["G-1 test_failure open"]);
    });
  });

  it("GH-12: the status moves while a phase goes on, and stops when it is over", () => {
    const story = planned();
    const progress = { doing: "tool", tool: "run_tests", costUsd: 1.5 } as const;
    const { effects } = story.when({ type: "work.progressed", runId: RUN, progress });
    expect(effects).toMatchObject([
      { kind: "issue.status", payload: { status: { doing: { is: "tool", tool: "run_tests" }, usedUsd: 1.5 } } },
    ]);
    expect(story.when({ type: "work.progressed", runId: RUN, progress }).effects).toEqual([]);
    story.when(worked(A));
    expect(story.run.progress).toBeUndefined();
  });

  it("a critical security finding that does not go away is for a person, and only their yes lets it through", () => {
    const story = stuckOnSecurity();
    expect(story.standings()).toEqual(["G-1 security_finding open"]);
    story.command({ name: "retry", phase: "testing" });
    expect(story.next).toBe("review");
    story.when(reviewed(sha("e"), { found: 1, criticalSecurity: 1 }));
    story.command({ name: "approve" });
    expect(story.next).toBe("testing");
  });

  it("tests that somebody knows how to mend bounce twice, then a person is asked", () => {
    const story = inTesting();
    const failures = [broken({ fix: "count from one", confidence: 0.9 })];
    for (const [head, next] of [
      [A, B],
      [B, sha("d")],
    ] as const) {
      story.when(tested(head, { outcome: "failed", failed: 1, failures }));
      expect(story.run.cause).toBe("tests");
      for (const input of [worked(next), pushed(next), reviewed(next)]) story.when(input);
    }
    story.when(tested(sha("d"), { outcome: "failed", failed: 1, failures }));
    expect(story.standings()).toEqual(["G-1 bounces_used open"]);
  });

  it.each([
    ["nobody is sure how to mend", [broken({ fix: "perhaps", confidence: 0.7 })], "test_failure"],
    ["no fix is known", [broken({})], "test_failure"],
    ["the environment fails", [broken({ class: "environment" })], "test_failure"],
    ["the runner names no test", [], "test_failure"],
    ["failed before as well", [broken({ class: "existing" })], undefined],
  ] as const)("where %s", (_what, failures, gate) => {
    const story = inTesting();
    story.when(tested(A, { outcome: "failed", failed: 1, failures: [...failures] }));
    expect(story.run.gates[0]?.question.type).toBe(gate);
    expect(story.run.pull?.ready).toBe(gate === undefined);
  });

  it("weakened tests go back, whatever they say", () => {
    const story = inTesting();
    story.when(tested(A, { weakened: [{ path: "test/a.ts", kind: "deleted_test", what: "a test was deleted" }] }));
    expect(story.run).toMatchObject({ cause: "tests", feedback: [{ message: "a test was deleted" }] });
  });

  it("feedback that changes nothing goes to a person, not in circles", () => {
    const story = inReview();
    story.when(reviewed(A, { found: 1 }));
    story.when(worked(A, { commits: [], answers: [{ id: "F-1", done: false, answer: "it is right as it is" }] }));
    expect(story.run.gates[0]?.question).toMatchObject({
      type: "bounces_used",
      reasons: ["F-1 is wrong"],
      tried: ["1 round for review", "the implementer changed nothing, and says: it is right as it is"],
    });
  });

  it("a head whose tests fail anew is not ready because it once was", () => {
    const story = ready();
    story.command({ name: "test" });
    story.when(tested(A, { outcome: "failed", failed: 1, failures: [broken({})] }));
    story.command({ ...approve, gate: "G-1" });
    expect(story.run.status).toBe("waiting");
    const again = ready();
    again.command({ name: "test" });
    again.when(tested(A, { outcome: "failed", failed: 1, failures: [broken({ fix: "count", confidence: 0.9 })] }));
    again.when(worked(A, { commits: [] }));
    expect(again.standings()).toEqual(["G-1 bounces_used open"]);
  });
});

describe("LOOP-15: questions of agents", () => {
  const question = { type: "question", agentId: "agent:1", question: "Which limit?", phase: "planning" } as const;
  const waiting = () => {
    const story = begun();
    story.when({ type: "work.suspended", runId: RUN, question, needs: "write" });
    return story;
  };

  it.each([BEN, CLEO, EVE])("$login ($role) may answer: whoever may push, and who wrote the issue", (by) => {
    const story = waiting();
    story.command({ name: "answer", text: "five a minute" }, by);
    expect(story.run).toMatchObject({ instructions: ["five a minute"] });
    expect(story.next).toBe("planning");
  });

  it("others may not, and nobody twice", () => {
    const story = waiting();
    story.command({ name: "answer", text: "six" }, DAN);
    expect(story.refusal).toMatchObject({ reason: "role", needs: "write" });
    story.command({ name: "answer", text: "five" });
    story.command({ name: "answer", text: "seven" });
    expect(story.refusal).toEqual({ reason: "no_question" });
  });

  it("money that a higher role has to allow is not allowed by raising the limit", () => {
    const story = begun();
    const overrun = { type: "cost_overrun", usedUsd: 8, limitUsd: 10, next: "it is written on" } as const;
    story.when({ type: "work.suspended", runId: RUN, question: overrun, needs: "maintain" });
    story.command({ name: "extend", limit: "usd", amount: 3 }, CLEO);
    expect(story.standings()).toEqual(["G-1 cost_overrun open"]);
    story.command({ name: "extend", limit: "usd", amount: 3 }, BEN);
    expect(story.standings()).toEqual(["G-1 cost_overrun approved"]);
  });

  it("a run that halted at a limit goes on when that was raised, and not before", () => {
    const story = planned();
    story.when({ type: "work.halted", ...took, costUsd: 10, reason: "the money is spent", limit: "usd" });
    story.command({ name: "resume" });
    expect(story.refusal).toEqual({ reason: "nothing_to_resume", limit: "usd" });
    expect(story.command({ name: "extend", limit: "usd", amount: 3 }).types).toContain("run.resumed");
    expect(story.next).toBe("implementation");
  });
});
