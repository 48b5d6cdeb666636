import { describe, expect, it } from "vitest";
import type { Answer, StatusFacts } from "../../src/domain/answers.ts";
import { COMMAND_NAMES } from "../../src/domain/commands.ts";
import { CARRIED_BY_RUN, type CheckReport, EFFECT_CATALOGUE } from "../../src/domain/effects.ts";
import { Refusal } from "../../src/domain/refusals.ts";
import { checkButtons } from "../../src/github/words/check/check-buttons.ts";
import { checkSummary } from "../../src/github/words/check/check-text.ts";
import { checkTitle } from "../../src/github/words/check/check-title.ts";
import { answerText } from "../../src/github/words/command/answers.ts";
import { commandLines } from "../../src/pipeline/commands/command-lines.ts";
import { commandOfButton, parseCommand } from "../../src/pipeline/commands/parse-comment.ts";
import { levelRecord } from "../safety/level-record.ts";
import { coverage, finding, headSha, reported, reviewed, wording } from "./samples.ts";

const say = (answer: Answer) => answerText(answer, wording);
const refuse = (refusal: Refusal) => say({ kind: "refused", login: "ana", refusal });
const closed = { reason: "gate_closed", gate: "G-2", headSha: "3f2c1ab0", head: "8d11e0f0" } as const;
const ana = { login: "ana", id: 7, kind: "user" } as const;
const WHYS = ["secret", "passes", "switched_off", "fork", "older"] as const;

it("GH-15: an answer of a model is a quote that can do nothing, with its cost in the last line", () => {
  const cost = { usd: 0.021, tokens: 12_345, cachedShare: 0.5, calls: 3, models: ["anthropic/claude-sonnet-5-5"] };
  const answer = "No: `a.ts:3` stops it.\n\n/merge and @ben\n```ts\nstop();\n```\n![x](https://evil.example/x.png)";
  expect(say({ kind: "asked", by: "ana", headSha, answer, cost })).toMatchInlineSnapshot(`
    "**To the question of \`ana\`**, by a model that read \`3f2c1ab\`:

    > No: \`a.ts:3\` stops it.
    >
    > \\/merge and \`@ben\`
    > \`\`\`ts
    > stop();
    > \`\`\`
    > \\[x] (\`https://evil.example/x.png\`)

    $0.02 (claude-sonnet-5-5, 12,345 tokens, 50 % cached)"
  `);
  const long = say({ kind: "asked", by: "ana", headSha, answer: "x".repeat(5_000), cost });
  expect(long.length).toBeLessThan(1_700);
});

it("GH-8a: an answer to a reply says first what became of the finding", () => {
  const cost = { usd: 0.021, tokens: 900, cachedShare: 0, calls: 2, models: ["anthropic/claude-sonnet-5-5"] };
  const replied = { kind: "replied", findingId: "F-7K2Q", by: "ana", answer: "@ben: `a.ts:3`", cost } as const;
  expect(say({ ...replied, outcome: "withdrawn" }).split("\n")).toEqual([
    "**Withdrawn**: `F-7K2Q` is dismissed on the word of `ana`. To take that back: `/forge undismiss F-7K2Q`",
    "",
    "> `@ben`: `a.ts:3`",
    "",
    "$0.02 (claude-sonnet-5-5, 900 tokens, 0 % cached)",
  ]);
  expect(say({ ...replied, outcome: "stands" })).toMatch(
    /^`F-7K2Q` stands\. .*`\/forge dismiss <reason>` in this thread\n/,
  );
  expect(say({ ...replied, outcome: "kept" })).toMatch(/^`F-7K2Q` is not withdrawn on a reply alone\. /);
});

describe("a refusal is two lines at most: what is so, and what to type", () => {
  it.each<[Refusal, string]>([
    [
      { reason: "role", name: "override", needs: "maintain", has: "write" },
      "`override` needs maintain permission here; `ana` has push.",
    ],
    [
      { reason: "role", name: "dismiss", needs: "write", has: "triage", why: "secret" },
      "`dismiss` of a secret needs push permission here; `ana` has triage.",
    ],
    [{ reason: "no_gate" }, "Nothing waits for an answer here."],
    [
      { reason: "same_gate", gate: "G-1", environments: ["staging"] },
      "`G-1` is the number of two open gates here: of the deployment to staging and of another question. Neither was answered. To answer the deployment (or with `reject`): `/forge approve staging G-1`. After that, `G-1` is the other question.",
    ],
    [{ reason: "which_gate", open: ["G-1", "G-3"] }, "Which gate? What waits for an answer: `G-1`, `G-3`."],
    [
      { reason: "unknown_option", name: "dismiss", written: "—pth", nearest: "--path" },
      "`dismiss` knows no `—pth`. Did you mean `--path`? It is written `/forge dismiss <finding> [reason] [--here | --path <glob> | --rule]`.",
    ],
    [
      { reason: "unknown_check", written: "reveiw", nearest: "forge/review" },
      "`reveiw` is no check of Forge. Did you mean `forge/review`? It is written `/forge override <check> <reason>`.",
    ],
    [
      { reason: "unknown_environment", written: "prod", nearest: "production" },
      "`prod` is not an environment. Did you mean `production`?",
    ],
    [{ reason: "unknown_gate", written: "G-9", open: [] }, "No gate `G-9` here. Nothing waits for an answer here."],
    [
      { ...closed, standing: { is: "rejected", by: "ben", at: "" } },
      "`G-2` was rejected by `ben` already; the first answer counts.",
    ],
    [
      { ...closed, standing: { is: "timed_out", at: "" } },
      "`G-2` was not answered in time, so the review went on without it. To have it asked again: `/forge review`",
    ],
    [
      { ...closed, standing: { is: "voided", at: "" } },
      "`G-2` was asked for `3f2c1ab`; the branch is at `8d11e0f` now, so it no longer counts. If the new head needs an answer, Forge asks again.",
    ],
    [
      { ...closed, standing: { is: "voided", at: "" }, head: closed.headSha },
      "`G-2` is void: the review that asked it has ended or was stopped.",
    ],
    [
      { reason: "role", name: "help", needs: "read", has: "none" },
      "`help` needs read permission here; `ana` has no access.",
    ],
    [
      { reason: "unknown_finding", written: "F-7K2X", nearest: "F-7K2Q" },
      "No finding `F-7K2X` here. Did you mean `F-7K2Q`?",
    ],
    [
      { reason: "ambiguous_finding", written: "F-7", matches: ["F-7K2Q", "F-7M4D"] },
      "`F-7` fits several findings: `F-7K2Q`, `F-7M4D`.",
    ],
    [
      { reason: "unknown_command", written: "dismis", nearest: "dismiss" },
      "`dismis` is not a command. Did you mean `/forge dismiss`?",
    ],
    [
      { reason: "unknown_command", written: "@team` x" },
      "``@team` x`` is not a command. For a list of commands: `/forge help`",
    ],
    [
      { reason: "elsewhere", name: "implement", where: "issue" },
      "`implement` is for issues, and this is a pull request. Say it on the issue.",
    ],
    [
      { reason: "elsewhere", name: "retry", where: "forge_pull_request" },
      "`retry` is for pull requests that Forge opened, and this is not one.",
    ],
    [{ reason: "answer_missing" }, "What is the answer? It is written `/forge answer <text>`."],
    [
      { reason: "unknown_phase", written: "@team" },
      "`@team` is no phase that can be done again. It is written `/forge retry [planning | implementation | review | testing | v12]`.",
    ],
    [{ reason: "no_question" }, "No question waits for an answer here. What is going on: `/forge status`"],
    [{ reason: "no_implementation" }, "This pull request is not the work of Forge on an issue."],
    [
      { reason: "implementing" },
      "This issue is being worked on already. How far that is: `/forge status`; to redirect it: `/forge stop`, then `/forge resume <instructions>`",
    ],
    [
      { reason: "guarded", phase: "testing", why: "there is no pull request yet" },
      "The phase testing cannot begin, because there is no pull request yet. What is going on: `/forge status`",
    ],
    [
      { reason: "not_restorable", version: 12, why: "the run has no checkpoint v12" },
      "The work was not taken back to v12, because the run has no checkpoint v12. Its checkpoints: `forge checkpoints <run>` where Forge runs.",
    ],
    [{ reason: "nothing_to_retry" }, "There is nothing here to do again. What is going on: `/forge status`"],
    [
      { reason: "own_work", gate: "G-2" },
      "`G-2` needs another approver: the person who requested the work cannot be the only one to approve its risk. Anybody else with the permission: `/forge approve G-2`",
    ],
    [
      { reason: "nothing_to_fix", findings: ["F-7K2Q", "@x"] },
      "There is no fix that can be applied for `F-7K2Q`, `@x`.",
    ],
    [{ reason: "nothing_to_fix", findings: [] }, "No open finding here has a fix that can be applied."],
    [
      { reason: "finding_closed", findingId: "F-7K2Q", state: "dismissed" },
      "`F-7K2Q` is dismissed, so nothing was done. To take that back: `/forge undismiss F-7K2Q`",
    ],
    [
      { reason: "cannot_push", why: "fork" },
      "The branch is in a fork, where Forge cannot push. Its author can commit the suggestions in the comments.",
    ],
    [
      { reason: "branch_moved", headSha: "3f2c1ab0", movedTo: "b".repeat(40), name: "test" },
      "The branch has moved: the tests were for `3f2c1ab`, and it is at `bbbbbbb` now. To run them there: `/forge test`",
    ],
    [
      { reason: "branch_moved", headSha: "3f2c1ab0", movedTo: null },
      "The branch has moved: the fixes were for `3f2c1ab`, and it is gone now. What is still open there: `/forge fix`",
    ],
    [
      { reason: "push_refused", message: "GitHub refused the push to `topic`. It said: no @team." },
      "Nothing was committed. GitHub refused the push to `topic`. It said: no `@team`.",
    ],
    [
      { reason: "paused", by: "ben", scope: "repository", name: "fix" },
      "Forge is paused in this repository, by `ben`. To go on: `/forge unpause --repository`",
    ],
    [{ reason: "closed", name: "fix" }, "The pull request is closed, so nothing is committed to its branch."],
    [
      { reason: "paused", by: "ben", scope: "subject" },
      "Forge is paused here, by `ben`. To go on: `/forge unpause`; once only: `/forge review --full`",
    ],
    [
      { reason: "one_by_one", findingId: "F-7K2Q", why: "secret" },
      "`F-7K2Q` is a secret: those are dismissed one by one, with `/forge dismiss F-7K2Q <reason>`.",
    ],
    [
      { reason: "nothing_to_override", check: "forge/review", why: "passes" },
      "There is nothing to override: `forge/review` passes already.",
    ],
    [
      { reason: "nothing_to_override", check: "forge/review", why: "newer_head" },
      "There is nothing to override: `forge/review` is about a newer head than when that was written: look at it first.",
    ],
    [
      { reason: "lost", what: "label", deaths: 2 },
      "Forge ended twice while it was at work on the label that `ana` set here, and set that aside.\nTo have it tried once more: take the label away and set it again.",
    ],
    [
      { reason: "lost", what: "comment", deaths: 3 },
      "Forge ended 3 times while it was at work on a comment by `ana`, and set that aside.\nIf it was meant for Forge: write it again.",
    ],
    [
      { reason: "lost", what: "withdrawal", deaths: 2 },
      "Forge ended twice while it was at work on what `ana` did here to end the work, and set that aside.\nTo end it: `/forge stop`",
    ],
    [
      { reason: "lost", what: "change", deaths: 2 },
      "Forge ended twice while it was at work on what `ana` changed on this pull request, and set that aside.\nIf no check follows on this head: `/forge review`",
    ],
    [
      { reason: "lost", what: "queue", deaths: 2 },
      "Forge ended twice while it was at work on the merge group of this pull request, and set that aside.\nIf no check follows: take the pull request out of the queue and put it in again.",
    ],
    [
      { reason: "lost", what: "button", code: "unexpected" },
      "Forge failed at the button that `ana` pressed (error `unexpected`).\nTo have it tried once more: press it again.",
    ],
  ])("%j", (refusal, text) => {
    expect(refuse(refusal)).toBe(text);
  });

  it("PIPE-7: what Forge ended at writing is told where it should stand, by what it is", () => {
    expect(say({ kind: "unwritten", what: "check.complete" })).toBe(
      "Forge ended twice while it was writing the check of this pull request, and gave it up, so it may be missing here.\nTo have it written again: `/forge review --full`",
    );
    expect(say({ kind: "unwritten", what: "plan.show" })).toBe(
      "Forge ended twice while it was writing the plan, and gave it up, so it may be missing here.\nTo see it: `/forge status`",
    );
    // A push, what it opens, and what a run carries out itself stop the work, which says so; a reaction is missed by nobody.
    const silent: readonly string[] = ["comment.react", "branch.push", "pull.open", ...CARRIED_BY_RUN];
    for (const what of Object.keys(EFFECT_CATALOGUE).filter((kind) => !silent.includes(kind)))
      expect(say({ kind: "unwritten", what }), what).not.toContain("something here");
  });

  it("there is one for every reason of the catalogue", () => {
    const fields = {
      name: "dismiss",
      written: "x",
      option: "--path",
      limit: 10,
      code: "x",
      most: 8,
      needs: "write",
      has: "read",
      matches: ["F-1", "F-2"],
      findingId: "F-7K2Q",
      other: "F-9M4D",
      check: "forge/review",
      by: "ben",
      gate: "G-1",
      open: ["G-1", "G-2"],
      standing: { is: "approved", by: "ben", at: "2026-11-20T10:00:00.000Z" },
      headSha,
      head: headSha,
      version: 12,
      phase: "testing",
      where: "forge_pull_request",
      findings: ["F-7K2Q"],
      state: "fixed",
      movedTo: headSha,
      message: "GitHub refused it.",
      fault: "has a group",
      level: 3,
      cap: 2,
      record: levelRecord({}),
      hidingId: "H-7K2Q",
      hidden: true,
      what: "commands",
      environment: "production",
      environments: ["staging"],
      sha: headSha,
      hold: { by: "ben", at: "2026-11-20T10:00:00.000Z", why: "the error rate is worse (8.1 times)" },
    };
    const reasons = Refusal.options.map(({ shape }) => ({ shape, reason: shape.reason.value }));
    for (const { shape, reason } of reasons) {
      const why = "why" in shape ? { why: WHYS.find((one) => shape.why.safeParse(one).success) } : {};
      for (const scope of ["subject", "repository"]) {
        const parsed = Refusal.safeParse({
          ...fields,
          ...why,
          scope,
          reason,
          ...("nearest" in shape
            ? { nearest: ["dismiss", "staging", "forge/tests"].find((one) => shape.nearest.safeParse(one).success) }
            : {}),
          limit: "limit" in shape ? [10, "6 reviews", "usd"].find((one) => shape.limit.safeParse(one).success) : 0,
        });
        expect(parsed.success, reason).toBe(true);
        for (const on of ["pull_request", "issue"] as const) {
          const text = answerText({ kind: "refused", login: "ana", refusal: parsed.data! }, wording, on);
          expect(text).not.toContain("undefined");
          expect(text.split("\n").length).toBeLessThanOrEqual(2);
          if (on === "issue") expect(text, reason).not.toContain("`/forge review`");
        }
      }
    }
  });
});

describe("what commands answer", () => {
  it("help shows each command with an example that Forge itself understands", () => {
    const text = say({ kind: "help" });
    expect(text).toMatchInlineSnapshot(`
      "| for example | what it does |
      |---|---|
      | \`/forge review\` | look at this head again, also at a draft |
      | \`/forge dismiss F-7K2Q test data\` | a finding is wrong or accepted; the check changes at once |
      | \`/forge explain F-7K2Q\` | why a finding was reported, and what became of it |
      | \`/forge fix F-7K2Q\` | commit the suggested fixes of findings to the branch |
      | \`/forge test\` | run the tests that this change asks for |
      | \`/forge status\` | what is going on here |
      | \`/forge stop\` | interrupt the work, or its deployment, after the step in flight |
      | \`/forge approve G-1\` | yes to what the work waits for |
      | \`/forge override forge/review hotfix, see the incident\` | pass a check on this head only |
      | \`/forge help dismiss\` | this list, or more about one command |

      A command starts a line. More commands, options and permissions: \`/forge help all\`"
    `);
    const examples = [...text.matchAll(/^\| `\/forge ([^`]+)`/gm)].map(([, line]) => line!);
    expect(examples).toHaveLength(10);
    for (const line of examples) expect(parseCommand(line)).toHaveProperty("command");
    const all = [...say({ kind: "help", topic: "all" }).matchAll(/For example `\/forge ([^`]+)`/g)];
    expect(all.map(([, line]) => parseCommand(line!))).toMatchObject(
      COMMAND_NAMES.map((name) => ({ command: { name } })),
    );
    expect(say({ kind: "help", topic: "all" })).toContain("Who may: triage; push with `--path` or `--rule`");
    expect(say({ kind: "help", topic: "override" })).toContain("**`/forge override <check> <reason>`**");
    expect(say({ kind: "help", topic: "dismis" })).toContain("Did you mean `/forge help dismiss`?");
  });

  it("cost: by run, and what each limit leaves", () => {
    const row = {
      runId: "01JD",
      phase: "review",
      model: "claude-haiku-5-5",
      usd: 0.18,
      tokens: 61000,
      cachedShare: 0.84,
    };
    const limits = [
      { scope: "phase", usedUsd: 0.18, limitUsd: 2 },
      { scope: "subject", usedUsd: 21, limitUsd: 20 },
      { scope: "repository", usedUsd: 4.5, limitUsd: 200 },
    ] as const;
    expect(say({ kind: "cost", cost: { spent: [row], limits: [...limits] } })).toMatchInlineSnapshot(`
      "**$0.18 was spent here**, by 1 run.

      | run | cost |
      |---|---|
      | \`01JD\` review, claude-haiku-5-5 | $0.18: 61,000 tokens, 84 % cached |

      | limit | left |
      |---|---|
      | the newest review | $1.82 of $2.00 |
      | this pull request | $0.00 of $20.00 |
      | this repository, today (UTC) | $195.50 of $200.00 |"
    `);
    expect(say({ kind: "cost", cost: { spent: [], limits: [] } })).toBe(
      "**Nothing was spent here**: no model was asked about this pull request.",
    );
    const spent = Array.from({ length: 14 }, (_, i) => ({ ...row, runId: `run-${i}`, usd: 0.5, model: "a|b @team" }));
    const long = say({ kind: "cost", cost: { spent, limits: [] } });
    expect(long).toContain("**$7.00 was spent here**, by 14 runs.");
    expect(long).toContain("| earlier | $2.00 |");
    expect(long.split("\n").filter((line) => line.startsWith("| `run-"))).toHaveLength(10);
    expect(long).not.toMatch(/(?<!`)@team/);
  });

  it("extend: the limit as it is now, and what follows", () => {
    expect(say({ kind: "extended", limit: "usd", total: 5, run: "resumed" })).toBe(
      "The limit of this review is $5.00 now. It goes on where it ended.",
    );
    expect(say({ kind: "extended", limit: "iterations", total: 12, run: "stopped" })).toBe(
      "The limit of this review is 12 model calls now. It is stopped; to have it go on: `/forge resume`",
    );
  });

  it("GH-12a: a stopped review says by whom, what is kept, and how to go on", () => {
    const report = { kind: "stopped", by: "ben" } as const;
    expect(checkTitle("action_required", report, wording)).toBe("Stopped by `ben` (`/forge resume` goes on)");
    expect(checkSummary("action_required", report, "01JD", wording)).toMatchInlineSnapshot(`
      "**Stopped by \`ben\`.** Nothing was posted; what was done is kept and not paid again. To go on: \`/forge resume\`; from the beginning: \`/forge review\`

      Run \`01JD\`"
    `);
    expect(checkButtons(report).map(({ identifier }) => parseCommand(commandOfButton(identifier)!))).toMatchObject([
      { command: { name: "resume" } },
      { command: { name: "review" } },
    ]);
  });

  it("fix: what is in which commit, and what is not with why", () => {
    const place = { file: "src/`a`.ts" };
    const left = [
      { ...place, findingId: "F-1", why: "changed" },
      { ...place, findingId: "F-2", why: "overlaps", what: "F-7K2Q" },
      { ...place, findingId: "F-3", why: "breaks" },
      { ...place, findingId: "F-4", why: "secret" },
      { ...place, findingId: "F-5", why: "governing", what: "a workflow of GitHub Actions" },
      { ...place, findingId: "F-6", why: "no_file" },
      { file: "", findingId: "F-7", why: "closed" },
    ] as const;
    expect(say({ kind: "fixed", headSha, applied: ["F-7K2Q", "F-9M4D"], left: [left[0]] })).toMatchInlineSnapshot(`
      "**Applied** in \`3f2c1ab\`: \`F-7K2Q\`, \`F-9M4D\`.
      \`git pull\` brings it to a clone; the check of the new head says what is left.

      Not applied:

      - \`F-1\` in \`\`src/\`a\`.ts\`\`: the lines that it replaces have changed since."
    `);
    expect(say({ kind: "fixed", applied: [], left: [...left] })).toMatchInlineSnapshot(`
      "**Nothing was applied**, so there is no commit.

      - \`F-1\` in \`\`src/\`a\`.ts\`\`: the lines that it replaces have changed since.
      - \`F-2\` in \`\`src/\`a\`.ts\`\`: it changes the same lines as \`F-7K2Q\`.
      - \`F-3\` in \`\`src/\`a\`.ts\`\`: the file would have an error with it.
      - \`F-4\` in \`\`src/\`a\`.ts\`\`: it would bring a secret into the commit.
      - \`F-5\` in \`\`src/\`a\`.ts\`\`: the file is a workflow of GitHub Actions, which Forge changes on nobody's command: commit the suggestion yourself.
      - \`F-6\` in \`\`src/\`a\`.ts\`\`: this head has no such text file.
      - \`F-7\`: it is no longer open."
    `);
  });

  it("trust: what follows where it starts no review", () => {
    for (const because of ["not_waiting", "at_work", "paused", "limit", "closed"] as const) {
      expect(say({ kind: "trusted", because })).toMatch(/^The AI layer may look at this pull request now\. [A-Z]/);
    }
  });

  it("no answer holds a line that would be a command", () => {
    const answers: Answer[] = [{ kind: "help" }, { kind: "help", topic: "all" }];
    for (const answer of answers) expect(commandLines(say(answer)).lines).toEqual([]);
  });

  it("status", () => {
    const status: StatusFacts = {
      headSha,
      active: { headSha, status: "running", since: "2026-11-20T10:42:00.000Z" },
      open: { critical: 0, error: 2, warning: 1, info: 0 },
      blocking: 2,
      dismissed: 1,
      fixed: 3,
      pauses: [{ scope: "repository", by: "ben", at: "2026-11-19T08:00:00.000Z" }],
      override: { by: "mia", reason: "hotfix @team" },
      runs: { hour: 2, perHour: 6, day: 5, perDay: 20 },
      refusals: [{ login: "eve", refusal: { reason: "role", name: "override", needs: "maintain", has: "read" } }],
    };
    expect(say({ kind: "status", status })).toMatchInlineSnapshot(`
      "**\`3f2c1ab\` is being reviewed**, since 2026-11-20 10:42 UTC.

      **Ledger**: 3 findings open (2 errors, 1 warning), 2 blocking; 1 dismissed, 3 fixed.

      **Paused** in this repository by \`ben\` since 2026-11-19 08:00 UTC. To go on: \`/forge unpause --repository\`

      **Overridden** on this head by \`mia\`: hotfix \`@team\`

      **Limits**: 2 of 6 reviews in this hour, 5 of 20 in this day.

      **Refused lately**:
      - \`eve\`: \`override\` needs maintain permission here; \`eve\` has read."
    `);
    const gates = [{ gate: "G-2", deadline: "2026-11-21T10:42:00.000Z" }];
    expect(say({ kind: "status", status: { ...status, gates } }).split("\n")[0]).toBe(
      "**The review of `3f2c1ab` waits for an answer** (G-2, until 2026-11-21 10:42 UTC): `/forge approve G-2` or `/forge reject G-2`",
    );
    const { active: _active, ...idle } = status;
    const last = { headSha, conclusion: "failure", at: "2026-11-20T10:43:00.000Z", runId: "01JD" } as const;
    expect(say({ kind: "status", status: { ...idle, last } })).toContain(
      "**Nothing is at work.** The check on `3f2c1ab` says failure at 2026-11-20 10:43 UTC, run `01JD`.",
    );
  });

  it("explain", () => {
    const text = say({
      kind: "explained",
      finding: finding({ evidence: "exec(dir)" }),
      state: "dismissed",
      headSha,
      dismissal: {
        findingId: "F-9M4D",
        by: ana,
        at: "2026-11-20T10:42:00.000Z",
        reason: "only <b>tests</b>",
        scope: { kind: "path", glob: "test/**" },
      },
      tool: { name: "forge", version: "1.2.0" },
      history: [
        { what: "detected", at: "2026-11-19T08:00:00.000Z", headSha },
        { what: "dismissed", at: "2026-11-20T10:42:00.000Z", by: "ana" },
      ],
    });
    expect(text).toMatchInlineSnapshot(`
      "**Shell injection** · \`src/run.ts\` line 31

      \`dir\` comes from the request and is pasted into a shell command.

      \`?dir=;id\` runs \`id\` on the server.

      Error · security · high confidence · \`shell-injection\` · \`F-9M4D\`.

      **Reported by** \`forge\` 1.2.0, rule \`forge/shell-injection\`, which gives it its severity and high confidence; it blocks.

      **Dismissed** by \`ana\` at 2026-11-20 10:42 UTC for its rule under \`test/**\`: only &lt;b>tests&lt;/b>

      \`\`\`
      exec(dir)
      \`\`\`

      - 2026-11-19 08:00 UTC: first seen on \`3f2c1ab\`
      - 2026-11-20 10:42 UTC: dismissed by \`ana\`"
    `);
  });

  it("REV-4: explain says of a model's finding whether anything was executed that shows it", () => {
    const claim = finding({ source: "ai", rule: "ai/logic", severity: "warning", confidence: 0.6 });
    const tool = { name: "ai", version: "anthropic/claude-haiku-5-5" };
    const tell = (to: Partial<typeof claim>) =>
      say({ kind: "explained", finding: { ...claim, ...to }, state: "open", headSha, tool, history: [] });
    expect(tell({})).toContain(
      "**Reported by** the AI layer (`anthropic/claude-haiku-5-5`), rule `ai/logic`, with medium confidence; it does not block.",
    );
    expect(tell({})).toContain(
      "**Not verified**: no executed test shows it, so it does not block, whatever its severity.",
    );
    const shown = { evidence: "not ok 1 - counts", severity: "error", confidence: 0.95 } as const;
    expect(tell({ ...shown, verified: "fix" })).toContain("it blocks.\n\n**Verified**: the test below failed");
    expect(tell({ ...shown, verified: "base" })).toContain("passed before the change.");
  });

  it("a secret is not shown by explaining it", () => {
    const secret = finding({ secret: true, evidence: "the very value" });
    expect(say({ kind: "explained", finding: secret, state: "open", headSha, history: [] })).not.toContain(
      "very value",
    );
  });

  it("config", () => {
    const settings = [
      { name: "review.drafts", value: "false", from: "default" },
      { name: "review.max_comments", value: "5", from: "repository" },
    ] as const;
    const configuration = { settings: [...settings], problems: ["`.github/forge.yml` is wrong: line 3."] };
    expect(say({ kind: "configuration", configuration })).toMatchInlineSnapshot(`
      "**Mistake**: \`.github/forge.yml\` is wrong: line 3.

      **Configuration in force.**

      | setting | value | from |
      |---|---|---|
      | \`review.max_comments\` | \`5\` | \`.github/forge.yml\` |

      <details><summary>1 default</summary>

      | setting | value |
      |---|---|
      | \`review.drafts\` | \`false\` |

      </details>"
    `);
  });
});

describe("the check after a command", () => {
  const overridden = { by: "mia", at: "2026-11-20T10:42:00.000Z", reason: "hotfix for the outage" };
  it("says first of all that it is overridden, by whom and why, and hides nothing", () => {
    const report = reviewed([reported()], {
      dismissed: [
        { findingId: "F-7K2Q", by: "ana", reason: "test data" },
        { findingId: "F-7K2R", by: "ana", reason: "" },
      ],
    });
    expect(checkTitle("success", report, wording, overridden)).toBe("Overridden by `mia`: 1 blocking error open");
    expect(checkSummary("success", report, "01JD", wording, overridden)).toMatchInlineSnapshot(`
      "**Overridden by \`mia\`, on this head only:** hotfix for the outage. What is open stays open.

      | id, severity | where, what and why |
      |---|---|
      | \`F-9M4D\` error | \`src/run.ts:31\`: **Shell injection**. \`dir\` comes from the request and is pasted into a shell command. \`?dir=;id\` runs \`id\` on the server. |

      **Dismissed**: \`F-7K2Q\` by \`ana\` (test data), \`F-7K2R\` by \`ana\`.

      **Looked at** all 12 changed files, 214 added lines, at \`3f2c1ab\`: static, security.

      No model configured · 42 s · run \`01JD\`"
    `);
  });

  it("offers buttons within GitHub's limits, and each is a command", () => {
    const reports: CheckReport[] = [
      { kind: "skipped", reason: "draft" },
      { kind: "skipped", reason: "paused by ana", paused: "subject" },
      { kind: "skipped", reason: "paused by ana for the repository", paused: "repository" },
      { kind: "failed", message: "m", code: "c", attempts: 3 },
      { kind: "cancelled", reason: "closed" },
      reviewed([]),
      reviewed([reported()]),
      reviewed([], { coverage: coverage({ uncovered: [{ path: "a", reason: "b", gap: true }] }) }),
    ];
    expect(reports.map((report) => checkButtons(report).map(({ identifier }) => identifier))).toEqual([
      ["review"],
      ["unpause", "review-full"],
      ["review-full"],
      ["review"],
      [],
      [],
      ["review-full"],
      ["review-full"],
    ]);
    for (const { label, description, identifier } of reports.flatMap((report) => checkButtons(report))) {
      expect([label.length <= 20, description.length <= 40, identifier.length <= 20]).toEqual([true, true, true]);
      expect(parseCommand(commandOfButton(identifier)!)).toHaveProperty("command");
    }
    expect(commandOfButton("toString")).toBeUndefined();
  });
});
