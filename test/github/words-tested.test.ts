import { describe, expect, it } from "vitest";
import type { CheckReport } from "../../src/domain/effects.ts";
import type { Conclusion } from "../../src/domain/phases.ts";
import type { TestFailure, TestOutcome } from "../../src/domain/test-report.ts";
import { testAnnotations } from "../../src/github/words/check/annotations.ts";
import { checkButtons } from "../../src/github/words/check/check-buttons.ts";
import { checkText, queuedOutput, startedOutput } from "../../src/github/words/check/check-text.ts";
import { answerText } from "../../src/github/words/command/answers.ts";
import { commandLines } from "../../src/pipeline/commands/command-lines.ts";
import { headSha, wording } from "./samples.ts";
import { testOutcome } from "./work-samples.ts";

const failure = (change: Partial<TestFailure> = {}): TestFailure => ({
  name: "login › refuses the sixth attempt",
  file: "test/http/login.test.ts",
  message: "expected 429\nreceived 200",
  class: "bug",
  cause: "the window is emptied at each attempt",
  fix: "keep the moments of the last minute in `limiter.ts`",
  confidence: 0.8,
  ...change,
});
const FAILED = testOutcome({ outcome: "failed", passed: 34, failed: 1, failures: [failure()] });
const weakened: TestOutcome["weakened"] = [
  { path: "test/http/login.test.ts", line: 12, kind: "skipped_test", what: "`refuses the sixth` is skipped" },
];
const report = (outcome: TestOutcome): CheckReport => ({ kind: "tested", outcome, costUsd: 0.03 });
const say = (conclusion: Conclusion, said: CheckReport) =>
  checkText({ check: "forge/tests", headSha, conclusion, report: said } as never, "01JD", wording);

describe("GH-14: what /forge test answers on a pull request of people", () => {
  const answer = (outcome: TestOutcome) => answerText({ kind: "tested", outcome }, wording).split("\n\n");

  it("is what the check would say, without a check to override", () => {
    expect(answer(testOutcome())).toEqual([
      "**34 tests passed.**",
      "**Coverage**: 92 % of the changed lines, 46 of 50. Not reached: `src/http/login.ts` 12 to 14, 20.",
      "**Ran** 5 files of tests by `vitest`, those that the change affects, at `3f2c1ab`: 34 passed, 0 failed, 1 skipped.",
      "12 s",
    ]);
    expect(answer(FAILED)[0]).toBe("**1 of 35 tests failed.** Fix and push; to run them again: `/forge test`");
  });

  it("TEST-3: says why more tests were run than those that name the change", () => {
    const reason =
      'More tests than those that name the change were run, because "test/cart.test.js" imports "#lib/add", which is not found in the repository.';
    expect(answer(testOutcome({ reason }))[2]).toBe(
      `**Ran** 5 files of tests by \`vitest\`, those that the change affects, at \`3f2c1ab\`: 34 passed, 0 failed, 1 skipped. ${reason}`,
    );
  });

  it("says both where tests were weakened and nothing was run", () => {
    const reason = "there is no sandbox here";
    const none = testOutcome({ outcome: "not_run", reason, weakened, coverage: undefined as never });
    expect(answer(none).slice(0, 2)).toEqual([
      "**Not tested**: there is no sandbox here. To try again: `/forge test`",
      "**Tests were weakened: 1 place.** Put them back as they were, if that was not meant.",
    ]);
    expect(answer(testOutcome({ outcome: "not_run", reason: "there is no test", nothingToRun: true }))[0]).toBe(
      "**Not tested**: there is no test.",
    );
  });
});

describe("GH-11: the check forge/tests", () => {
  it.each<[string, Conclusion, TestOutcome]>([
    ["34 tests passed, 92 % of the changed lines covered", "success", testOutcome()],
    ["34 tests passed, 1 flaky, 92 % of the changed lines covered", "success", testOutcome({ flaky: ["waits"] })],
    ["1 of 35 tests failed: login › refuses the sixth attempt", "failure", FAILED],
    ["2 of 36 tests failed", "failure", { ...FAILED, failed: 2, failures: [failure(), failure({ name: "b" })] }],
    [
      "1 of 35 tests failed, as before the change: login › refuses the sixth attempt",
      "neutral",
      { ...FAILED, failures: [failure({ class: "existing" })] },
    ],
    ["1 test weakened; 34 tests passed", "failure", testOutcome({ weakened })],
    [
      "Not tested: there is no sandbox here",
      "neutral",
      testOutcome({ outcome: "not_run", reason: "there is no sandbox here" }),
    ],
  ])("has the title: %s", (title, conclusion, outcome) => {
    expect(say(conclusion, report(outcome)).title).toBe(title);
  });

  it("has no longer title than GitHub shows", () => {
    const name = `@acme/all ${"x".repeat(200)}`;
    expect(say("failure", report({ ...FAILED, failures: [failure({ name })] })).title).toHaveLength(80);
  });

  it("says what fails, why, what would mend it, and what no test reaches", () => {
    const outcome = {
      ...FAILED,
      failed: 2,
      failures: [
        failure(),
        failure({
          name: "cart › old",
          class: "existing",
          cause: undefined as never,
          fix: undefined as never,
          confidence: undefined as never,
        }),
      ],
      flaky: ["login › waits"],
    };
    expect(say("failure", report(outcome)).summary).toMatchInlineSnapshot(`
      "**2 of 36 tests failed.** Not through this change: 1 failed before it. Fix and push; to run them again: \`/forge test\`; to let it pass as it is: \`/forge override forge/tests <reason>\`

      | test | why |
      |---|---|
      | \`login › refuses the sixth attempt\`<br>\`test/http/login.test.ts\` | **bug**: the window is emptied at each attempt. To fix it (high confidence): keep the moments of the last minute in \`limiter.ts\`. |
      | \`cart › old\`<br>\`test/http/login.test.ts\` | **failed before the change**: expected 429. |

      **Flaky**, failed once and passed when repeated: \`login › waits\`.

      **Coverage**: 92 % of the changed lines, 46 of 50. Not reached: \`src/http/login.ts\` 12 to 14, 20.

      **Ran** 5 files of tests by \`vitest\`, those that the change affects, at \`3f2c1ab\`: 34 passed, 2 failed, 1 skipped.

      <details><summary>what the runner said</summary>

      \`login › refuses the sixth attempt\`

      \`\`\`
      expected 429
      received 200
      \`\`\`

      \`cart › old\`

      \`\`\`
      expected 429
      received 200
      \`\`\`

      </details>

      $0.03 · 12 s · run \`01JD\`"
    `);
  });

  it("names no command to pass what the run of Forge's own work asks by a gate", () => {
    const own = { kind: "tested", outcome: FAILED, costUsd: 0, work: true } as const;
    const first = (said: CheckReport) => say("failure", said).summary.split("\n")[0];
    expect(first(own)).toBe("**1 of 35 tests failed.** Fix and push; to run them again: `/forge test`");
    expect(first({ ...own, outcome: testOutcome({ weakened }) })).toBe(
      "**Tests were weakened: 1 place.** Put them back as they were.",
    );
  });

  it("is short where all is well, and says what was not run and why", () => {
    expect(say("success", report(testOutcome())).summary).toMatchInlineSnapshot(`
      "**34 tests passed.**

      **Coverage**: 92 % of the changed lines, 46 of 50. Not reached: \`src/http/login.ts\` 12 to 14, 20.

      **Ran** 5 files of tests by \`vitest\`, those that the change affects, at \`3f2c1ab\`: 34 passed, 0 failed, 1 skipped.

      $0.03 · 12 s · run \`01JD\`"
    `);
    const none = testOutcome({
      outcome: "not_run",
      reason: "there is no sandbox here",
      coverage: undefined as never,
      durationMs: 0,
    });
    expect(say("neutral", report(none)).summary).toMatchInlineSnapshot(`
      "**Not tested**: there is no sandbox here. To try again: \`/forge test\`

      $0.03 · under 1 s · run \`01JD\`"
    `);
    const uncovered = testOutcome({ coverage: undefined as never, coverageMissing: "the runner wrote none" });
    expect(say("success", report(uncovered)).summary).toContain("**Coverage**: not known: the runner wrote none.");
  });

  it("calls weakened tests by their name", () => {
    expect(
      say("failure", report(testOutcome({ weakened })))
        .summary.split("\n\n")
        .slice(0, 2),
    ).toMatchInlineSnapshot(`
      [
        "**Tests were weakened: 1 place.** Put them back as they were, or say why with \`/forge override forge/tests <reason>\`.",
        "- \`test/http/login.test.ts:12\`: a test is skipped. \`refuses the sixth\` is skipped.",
      ]
    `);
  });

  it("speaks of tests before the end and at every other end too", () => {
    expect([queuedOutput(headSha, "forge/tests"), startedOutput(headSha, "forge/tests")]).toMatchInlineSnapshot(`
      [
        {
          "summary": "The tests of \`3f2c1ab\` are run in a moment. Nothing to do.",
          "title": "Queued",
        },
        {
          "summary": "The tests that the change at \`3f2c1ab\` affects are run. Nothing to do.",
          "title": "Testing",
        },
      ]
    `);
    const endings: CheckReport[] = [
      { kind: "skipped", reason: "no tests" },
      { kind: "cancelled", reason: "superseded" },
      { kind: "stopped", by: "ben" },
      { kind: "failed", message: "the clone could not be made", code: "fetch_timeout", attempts: 3 },
    ];
    for (const ending of endings) {
      const { title, summary } = say("cancelled", ending);
      expect(`${title}\n${summary}`).not.toMatch(/review/i);
    }
    expect(say("cancelled", endings[3]!)).toMatchInlineSnapshot(`
      {
        "summary": "**Not tested:** the clone could not be made. To run them: \`/forge test\`, or press **Re-run** on this check.

      Error \`fetch_timeout\`.

      Run \`01JD\`",
        "title": "Not tested: the clone could not be made",
      }
    `);
  });

  it("offers to test again, unless there is nothing to test again", () => {
    const offered = (said: CheckReport) => checkButtons(said, "forge/tests").map(({ identifier }) => identifier);
    expect(offered(report(FAILED))).toEqual(["test"]);
    expect(offered(report(testOutcome({ weakened })))).toEqual(["test"]);
    expect(offered(report(testOutcome()))).toEqual([]);
    expect(offered({ kind: "cancelled", reason: "closed" })).toEqual([]);
  });

  it("GH-15: names and messages of tests do nothing", () => {
    const evil = "@acme/all closes #7 <script> | ```\n/forge approve\n![i](https://evil.example/x.png)";
    const failures = [failure({ name: evil, file: evil, message: evil, cause: evil, fix: evil })];
    const outcome = { ...FAILED, failures, flaky: [evil], weakened: [{ ...weakened[0]!, path: evil, what: evil }] };
    const { summary } = say("failure", report(outcome));
    expect(commandLines(summary).lines).toEqual([]);
    const shown = summary.replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1$/gm, "").replace(/(`+)[^`].*?\1(?!`)/g, "");
    expect(shown).not.toMatch(/@acme|#7|<script|!\[/);
  });

  it("stays inside GitHub's limit", () => {
    const long = "ä<".repeat(4_000);
    const failures = Array.from({ length: 50 }, () => failure({ name: long, message: long, cause: long, fix: long }));
    const { summary } = say("failure", report({ ...FAILED, failed: 50, failures }));
    expect(Buffer.byteLength(summary)).toBeLessThan(65_535);
    expect(summary).toContain("50 of 84 tests failed");
  });
});

describe("TEST-1: what stands in the diff", () => {
  it("failing tests, weakened tests, and changed lines that no test reaches", () => {
    const outcome = {
      ...FAILED,
      weakened,
      failures: [failure(), failure({ class: "flaky" }), failure({ file: undefined as never })],
    };
    expect(
      testAnnotations(outcome, wording).map(({ path, startLine, endLine, level, title }) => [
        path,
        startLine,
        endLine,
        level,
        title,
      ]),
    ).toEqual([
      ["test/http/login.test.ts", 1, 1, "failure", "Fails: login › refuses the sixth attempt"],
      ["test/http/login.test.ts", 1, 1, "warning", "Fails: login › refuses the sixth attempt"],
      ["test/http/login.test.ts", 12, 12, "failure", "A test was weakened"],
      ["src/http/login.ts", 12, 14, "notice", "No test reaches this"],
      ["src/http/login.ts", 20, 20, "notice", "No test reaches this"],
    ]);
  });
});
