import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../demo/until.ts";
import { hasSandbox as BOXED } from "../needs/sandbox.ts";
import { type Demo, runDemo } from "./run-demo.ts";

/** Each story while another suite runs. */
const PATIENCE = 300_000;

let demo: Demo;
afterEach(() => {
  demo.child.kill("SIGKILL");
  rmSync(demo.temporary, { recursive: true, force: true });
});

/** What the demo left, but for the compiled code that every Forge of this user keeps for its next start. */
function leftBehind(): string[] {
  return readdirSync(demo.temporary).filter((name) => !name.startsWith("forge-compiled-"));
}

function logFile(): string | undefined {
  const name = readdirSync(demo.temporary).find((each) => each.endsWith(".log"));
  return name && join(demo.temporary, name);
}

const CHECKS = BOXED
  ? [
      "forge/review failure",
      "forge/review success",
      "forge/tests success",
      "forge/review success",
      "forge/tests success",
    ]
  : [
      "forge/review failure",
      "forge/review success",
      "forge/tests action_required",
      "forge/review success",
      "forge/tests action_required",
    ];

/** What has to come of the issue, whatever happens on the way. */
const IMPLEMENTATION = {
  issue: 1,
  pull: 2,
  branch: "forge/1-let-an-amount-be-a-sum",
  commits: [
    "feat: read a sum as an amount",
    "docs: say how a sum is written",
    "fix: read the parts of a sum instead of running them",
    "fix: refuse a sum that a line of the file cannot hold",
  ].map((subject) => expect.stringMatching(new RegExp(`^[0-9a-f]{7,} ${subject}$`))),
  sandbox: BOXED,
  merged: true,
};

function checksOf(implementation: { checks: { name: string; conclusion: string }[] }): string[] {
  return implementation.checks.map(({ name, conclusion }) => `${name} ${conclusion}`);
}

/** What Forge says in its log when it runs: its process and its port. */
async function runningForge(): Promise<{ pid: number; port: number }> {
  const { signal } = new AbortController();
  const look = () => {
    const file = logFile();
    const line =
      file &&
      readFileSync(file, "utf8")
        .split("\n")
        .find((each) => each.includes("forge is running"));
    return line ? (JSON.parse(line) as { pid: number; port: number }) : undefined;
  };
  return until("Forge runs", look, { signal, limitMs: PATIENCE });
}

describe("npm run demo", () => {
  it("prints one JSON object when all went as told, and leaves nothing behind", { timeout: PATIENCE }, async () => {
    // All stories one after the other are what CI shows.
    demo = runDemo("review", "--json");
    const { code, stdout, stderr } = await demo.ended;
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    const { pullRequest, checkRuns, reviews, verdicts } = report;
    const [first, second, third] = checkRuns.map(({ head }: { head: string }) => head);
    expect(pullRequest).toEqual({ number: 1, head: third });
    type Run = Record<"name" | "head" | "conclusion", string> & { pullRequest: number; annotations: unknown[] };
    const last = new Map(checkRuns.map((run: Run) => [run.pullRequest, run.head]));
    // Whether the tests of a head end before the next one is pushed depends on how busy it is here.
    const settled = checkRuns.filter(
      (run: Run) => run.name !== "forge/tests" || run.head === last.get(run.pullRequest),
    );
    expect(settled.map((run: Run) => [run.pullRequest, run.name, run.conclusion, run.annotations.length])).toEqual([
      [1, "forge/review", "failure", 6],
      [1, "forge/review", "success", 2],
      [1, "forge/review", "success", 0],
      [2, "forge/review", "success", 0],
      [3, "forge/review", BOXED ? "failure" : "neutral", BOXED ? 1 : 0],
      [3, "forge/review", "success", 0],
      [3, "forge/tests", BOXED ? "success" : "neutral", 0],
      [4, "forge/review", "action_required", 0],
      [4, "forge/review", "success", 0],
      [5, "forge/review", "success", 0],
      [6, "forge/review", "success", 0],
      [7, "forge/review", "success", 0],
      [8, "forge/review", "neutral", 0],
    ]);
    expect(report.implementation).toBe(null);
    expect(report.model).toBe("scripted");
    expect(report.refuted).toEqual([
      expect.stringMatching(/ai\/edge-case src\/delivery\.ts:9 by the verifier: .*\?\? 0.*\(claimed: The sum is NaN/),
    ]);
    type Verdict = Record<"step" | "conclusion" | "title", string> & {
      pullRequest: number;
      head: string;
      mergeable: boolean;
    };
    expect(verdicts.map(({ step, pullRequest: number, title }: Verdict) => [step, number, title])).toEqual([
      ["found in place", 1, "6 blocking findings: 1 critical, 5 errors"],
      ["fixed by a push", 1, "2 blocking errors: duplicate object key, self-comparison"],
      ["dismissed by a comment", 1, "1 blocking error: duplicate object key in src/receipts.ts"],
      ["overridden", 1, "Overridden by `mia`: 1 blocking error open"],
      ["judged again", 1, expect.stringMatching(/^Clean: /)],
      ["silence", 2, expect.stringMatching(/^Clean: /)],
      ["read by a model", 3, BOXED ? "1 blocking error: logic error in src/delivery.ts" : expect.any(String)],
      ["suggestion taken", 3, expect.stringMatching(/^Clean: /)],
      ["budget used up", 4, "Not fully reviewed: the AI layer reached the budget of $0.10"],
      ["budget raised", 4, expect.stringMatching(/^Clean: /)],
      ["dismissed for a folder", 5, expect.stringMatching(/^Clean: /)],
      ["silent by a dismissal", 6, expect.stringMatching(/^Clean: /)],
      // How many of 210 are probes is drawn with a key of this Forge's own.
      ["hidden and probed", 8, expect.stringMatching(/^[1-9]\d? advisory findings?, nothing blocking$/)],
    ]);
    expect(verdicts.map(({ conclusion, mergeable }: Verdict) => `${conclusion} ${mergeable}`)).toEqual([
      ...Array(3).fill("failure false"),
      ...Array(3).fill("success true"),
      BOXED ? "failure false" : "neutral true",
      "success true",
      "action_required false",
      ...Array(3).fill("success true"),
      "neutral true",
    ]);
    expect(verdicts.slice(1, 4).map(({ head }: Verdict) => head)).toEqual([second, second, second]);
    expect(reviews).toMatchObject([
      { pullRequest: 1, head: first, event: "COMMENT" },
      {
        pullRequest: 1,
        head: second,
        event: "COMMENT",
        comments: [{ path: "src/receipts.ts", line: 4, severity: "error" }],
      },
      {
        pullRequest: 3,
        comments: [{ path: "src/delivery.ts", line: 14, severity: BOXED ? "error" : "warning" }],
      },
      { pullRequest: 5, comments: [{ path: "src/imports/stock.ts", line: 4, severity: "warning" }] },
      { pullRequest: 7, comments: [{ line: 13 }, { line: 14 }, { line: 15 }] },
      { pullRequest: 8 },
    ]);
    expect(reviews[0].comments).toContainEqual({ path: "src/receipts.ts", line: 5, severity: "critical" });
    expect(reviews[0].comments).toHaveLength(7);
    expect(report.deliveries).toEqual({ sent: report.deliveries.sent, accepted: report.deliveries.sent, failed: 0 });
    expect(report.referee.requests).toBeGreaterThan(0);
    expect(report.failures).toEqual([]);
    expect(report.seconds).toBeGreaterThan(0);
    expect(leftBehind()).toEqual([]);
  });

  it("ends the story of the issue as told when Forge is killed in the middle of it", {
    timeout: PATIENCE,
  }, async () => {
    demo = runDemo("implement", "--chaos", "--seed", "7", "--json");
    const { code, stdout, stderr } = await demo.ended;
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const { implementation, pullRequest, deliveries, referee } = JSON.parse(stdout);
    const { chaos, checks, ...made } = implementation;
    expect(made).toEqual(IMPLEMENTATION);
    expect([...new Set(checksOf({ checks }))].sort()).toEqual([...new Set(CHECKS)].sort());
    // The moments are those of the seed, each a number of requests and questions.
    expect(chaos.seed).toBe(7);
    expect(chaos.crashes.length).toBeGreaterThanOrEqual(3);
    expect([5, 12, 56, 88, 113].slice(0, chaos.crashes.length)).toEqual(chaos.crashes);
    expect(deliveries.accepted).toBeGreaterThan(0);
    expect(referee.findings).toBe(0);
    expect(pullRequest).toBe(null);
    expect(leftBehind()).toEqual([]);
  });

  it.each([[[]], [["--chaos", "--seed", "3"]]])(
    "deploys a change, takes it back and deploys its fix, %j",
    { timeout: 3 * PATIENCE },
    async (more: string[]) => {
      demo = runDemo("deploy", "--json", ...more);
      const { code, stdout, stderr } = await demo.ended;
      expect(stderr).toBe("");
      expect(code).toBe(0);
      const { deployment, implementation, failures } = JSON.parse(stdout);
      expect(deployment.steps.map((step: string) => step.replace(/ \w+$/, ""))).toEqual([
        "staging deploy 100 %",
        "production deploy 5 %",
        "production deploy 25 %",
        "production rollback 100 %",
        "staging deploy 100 %",
        "production deploy 5 %",
        "production deploy 25 %",
        "production deploy 100 %",
      ]);
      if (more.length === 0) expect(deployment.chaos).toBe(null);
      else expect(deployment.chaos.crashes.length).toBeGreaterThanOrEqual(3);
      expect(implementation).toBe(null);
      expect(failures).toEqual([]);
      expect(leftBehind()).toEqual([]);
    },
  );

  it("stops everything and leaves nothing behind when it is interrupted", { timeout: PATIENCE }, async () => {
    demo = runDemo();
    const { port } = await runningForge();
    demo.child.kill("SIGINT");
    const { code, stdout } = await demo.ended;
    expect(code).toBe(130);
    expect(stdout).not.toContain("The end");
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    expect(leftBehind()).toEqual([]);
  });

  it("says what did not go as told, and where the log is, when Forge dies", { timeout: PATIENCE }, async () => {
    demo = runDemo("--json");
    const { pid } = await runningForge();
    process.kill(pid, "SIGKILL");
    const { code, stdout, stderr } = await demo.ended;
    expect(code).toBe(1);
    const failure = "Forge ended by itself, with SIGKILL";
    expect(JSON.parse(stdout).failures).toEqual([failure]);
    expect(stderr).toContain(`Not as told:\n  ✗ ${failure}\nForge's log: ${logFile()}`);
    expect(leftBehind()).toHaveLength(1);
  });

  it.each(["--nope", "extra", "review --chaos", "--seed 7", "implement --chaos --seed x"])(
    "refuses %s as wrong usage and says what there is",
    async (typed) => {
      const words = typed.split(" ");
      demo = runDemo(...words);
      const { code, stdout, stderr } = await demo.ended;
      expect(code).toBe(64);
      expect(stdout).toBe("");
      expect(stderr).toContain(words.findLast((word) => word.startsWith("--")) ?? words[0]);
      expect(stderr).toContain(
        "usage: npm run demo [-- [implement | review | deploy | set-up] [--chaos [--seed <number>]] [--json] [--stay]]",
      );
    },
  );
});
