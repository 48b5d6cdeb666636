import { describe, expect, it } from "vitest";
import type { Gate, GateQuestion } from "../../src/domain/gates.ts";
import type { ImplementationStatus } from "../../src/domain/implementation-status.ts";
import { answerText } from "../../src/github/words/command/answers.ts";
import { gateText } from "../../src/github/words/gate/gate-text.ts";
import { implementationStatusText } from "../../src/github/words/work/implementation-status-text.ts";
import { commandLines } from "../../src/pipeline/commands/command-lines.ts";
import { parseCommand } from "../../src/pipeline/commands/parse-comment.ts";
import { headSha, moneyGate, toolGate, wording } from "./samples.ts";
import { planGate, status, workGate } from "./work-samples.ts";

const say = (change: Partial<ImplementationStatus> = {}) => implementationStatusText(status(change), wording, "01JD");
const firstPart = (text: string) => text.split("\n\n")[0];
const deadline = "2026-11-21T14:00:00.000Z";
const draft = { pull: { number: 57, draft: true }, commits: 3, tasks: { done: 2, all: 3 } };

const QUESTION = {
  type: "question",
  agentId: "agent:planner:1",
  phase: "planning",
  question: 'The issue says "like the old page", and there are two. Which one?',
} as const;
const about = { treeSha: "t", pull: 57 };
const QUESTIONS: GateQuestion[] = [
  QUESTION,
  planGate().question,
  { type: "security_finding", reasons: ["`dir` is pasted into a shell command"], risk: "high", ...about },
  { type: "high_risk_change", risk: "critical", reasons: ["the risk of the change is critical"], ...about },
  { type: "test_failure", reasons: ["login: expected 429"], tried: ["2 rounds for tests"], ...about },
  {
    type: "bounces_used",
    cause: "review",
    limit: 3,
    reasons: ["`dir` is pasted"],
    tried: ["3 rounds for review"],
    pull: 57,
  },
];

describe("GH-12: the status comment of an implementation", () => {
  it("says what is being done, how far the phases are, and how to stop it", () => {
    expect(say()).toMatchInlineSnapshot(`
      "**Implementing** · task 2 of 3 · use it in \`login\`

      | phase | state | cost | time |
      |---|---|---|---|
      | plan | done | $0.21 | 1 min |
      | implement | task 2 of 3 | $0.84 | 6 min |
      | review · test · pull request ready | to come | | |

      $1.05 of $10.00 · branch \`forge/42-rate-limit-login\` · stop after this step: \`/forge stop\` · log: run \`01JD\`"
    `);
  });

  it("PROD-1: says what production showed of it since", () => {
    const fault = { environment: "production", sha: headSha, pull: 57 } as const;
    const ended = say({
      ending: { is: "merged" },
      faults: [
        { ...fault, id: "production:f", is: "error", what: "TypeError: no @ben", file: "src/pay.js", line: 31 },
        { ...fault, id: "rollback:1", is: "rollback", what: "errors are more frequent (8 times)" },
      ],
    });
    expect(ended.split("\n\n").slice(1, 3)).toEqual([
      "**Caused an error in production**: `TypeError: no @ben`, seen first with `3f2c1ab`, on `src/pay.js` line 31 that #57 changed.",
      "**Rolled back in production**: `3f2c1ab`, which brought #57: errors are more frequent (8 times).",
    ]);
  });

  it("has a line for each step", () => {
    const steps: ImplementationStatus["step"][] = [
      { is: "beginning" },
      { is: "planning", revision: 0 },
      { is: "planning", revision: 1 },
      { is: "feedback", cause: "review", items: 2 },
      { is: "feedback", cause: "tests", items: 1 },
      { is: "feedback", cause: "coverage", items: 2 },
      { is: "feedback", cause: "ci", items: 1 },
      { is: "feedback", cause: "person", items: 3 },
      { is: "feedback", cause: "instruction", items: 1 },
      { is: "feedback", cause: "conflict", items: 1 },
      { is: "pushing" },
      { is: "reviewing" },
      { is: "testing" },
      { is: "ready" },
      { is: "ready", leftDraft: "Drafts are not for @you" },
    ];
    expect(steps.map((step) => firstPart(say({ step, ...draft, testsAdded: 9 })))).toMatchInlineSnapshot(`
      [
        "**Beginning** · the issue and the repository are read",
        "**Planning** · nothing is changed yet",
        "**Planning** · the plan is being revised",
        "**Implementing** · 2 findings of the review",
        "**Implementing** · 1 failing or weakened test",
        "**Implementing** · tests for lines of 2 files that no test reaches",
        "**Implementing** · 1 failure of the project's CI",
        "**Implementing** · 3 comments of a review",
        "**Implementing** · what was asked for",
        "**Implementing** · a conflict with the base branch",
        "**Pushing** · the commits go to the branch",
        "**Reviewing** · #57 is looked at like any other",
        "**Testing** · the tests that the change affects are run",
        "**Ready**: pull request #57, 3 commits, 9 tests added.
      Review it and merge it. Changes that are requested in a review are worked on.",
        "**Ready**: pull request #57, 3 commits, 9 tests added.
      GitHub left it a draft: Drafts are not for \`@you\`. Mark it as ready for review there.
      Review it and merge it. Changes that are requested in a review are worked on.",
      ]
    `);
  });

  it("shows rounds, and before anything began nothing but the step", () => {
    const phases = status().phases.map((one) =>
      one.phase === "review" ? { ...one, state: "again" as const, times: 2 } : one,
    );
    const text = say({ phases, step: { is: "reviewing" }, bounces: { review: 1, tests: 0, ci: 2 }, ...draft });
    expect(text).toContain("| review | at work for the 2nd time |  |  |");
    expect(text).toContain("Went back to the implementer for the review; for the project's CI, 2 times.");
    expect(text).toContain("$1.05 of $10.00 · draft #57 · branch `forge/42-rate-limit-login`");
    const none = status().phases.map((one) => ({ ...one, state: "to_come" as const }));
    expect(say({ phases: none, step: { is: "beginning" }, usedUsd: 0, limitUsd: 0 })).not.toContain("| phase |");
  });

  it("says what waits for a person, with the exact words that answer it", () => {
    const waiting = QUESTIONS.map((question) => firstPart(say({ gates: [{ gate: "G-2", question, deadline }] })));
    expect(waiting).toMatchInlineSnapshot(`
      [
        "**A question** (G-2, until 2026-11-21 14:00 UTC): The issue says "like the old page", and there are two. Which one?
      Reply here or \`/forge answer …\`. Nothing is spent while this waits.",
        "**Waiting for approval of the plan** (G-2, until 2026-11-21 14:00 UTC): \`/forge approve G-2\`, \`/forge approve G-2 <changes>\`, \`/forge reject G-2 <reason>\`
      Nothing is spent while this waits.",
        "**Waiting for a word on a critical security finding** (G-2, until 2026-11-21 14:00 UTC): \`/forge approve G-2\`, \`/forge reject G-2 <reason>\`
      Nothing is spent while this waits.",
        "**Waiting for a yes to a change of critical risk** (G-2, until 2026-11-21 14:00 UTC): \`/forge approve G-2\`, \`/forge reject G-2 <reason>\`
      Nothing is spent while this waits.",
        "**Waiting for a word on failing tests** (G-2, until 2026-11-21 14:00 UTC): \`/forge approve G-2\`, \`/forge reject G-2 <reason>\`
      Nothing is spent while this waits.",
        "**Waiting for a word on findings of the review** (G-2, until 2026-11-21 14:00 UTC): \`/forge approve G-2\`, \`/forge reject G-2 <reason>\`
      Nothing is spent while this waits.",
      ]
    `);
  });
});

describe("GH-12a: every ending speaks", () => {
  it("with the reason, what was done, where it is, and what to type to go on", () => {
    const endings: [NonNullable<ImplementationStatus["ending"]>, Partial<ImplementationStatus>][] = [
      [{ is: "merged" }, { ...draft, pull: { number: 57, draft: false }, testsAdded: 9 }],
      [{ is: "planned" }, { commits: 0 }],
      [{ is: "nothing_to_do", reason: "the endpoint has a limit already" }, { commits: 0 }],
      [{ is: "stopped", reason: "the budget of $10.00 is used up", limit: "usd" }, draft],
      [{ is: "stopped", reason: "the planner came to its 20 calls of a model", limit: "iterations" }, { commits: 0 }],
      [{ is: "stopped", reason: "it was stopped", by: "ana" }, { commits: 1 }],
      [{ is: "stopped", reason: "ben rejected G-2: not like this @acme/all", by: "ben" }, draft],
      [{ is: "stopped", reason: "nobody answered G-1 in time" }, draft],
      [{ is: "failed", message: "the clone could not be made", code: "fetch_timeout" }, { commits: 0 }],
      [{ is: "cancelled", reason: "label_removed", by: "ana" }, draft],
      [{ is: "cancelled", reason: "pull_closed", by: "ana" }, draft],
      [{ is: "cancelled", reason: "rejected", by: "ben" }, { commits: 0 }],
      [{ is: "cancelled", reason: "repository_gone" }, { commits: 0 }],
    ];
    expect(endings.map(([ending, change]) => firstPart(say({ ...change, ending })))).toMatchInlineSnapshot(`
      [
        "**Done**: pull request #57 is merged, 3 commits, 9 tests added. $1.05, 7 min.",
        "**Planned.** To have it carried out: \`/forge implement\`; to have another plan: \`/forge plan <instructions>\`. $1.05, 7 min.",
        "**Nothing to do**: the endpoint has a limit already. If something is missing: \`/forge implement <what is missing>\`. $1.05, 7 min.",
        "**Stopped: the budget of $10.00 is used up.** 2 of 3 tasks are done; all of it (3 commits) is on the draft #57. Go on with \`/forge extend usd 5\`, or take over from the branch. $1.05, 7 min.",
        "**Stopped: the planner came to its 20 calls of a model.** Nothing was committed. Go on with \`/forge extend iterations 25\`. $1.05, 7 min.",
        "**Stopped by \`ana\`.** 1 of 3 tasks is done; all of it (1 commit) is on the branch \`forge/42-rate-limit-login\`. Go on with \`/forge resume\`, or \`/forge resume <instructions>\`, or take over from the branch. $1.05, 7 min.",
        "**Stopped: \`ben\` rejected G-2: not like this \`@acme/all\`.** 2 of 3 tasks are done; all of it (3 commits) is on the draft #57. Go on with \`/forge resume\`, or \`/forge resume <instructions>\`, or take over from the branch. $1.05, 7 min.",
        "**Stopped: nobody answered G-1 in time.** 2 of 3 tasks are done; all of it (3 commits) is on the draft #57. Go on with \`/forge resume\`, or \`/forge resume <instructions>\`, or take over from the branch. $1.05, 7 min.",
        "**Failed**: the clone could not be made. Nothing was committed. To try again from there: \`/forge retry\`. Error \`fetch_timeout\`. $1.05, 7 min.",
        "**Cancelled: the label was taken off by \`ana\`.** 2 of 3 tasks are done; all of it (3 commits) is on the draft #57. To start again: \`/forge implement\`. $1.05, 7 min.",
        "**Cancelled: pull request #57 was closed by \`ana\`.** 2 of 3 tasks are done; all of it (3 commits) is on the draft #57. To start again: \`/forge implement\`. $1.05, 7 min.",
        "**Cancelled: the plan was rejected by \`ben\`.** Nothing was committed. To start again: \`/forge implement\`. $1.05, 7 min.",
        "**Cancelled: the repository is gone or can no longer be read.** Nothing was committed. $1.05, 7 min.",
      ]
    `);
  });

  it("keeps the phases, folded, and the run", () => {
    expect(say({ ending: { is: "stopped", reason: "it was stopped", by: "ana" } })).toMatchInlineSnapshot(`
      "**Stopped by \`ana\`.** 1 of 3 tasks is done; all of it (1 commit) is on the branch \`forge/42-rate-limit-login\`. Go on with \`/forge resume\`, or \`/forge resume <instructions>\`, or take over from the branch. $1.05, 7 min.

      <details><summary>phases</summary>

      | phase | state | cost | time |
      |---|---|---|---|
      | plan | done | $0.21 | 1 min |
      | implement | task 2 of 3 | $0.84 | 6 min |

      </details>

      log: run \`01JD\`"
    `);
  });

  it("offers commands that Forge understands", () => {
    const endings: ImplementationStatus["ending"][] = [
      { is: "planned" },
      { is: "stopped", reason: "x", limit: "usd" },
      { is: "stopped", reason: "x", limit: "iterations" },
      { is: "stopped", reason: "x", limit: "minutes" },
      { is: "stopped", reason: "x" },
      { is: "failed", message: "x", code: "y" },
      { is: "cancelled", reason: "rejected" },
    ];
    const texts = [
      ...endings.map((ending) => say(ending ? { ending } : {})),
      ...QUESTIONS.map((question) => gateText(workGate(question), wording, "issue")),
    ];
    const offered = texts.flatMap((text) => [...text.matchAll(/`\/forge ([^`]+)`/g)].map(([, line]) => line!));
    expect(offered.length).toBeGreaterThan(20);
    for (const line of offered) expect(parseCommand(line), line).toHaveProperty("command");
    for (const text of texts) expect(commandLines(text).lines).toEqual([]);
  });
});

describe("SAFE-3: questions about the work", () => {
  it("says what is asked, why, and how to answer", () => {
    expect(
      QUESTIONS.map((question) => gateText(workGate(question), wording, "issue")).join("\n\n---\n\n"),
    ).toMatchInlineSnapshot(`
      "**A question** (G-1, until 2026-11-21 14:00 UTC), without which the work cannot go on:

      > The issue says "like the old page", and there are two. Which one?

      Reply here, or \`/forge answer <text>\`.

      Who may answer: push permission, the person who requested the work, or the author of the issue. Nothing is spent while this waits; without an answer the work is paused, with all that is done kept.

      ---

      **The plan waits for approval** (G-1, until 2026-11-21 14:00 UTC). It has its own comment.
      To have it carried out: \`/forge approve G-1\`. To have it changed: \`/forge approve G-1 <changes>\`. To end it: \`/forge reject G-1 <reason>\`

      - the risk is high
      - everybody logs in here

      Who may answer: push permission; the person who requested the work only where the repository does not separate duties. Nothing is spent while this waits; without an answer the work is paused, with all that is done kept.

      ---

      **A critical security finding is open on #57** (G-1, until 2026-11-21 14:00 UTC), and the work did not get rid of it.
      To have the work go on with it: \`/forge approve G-1\`. To stop the work there, with all that is done kept: \`/forge reject G-1 <reason>\`

      - \`dir\` is pasted into a shell command

      Who may answer: push permission; the person who requested the work only where the repository does not separate duties. Nothing is spent while this waits; without an answer the work is paused, with all that is done kept.

      ---

      **The change in #57 is of critical risk and waits for a person's yes** (G-1, until 2026-11-21 14:00 UTC).
      To have it made ready for merging: \`/forge approve G-1\`. An approving review of #57 counts too. To stop the work there, with all that is done kept: \`/forge reject G-1 <reason>\`

      - the risk of the change is critical

      Who may answer: push permission; the person who requested the work only where the repository does not separate duties. Nothing is spent while this waits; without an answer the work is paused, with all that is done kept.

      ---

      **The tests of #57 fail, and it is not clear how to fix them** (G-1, until 2026-11-21 14:00 UTC).
      To go on with them as they are: \`/forge approve G-1\`. To stop the work there, with all that is done kept: \`/forge reject G-1 <reason>\`

      - login: expected 429

      What was tried: 2 rounds for tests.

      Who may answer: push permission. Nothing is spent while this waits; without an answer the work is paused, with all that is done kept.

      ---

      **After 3 rounds there are still findings of the review on #57** (G-1, until 2026-11-21 14:00 UTC).
      To have one more round: \`/forge approve G-1\`. With a hint: \`/forge approve G-1 <hint>\`. To stop the work there, with all that is done kept: \`/forge reject G-1 <reason>\`

      - \`dir\` is pasted

      What was tried: 3 rounds for review.

      Who may answer: push permission. Nothing is spent while this waits; without an answer the work is paused, with all that is done kept."
    `);
  });

  it("says what the answer was and what follows", () => {
    const said = (question: GateQuestion, standing: Gate["standing"]) =>
      firstPart(gateText(workGate(question, { standing }), wording, "issue"));
    const yes = { is: "approved", by: "ben", at: "", note: "the one in `legacy/`" } as const;
    const no = { is: "rejected", by: "ben", at: "" } as const;
    expect(QUESTIONS.flatMap((question) => [said(question, yes), said(question, no)])).toMatchInlineSnapshot(`
      [
        "**G-1 answered** by \`ben\`: the work goes on with the answer.
      > the one in \`legacy/\`",
        "**G-1 rejected** by \`ben\`: the work stops there, with all that is done kept.",
        "**G-1 approved** by \`ben\`: the plan is carried out.
      > the one in \`legacy/\`",
        "**G-1 rejected** by \`ben\`: nothing was changed.",
        "**G-1 approved** by \`ben\`: the work goes on with the finding seen.
      > the one in \`legacy/\`",
        "**G-1 rejected** by \`ben\`: the work stops there, with all that is done kept.",
        "**G-1 approved** by \`ben\`: #57 is made ready.
      > the one in \`legacy/\`",
        "**G-1 rejected** by \`ben\`: the work stops there, with all that is done kept.",
        "**G-1 approved** by \`ben\`: the work goes on.
      > the one in \`legacy/\`",
        "**G-1 rejected** by \`ben\`: the work stops there, with all that is done kept.",
        "**G-1 approved** by \`ben\`: there is one more round.
      > the one in \`legacy/\`",
        "**G-1 rejected** by \`ben\`: the work stops there, with all that is done kept.",
      ]
    `);
    expect(said(QUESTION, { is: "timed_out", at: "" })).toBe(
      "**G-1 was not answered in time**: the work is paused. To have it asked again: `/forge retry`",
    );
    expect(said(QUESTION, { is: "voided", at: "", byHead: "8d11e0f0" })).toMatch(
      /^\*\*G-1 is void\*\*: it was asked for `3f2c1ab`/,
    );
  });

  it("says what follows from no answer where the repository chose something else, and how to go on then", () => {
    const failing: GateQuestion = { type: "test_failure", reasons: [], tried: [], treeSha: "", pull: 57 };
    const often: GateQuestion = { type: "bounces_used", cause: "review", limit: 3, reasons: [], tried: [] };
    const late = { is: "timed_out", at: "" } as const;
    const said = (question: GateQuestion, more: Partial<Gate>) =>
      gateText({ ...workGate(question, {}), ...more }, wording, "issue");
    expect(said(failing, { unanswered: "reject" })).toContain(
      "without an answer the work ends, with all that is done kept",
    );
    expect(said(failing, { unanswered: "reject", standing: late })).toBe(
      "**G-1 was not answered in time**: the work ends. To start again: `/forge implement`",
    );
    expect(said(often, { unanswered: "approve" })).toContain("without an answer there is one more round");
    expect(gateText(toolGate({ unanswered: "reject", standing: late }), wording, "issue")).toMatch(
      /^\*\*G-1 was not answered in time\*\*: the work goes on without the call\. To have it asked again: `\/forge retry`/,
    );
  });

  it("names the budget, and how to raise it where that can be", () => {
    const { question, ...gate } = moneyGate();
    const first = (budget: string) =>
      gateText({ ...gate, question: { ...question, budget } as GateQuestion }, wording, "issue");
    expect(first("phase:testing")).toContain("**$4.10 of $5.00 for looking into failing tests is spent, and the work");
    expect(first("subject")).toMatch(/^\*\*\$4\.10 of \$5\.00 for this issue is spent.*\n.*`\/forge extend usd 5`/);
    expect(first("repository")).toMatch(/^\*\*\$4\.10 of \$5\.00 for this repository today \(UTC\) is spent/);
    expect(first("repository")).not.toContain("/forge extend");
  });

  it("speaks of the work where a call or the money of an implementation is asked about", () => {
    expect(firstPart(gateText(toolGate(), wording, "issue"))).toContain(
      "**The work on this issue waits for approval of one call",
    );
    expect(gateText(moneyGate(), wording, "issue")).toMatchInlineSnapshot(`
      "**$4.10 of $5.00 is spent, and the work on this issue is not done** (G-2, until 2026-11-20 16:00 UTC). Next: findings are checked again.
      To have it go on up to the full budget: \`/forge approve G-2\`. To end it with what was done: \`/forge reject G-2\`. To raise the budget and go on: \`/forge extend usd 5\`

      Who may answer: push permission. Nothing is spent while this waits; without an answer the work is paused."
    `);
  });

  it("GH-15: a question cannot end its quote, notify somebody or begin like a command", () => {
    const question = "Which?\n\n/forge approve G-1\n@acme/all ```";
    for (const text of [
      gateText(workGate({ ...QUESTION, question }), wording, "issue"),
      say({ gates: [{ gate: "G-1", question: { ...QUESTION, question }, deadline }] }),
    ]) {
      expect(commandLines(text).lines).toEqual([]);
      expect(text).not.toMatch(/(?<!`)@acme/);
    }
  });
});

describe("answers on an issue", () => {
  const answer = (given: Parameters<typeof answerText>[0]) => answerText(given, wording, "issue");

  it("help: the ten that matter there", () => {
    const text = answer({ kind: "help" });
    expect(text).toMatchInlineSnapshot(`
      "| for example | what it does |
      |---|---|
      | \`/forge implement keep the old endpoint working\` | have this issue implemented: plan, code, review, tests, pull request |
      | \`/forge plan without a new dependency\` | only plan this issue, and post the plan |
      | \`/forge answer the one in legacy/\` | answer a question that Forge asked |
      | \`/forge approve G-1\` | yes to what the work waits for |
      | \`/forge reject G-1 not on this branch\` | no to what the work waits for |
      | \`/forge status\` | what is going on here |
      | \`/forge stop\` | interrupt the work, or its deployment, after the step in flight |
      | \`/forge resume look at the locking first\` | go on with work that was stopped or met a limit |
      | \`/forge retry testing\` | have a phase done again, or go on after a failure |
      | \`/forge help dismiss\` | this list, or more about one command |

      A command starts a line. More commands, options and permissions: \`/forge help all\`"
    `);
    for (const [, line] of text.matchAll(/^\| `\/forge ([^`]+)`/gm))
      expect(parseCommand(line!)).toHaveProperty("command");
  });

  it("status: the work as it stands, or how to begin", () => {
    expect(answer({ kind: "implementation_status", status: status() })).toBe(
      implementationStatusText(status(), wording),
    );
    expect(answer({ kind: "implementation_status" })).toBe(
      "**No work was begun here.** To begin: `/forge implement`; only a plan: `/forge plan`",
    );
  });

  it("history", () => {
    const run = {
      runId: "01JD",
      kind: "implement",
      startedAt: "2026-11-20T10:42:00.000Z",
      status: "failed",
      headSha: "",
      costUsd: 0,
    } as const;
    const ended = { ...run, endedAt: "2026-11-20T10:53:00.000Z", status: "completed", headSha, costUsd: 1.62 };
    expect(answer({ kind: "history", history: { runs: [ended, run], more: 2 } })).toMatchInlineSnapshot(`
      "**4 runs here**, the newest first.

      | run | what became of it |
      |---|---|
      | \`01JD\` implement | completed · 2026-11-20 10:42 UTC · 11 min · \`3f2c1ab\` · $1.62 |
      | \`01JD\` implement | failed · 2026-11-20 10:42 UTC |

      2 older runs not shown."
    `);
    expect(answer({ kind: "history", history: { runs: [], more: 0 } })).toBe("**No run here yet.**");
  });

  it("GH-6: a thread is told what was done about it", () => {
    const one = (done: boolean) =>
      answerText(
        {
          kind: "worked_on",
          answers: [{ done, answer: "`total` is summed once now, see @ben" }],
          headSha,
          changed: done,
        },
        wording,
      );
    expect([one(true), one(false)]).toMatchInlineSnapshot(`
      [
        "**Done** in \`3f2c1ab\`.

      > \`total\` is summed once now, see \`@ben\`",
        "**Not done.** To have it done anyway, request changes in another review.

      > \`total\` is summed once now, see \`@ben\`",
      ]
    `);
    const answers = [
      { asked: "Please name it better\n/forge stop", done: true, answer: "It is `sumOnce` now." },
      { asked: "And drop the cache", done: false, answer: "The old page needs it." },
    ];
    expect(answerText({ kind: "worked_on", answers, headSha, changed: true }, wording)).toMatchInlineSnapshot(`
      "**Done: 1 of 2 points** in \`3f2c1ab\`. To have it done anyway, request changes in another review.

      - **Done** ("Please name it better /forge stop"): It is \`sumOnce\` now.
      - **Not done** ("And drop the cache"): The old page needs it."
    `);
  });

  it("extend and cost speak of the run and the issue", () => {
    expect(answer({ kind: "extended", limit: "usd", total: 15, run: "resumed" })).toBe(
      "The limit of this run is $15.00 now. It goes on where it ended.",
    );
    expect(
      answer({ kind: "cost", cost: { spent: [], limits: [{ scope: "subject", usedUsd: 0, limitUsd: 20 }] } }),
    ).toContain("| this issue | $20.00 of $20.00 |");
  });
});
