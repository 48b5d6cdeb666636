import { describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/domain/commands.ts";
import { checkSummary, queuedOutput, startedOutput } from "../../src/github/words/check/check-text.ts";
import { coverage, headSha, reported, reviewed, wording } from "./samples.ts";

const runId = "01JD2C3V4B5N6M7Q8W9E0R1T2Y";

describe("GH-11: the summary of a check", () => {
  it("says what blocks, what to do, and what was looked at", () => {
    const report = reviewed(
      [
        reported({
          id: "F-7K2Q",
          severity: "critical",
          file: "src/config.ts",
          line: 14,
          endLine: 14,
          message: "AWS key `AKIA…` added",
          why: "Whoever can read this repository can use it.",
          remedy: "Rotate it, then remove it from the history of the branch.",
          secret: true,
        }),
        reported({}, { state: "regressed" }),
        reported({ severity: "warning" }),
        reported({ severity: "warning" }, { placement: "annotation" }),
        reported({ severity: "info" }, { placement: "annotation" }),
      ],
      {
        again: true,
        fresh: 1,
        fixed: 2,
        back: 1,
        changes: { fresh: ["F-7K2Q"], fixed: ["F-AAAA", "F-BBBB"], back: ["F-9M4D"] },
        decision: "require_human",
        coverage: coverage({
          filesCovered: 11,
          addedLines: 1214,
          addedLinesCovered: 1200,
          uncovered: [{ path: "dist/app.js", reason: "generated", gap: false }],
          notes: ["The configuration at main is invalid, defaults were used: unknown key `reviews`"],
        }),
      },
    );
    expect(checkSummary("failure", report, runId, wording)).toMatchInlineSnapshot(`
      "**Changes requested: 2 blocking findings are open.** Rotate the key first, then fix and push, or \`/forge dismiss <id> <reason>\`.

      | id, severity | where, what and why |
      |---|---|
      | \`F-7K2Q\` critical, new | \`src/config.ts:14\`: **Shell injection**. AWS key \`AKIA…\` added. Whoever can read this repository can use it. Rotate it, then remove it from the history of the branch. |
      | \`F-9M4D\` error, back again | \`src/run.ts:31\`: **Shell injection**. \`dir\` comes from the request and is pasted into a shell command. \`?dir=;id\` runs \`id\` on the server. |

      Advisory: 2 warnings, 1 note, as a comment and annotations: \`F-9M4D\` in \`src/run.ts:31\`, \`F-9M4D\` in \`src/run.ts:31\`, \`F-9M4D\` in \`src/run.ts:31\`.

      **Looked at** 11 of 12 changed files, 1,200 of 1,214 added lines, at \`3f2c1ab\`: static, security. Not looked at: \`dist/app.js\` (generated).

      Note: The configuration at main is invalid, defaults were used: unknown key \`reviews\`

      **Since the last review**: 2 fixed, 1 new, 1 back again. Fixed: \`F-AAAA\`, \`F-BBBB\`. New: \`F-7K2Q\`. Back again: \`F-9M4D\`.

      No model configured · 42 s · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("GH-12a: says how a review goes on that ended at its limit", () => {
    const reason = "the AI layer reached the budget of $0.10";
    const limit = { name: "usd" as const, amount: 0.1 };
    const ai = { layer: "ai" as const, state: "failed" as const, reason, limit, tools: [] };
    const report = reviewed([], { coverage: coverage({ layers: [ai] }) });
    const summary = checkSummary("action_required", report, runId, wording);
    expect(summary.split("\n")[0]).toBe(
      "**Not fully reviewed:** the AI layer reached the budget of `$0.10`. To have it go on from there: `/forge extend usd 0.1`. Or look at what was left out yourself.",
    );
  });

  it.each([
    [{ verified: 1, refuted: 2 }, "security, AI (1 verified, 2 refuted)."],
    [{ verified: 0, refuted: 1 }, "security, AI (1 refuted)."],
    [{ verified: 0, refuted: 0 }, "security, AI."],
  ])("REV-4: says what became of a model's claims, where there were any: %j", (counts, said) => {
    const { layers } = coverage();
    const ai = { layer: "ai" as const, state: "ran" as const, tools: [], counts };
    const report = reviewed([], {
      coverage: coverage({ layers: [...layers.filter(({ layer }) => layer !== "ai"), ai] }),
    });
    expect(checkSummary("success", report, runId, wording)).toContain(said);
  });

  it("is two lines when everything is clean", () => {
    expect(checkSummary("success", reviewed([]), runId, wording)).toMatchInlineSnapshot(`
      "**Clean.** Looked at all 12 changed files, 214 added lines, at \`3f2c1ab\`: static, security.

      No model configured · 42 s · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("lists advisory findings when nothing blocks, ten at most", () => {
    const warnings = Array.from({ length: 12 }, (_, index) =>
      reported({ id: `F-000${index}`, severity: "warning", category: "best_practice", message: `Warning ${index}` }),
    );
    const summary = checkSummary("neutral", reviewed([...warnings, reported({ severity: "info" })]), runId, wording);
    expect(summary.match(/^\| `F-\w+` warning/gm)).toHaveLength(10);
    expect(summary).toContain("**12 advisory findings, nothing blocking.** Fix what helps; merging is not held up.");
    expect(summary).toContain("Also: 2 warnings, 1 note, as comments: `F-00010` in `src/run.ts:31`, `F-00011` in");
  });

  it("GH-11a: names every layer and file that is missing", () => {
    const report = reviewed([], {
      coverage: coverage({
        filesCovered: 0,
        addedLinesCovered: 0,
        layers: [
          { layer: "static", state: "partly", reason: "biome did not run: out of memory", tools: [] },
          { layer: "security", state: "failed", reason: "secrets did not run: timed out after 60 s", tools: [] },
        ],
        uncovered: Array.from({ length: 12 }, (_, index) => ({
          path: `f${index}.ts`,
          reason: "larger than 1 MB",
          gap: index > 5,
        })),
      }),
      beyondLimit: 3,
    });
    expect(checkSummary("action_required", report, runId, wording)).toMatchInlineSnapshot(`
      "**Not fully reviewed:** secrets did not run: timed out after 60 s. Look at what was left out yourself, or press **Re-run** on this check.

      3 findings beyond the limit of one run are not listed.

      **Looked at** 0 of 12 changed files, 0 of 214 added lines, at \`3f2c1ab\`: static (partly). Not looked at: \`f6.ts\`, \`f7.ts\`, \`f8.ts\`, \`f9.ts\`, \`f10.ts\`, \`f11.ts\`, \`f0.ts\`, \`f1.ts\`, \`f2.ts\`, \`f3.ts\` (larger than 1 MB) and 2 more files.

      **The static layer did not look at everything**: biome did not run: out of memory

      No model configured · 42 s · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("says what to do first where a key is open, and names the ones without a row", () => {
    const secret = reported({ secret: true });
    const warnings = ["A", "B", "C", "D", "E"].map((id, line) =>
      reported({ id: `F-${id}`, severity: "warning", line: line + 1 }, { placement: "annotation" }),
    );
    const summary = (findings: Parameters<typeof reviewed>[0]) =>
      checkSummary("failure", reviewed(findings), runId, wording);
    expect(summary([secret])).toContain("Rotate the key first, then fix and push, or");
    expect(summary([secret, secret])).toContain("Rotate the keys first, then fix and push, or");
    expect(summary([reported()])).not.toContain("Rotate");
    expect(summary([secret, warnings[0]!])).toContain(
      "Advisory: 1 warning, as an annotation: `F-A` in `src/run.ts:1`.",
    );
    expect(summary([secret, ...warnings])).toContain(
      "Advisory: 5 warnings, as annotations: `F-A` in `src/run.ts:1`, `F-B` in `src/run.ts:2`, `F-C` in `src/run.ts:3` and 2 more.",
    );
  });

  it("gives a secret that the head does not hold no line, since none is its own", () => {
    const gone = reported({ secret: true, commit: headSha, file: "src/config.ts", line: 1 }, { placement: "none" });
    const summary = checkSummary("failure", reviewed([gone]), runId, wording);
    expect(summary).toContain("| `F-9M4D` error | `src/config.ts`: ");
    expect(summary).not.toContain("src/config.ts:1");
  });

  it("says since the last review only what there is to say", () => {
    const since = (change: Parameters<typeof reviewed>[1]) =>
      /\*\*Since the last review.*/.exec(
        checkSummary("success", reviewed([], { again: true, fresh: 0, ...change }), runId, wording),
      )?.[0];
    expect(since({})).toBe("**Since the last review**: nothing new, nothing fixed.");
    expect(since({ fixed: 2 })).toBe("**Since the last review**: 2 fixed.");
    const ids = Array.from({ length: 8 }, (_, index) => `F-${index}`);
    expect(since({ fixed: 8, changes: { fixed: ids, fresh: [], back: [] } })).toBe(
      "**Since the last review**: 8 fixed. Fixed: `F-0`, `F-1`, `F-2`, `F-3`, `F-4`, `F-5` and 2 more findings.",
    );
    expect(since({ again: false })).toBeUndefined();
  });

  it("GH-11a: names what no analyser read, first of all", () => {
    const searchedOnly = [{ path: "src/main.rs", reason: "Rust" }];
    const summary = checkSummary("neutral", reviewed([], { coverage: coverage({ searchedOnly }) }), runId, wording);
    expect(summary.split("\n\n").slice(0, 2)).toEqual([
      "**Nothing found; not analyzed: src/main.rs (Rust).** No analyzer reads it, so review it yourself.",
      "**Looked at** all 12 changed files, 214 added lines, at `3f2c1ab`: static, security. Not analyzed, only searched for secrets and disguises: `src/main.rs` (Rust).",
    ]);
  });

  it("GH-11a: never says clean where nothing was read", () => {
    const uncovered = [{ path: "dist/app.js", reason: "generated", gap: false }];
    const report = reviewed([], {
      coverage: coverage({ files: 1, filesCovered: 0, addedLinesCovered: 0, uncovered }),
    });
    const summary = (uncoveredToo = uncovered) =>
      checkSummary("success", { ...report, coverage: { ...report.coverage, uncovered: uncoveredToo } }, runId, wording);
    expect(summary()).not.toContain("Clean");
    expect(summary([{ path: "a.ts", reason: "deleted", gap: false }])).toMatch(
      /^\*\*Nothing to read: 1 file deleted\.\*\*\n/,
    );
    expect(checkSummary("neutral", report, runId, wording)).toMatchInlineSnapshot(`
      "**Nothing was read: 1 file left out (generated).** Look at it yourself.

      **Looked at** 0 of 1 changed file, 0 of 214 added lines, at \`3f2c1ab\`: static, security. Not looked at: \`dist/app.js\` (generated).

      No model configured · 42 s · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("REV-3a: says of a critical finding that nothing has shown why that is, and what to do", () => {
    const why = "mocha did not start: Cannot find module 'mocha'";
    const guess = { severity: "critical", source: "ai", confidence: 0.69, unproven: why } as const;
    const report = reviewed([reported(guess)], { decision: "require_human" });
    expect(checkSummary("neutral", report, runId, wording).split("\n")[0]).toBe(
      "**Needs a look: 1 unproven critical finding.** It does not block; read it before you merge. `F-9M4D` is unproven: mocha did not start: Cannot find module 'mocha'.",
    );
  });

  it("waits for a maintainer where the verdict asks for one", () => {
    const report = reviewed([reported({ severity: "critical", confidence: 0.5 })], { decision: "require_human" });
    expect(checkSummary("action_required", report, runId, wording)).toContain(
      "**Waiting for a maintainer:** a critical security finding is open.",
    );
  });

  it("says what a model cost when one was used", () => {
    const ai = { layer: "ai" as const, state: "ran" as const, tools: [] };
    const layers = [...coverage().layers.slice(0, 2), ai];
    const last = (costUsd: number, durationMs: number) => {
      const models = ["anthropic/claude-haiku-5-5"];
      const cost = { usd: costUsd, tokens: 61_000, cachedShare: 0.84, calls: 9, models };
      const facts = reviewed([], { costUsd, cost, durationMs, coverage: coverage({ layers }) });
      return checkSummary("success", facts, runId, wording).split("\n").at(-1);
    };
    const used = "(claude-haiku-5-5, 61,000 tokens, 84 % cached)";
    expect(last(0.18, 185_000)).toBe(`$0.18 ${used} · 3 min 5 s · run \`${runId}\``);
    expect(last(0.001, 3_720_000)).toBe(`under $0.01 ${used} · 1 h 2 min · run \`${runId}\``);
    expect(last(0, 300)).toBe(`$0.00 ${used} · under 1 s · run \`${runId}\``);
  });

  it("GH-8c, REV-2: says why no model was used, and what the AI layer waits for", () => {
    const said = (state: "not_needed" | "waiting" | "not_configured", reason: string) => {
      const ai = { layer: "ai" as const, state, reason, tools: [] };
      const report = reviewed([], { coverage: coverage({ layers: [...coverage().layers.slice(0, 2), ai] }) });
      return checkSummary(state === "waiting" ? "action_required" : "success", report, runId, wording);
    };
    expect(said("not_needed", "the risk is low")).toContain("\n\nNo model used: the risk is low · 42 s");
    expect(said("not_needed", "the risk is low")).not.toContain("**The AI layer");
    const waiting = said("waiting", "the author cannot push here");
    expect(waiting).toContain("**Not fully reviewed:** the AI layer waits for `/forge trust`.");
    expect(waiting).toContain("**The AI layer has not run yet**: the author cannot push here");
  });

  it("cuts the table and says so when it would not fit, and keeps the rest", () => {
    const many = Array.from({ length: 900 }, (_, index) =>
      reported({ id: `F-${index}`, message: "é".repeat(300), why: "ü".repeat(300) }),
    );
    const summary = checkSummary("failure", reviewed(many), runId, wording);
    const rows = summary.match(/^\| `F-\d+` error/gm)!.length;
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
    expect(Buffer.byteLength(summary)).toBeGreaterThan(64_000);
    expect(summary).toContain(`${900 - rows} more findings did not fit here`);
    expect(summary.split("\n").at(-1)).toContain(runId);
  });

  it("GH-15: keeps hostile text in its cell", () => {
    const hostile = "| x |\n| @octocat | fixes #1 <!-- `a|b` ![x](https://evil.example)";
    const summary = checkSummary(
      "failure",
      reviewed([reported({ message: hostile, why: hostile, file: "a|b`c.ts" })]),
      runId,
      wording,
    );
    expect(summary.split("\n").find((line) => line.startsWith("| `F-"))).toMatchInlineSnapshot(
      `"| \`F-9M4D\` error | \`\`a¦b\`c.ts:31\`\`: **Shell injection**. &#124; x &#124; &#124; \`@octocat\` &#124; fixes \`#1\` &lt;!-- \`a¦b\` \\[x] (\`https://evil.example\`). &#124; x &#124; &#124; \`@octocat\` &#124; fixes \`#1\` &lt;!-- \`a¦b\` \\[x] (\`https://evil.example\`) |"`,
    );
  });
});

describe("GH-12a: every ending speaks", () => {
  it("left out", () => {
    expect(
      checkSummary("skipped", { kind: "skipped", reason: "label `wip`", askable: true }, runId, wording),
    ).toMatchInlineSnapshot(`
      "**Left out: label \`wip\`.** Nothing was looked at. To have it reviewed now, press **Re-run** on this check, or say \`/forge review\`.

      Run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("superseded", () => {
    const report = { kind: "cancelled", reason: "superseded", byHead: headSha } as const;
    expect(checkSummary("cancelled", report, runId, wording)).toMatchInlineSnapshot(`
      "**Superseded by \`3f2c1ab\`**, which has its own check. Nothing to do; nothing was posted for this head.

      Run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it.each(["superseded", "closed", "merged", "installation_removed", "repository_gone"] as const)("%s", (reason) => {
    expect(checkSummary("cancelled", { kind: "cancelled", reason }, runId, wording)).toMatch(
      /^\*\*\S.*\*\*.*\n\nRun `/,
    );
  });

  it("failed", () => {
    const report = {
      kind: "failed",
      message: "fetching took longer than 120 s",
      code: "fetch_timeout",
      attempts: 3,
    } as const;
    expect(checkSummary("action_required", report, runId, wording)).toMatchInlineSnapshot(`
      "**Not reviewed:** fetching took longer than 120 s. To try again, press **Re-run** on this check, or say \`/forge review\`.

      Tried 3 times; nothing was posted. Error \`fetch_timeout\`.

      Run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("speaks before the end too", () => {
    expect([queuedOutput(headSha, "forge/review"), startedOutput(headSha, "forge/review")]).toMatchInlineSnapshot(`
      [
        {
          "summary": "The review of \`3f2c1ab\` begins in a moment. Nothing to do.",
          "title": "Queued",
        },
        {
          "summary": "\`3f2c1ab\` is being reviewed. Nothing to do.",
          "title": "Reviewing",
        },
      ]
    `);
  });

  it("offers no command that does not exist", () => {
    for (const report of [reviewed([reported()]), { kind: "skipped", reason: "draft" } as const]) {
      const offered = checkSummary("failure", report, runId, wording).match(/\/forge (\w+)/g) ?? [];
      expect(offered.filter((command) => !COMMAND_NAMES.includes(command.slice(7) as never))).toEqual([]);
    }
    expect(checkSummary("skipped", { kind: "skipped", reason: "draft", askable: true }, runId, wording)).toContain(
      "or say `/forge review`",
    );
    expect(checkSummary("failure", reviewed([reported()]), runId, wording)).toContain("`/forge dismiss <id> <reason>`");
  });
});
