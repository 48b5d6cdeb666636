import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createChoreLog } from "../../src/app/chore-log.ts";
import { backUp, showStatus, tendMemory } from "../../src/app/read-database.ts";
import { UsageError } from "../../src/cli/dispatch.ts";
import { runHistory } from "../../src/cli/history.ts";
import { runStatus } from "../../src/cli/status.ts";
import { environmentSubject } from "../../src/domain/deployments.ts";
import { GitHubCallFailed } from "../../src/github/classify-failure.ts";
import type { Overview } from "../../src/pipeline/views/view-overview.ts";
import type { OpenGate } from "../../src/store/runs/open-gates.ts";
import type { ListedRun } from "../../src/store/runs/overview.ts";

const REPOSITORY = { id: 1, owner: "acme", name: "shop", installationId: 1 };
const AT = "2026-11-01T10:00:00.000Z";

const run = (runId: string, status: ListedRun["status"], more: Partial<ListedRun> = {}): ListedRun => ({
  ...{ runId, status, kind: "review", headSha: "a", startedAt: AT, endedAt: null, conclusion: null, title: null },
  ...{ author: null, phase: null, pullNumber: null, lastType: null, lastAt: null, usd: 0 },
  ...{ subject: { kind: "pull_request", repository: REPOSITORY, number: 3 }, ...more },
});

const NOTHING: Overview = { gates: [], waiting: 0, atWork: [], failed: [], parked: [], delivered: [], usdToday: 0 };

function printer(columns?: number) {
  let text = "";
  return { out: { write: (more: string) => (text += more), columns }, text: () => text };
}

const jobs = async () => ({ queued: 2, running: 1, done: 9, dead: 0, cancelled: 0 }) as never;

async function status(seen: Partial<Overview>, ...args: string[]): Promise<string> {
  const { out, text } = printer();
  expect(await runStatus(args, { jobs, overview: async () => ({ ...NOTHING, ...seen }) }, out)).toBe(0);
  return text();
}

it("OPS-1, OPS-2: forge status says what waits, what runs, what failed and what was delivered", async () => {
  const question = { type: "high_risk_change", risk: "high", reasons: [] } as never;
  const gate = { gate: "G-1", question, needs: "write", runId: "run-g", subject: run("run-g", "waiting").subject };
  const times = { since: AT, deadline: "2999-01-01T00:00:00.000Z", title: "Add \u001b[31mretry" };
  const text = await status({
    ...{ gates: [{ ...gate, ...times } as unknown as OpenGate], waiting: 3 },
    atWork: [run("run-d", "running", { kind: "deploy", subject: environmentSubject(REPOSITORY, "production") })],
    parked: [run("run-p", "waiting")],
    delivered: [{ runId: "run-m", subject: run("run-m", "completed").subject, at: AT, is: "merged", title: "Mend" }],
    usdToday: 1.5,
  });
  expect(text.replaceAll(/\d+ d(?: ago)?/g, "N d").replaceAll(/\d+ h(?: \d+ min)?/g, "N h")).toBe(
    [
      "3 gates wait for a person:",
      "  run-g  G-1  acme/shop#3  a yes to a change of high risk  asked N d  ends in N d  needs push permission  Add [31mretry",
      "  2 more gates, whose time ends later",
      "At work:",
      "  run-d  deploy  acme/shop production  running  N d  N h  $0.00",
      "Failed or parked:",
      "  run-p  review  acme/shop#3  waits  N d  N h  $0.00",
      "Merged and deployed:",
      "  run-m  merged  acme/shop#3  N d  Mend",
      "Jobs: 2 waiting, 1 running, 0 given up. Models today (UTC): $1.50.",
      "",
    ].join("\n"),
  );
});

it("OPS-1: forge status of an idle Forge says so, and --json prints what the page shows", async () => {
  expect(await status({})).toBe(
    `Nothing waits for a person.
Nothing is at work.
Nothing failed in the last 7 days, and nothing is parked.
Jobs: 2 waiting, 1 running, 0 given up. Models today (UTC): $0.00.
`,
  );
  expect(JSON.parse(await status({ atWork: [run("run-1", "running")] }, "--json"))).toMatchObject({
    ...{ jobs: { queued: 2 }, waiting: 0, gates: [], atWork: [{ runId: "run-1", status: "running" }] },
  });
  await expect(status({}, "--limit", "3")).rejects.toThrow("--limit");
});

it("OPS-1: forge history lists the runs that fit, and refuses what it does not know", async () => {
  const asked: object[] = [];
  const list = async (search: object) => {
    asked.push(search);
    return [run("run-1", "completed", { conclusion: "failure", title: "A title as long as titles are", usd: 0.004 })];
  };
  const { out, text } = printer();
  await runHistory([], list, out);
  expect(text()).toMatch(
    /^ {2}run-1 {2}review {2}acme\/shop#3 {2}did not pass {2}\d+ d ago .* under \$0\.01 {2}A title as/,
  );
  await runHistory(["retry", "--limit", "3", "--kind", "review", "--status", "failed", "--json"], list, out);
  expect(asked).toMatchObject([{ limit: 20 }, { limit: 3, text: "retry", kind: "review", status: "failed" }]);
  expect(text()).toContain('"runId": "run-1"');
  const narrow = printer(40);
  await runHistory([], list, narrow.out);
  expect(narrow.text()).toMatch(/^.{39}…\n$/);
  const refused: readonly (readonly [string[], string])[] = [
    [["--limit", "many"], "--limit is a number from 1 to 10000"],
    [["--kind", "reviews"], "--kind is one of review, implement, deploy"],
    [["--status", "done"], "--status is one of pending, running"],
    [["two", "words"], "history takes one text"],
  ];
  for (const [args, said] of refused) await expect(runHistory(args, list, out)).rejects.toThrow(said);
});

it("CLI-3: before the first start there is no database, and a sentence says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-"));
  const nowhere = { DATABASE_URL: `file:${join(folder, "none", "forge.db")}` };
  const expected = /^Forge has not been started here yet: .*none\/forge\.db does not exist\. .* start`.*DATABASE_URL/;
  await expect(showStatus([], nowhere)).rejects.toThrow(expected);
  await expect(backUp([join(folder, "copy.db")], nowhere)).rejects.toThrow(expected);
  // Wrong arguments come first: they are wrong with a database too.
  await expect(tendMemory([], nowhere)).rejects.toThrow(UsageError);
  const broken = join(folder, "broken.db");
  writeFileSync(broken, "no database".repeat(1_000));
  await expect(showStatus([], { DATABASE_URL: `file:${broken}` })).rejects.toThrow(
    /^The database file:.*broken\.db cannot be read: /,
  );
});

it("CLI-3: chores say once that GitHub is out of reach, and once that it is back", () => {
  const lines: string[] = [];
  const write = (level: string) => (facts: object, message: string) =>
    void lines.push(`${level} ${message} ${Object.keys(facts)}`);
  const log = createChoreLog({ debug: write("debug"), info: write("info"), warn: write("warn") });
  const unreachable = new GitHubCallFailed({ cause: "unavailable", message: "no answer" });
  log.failed("one", unreachable);
  log.failed("two", unreachable);
  log.failed("three", new Error("a bug"));
  log.done("three", undefined);
  log.done("two", { found: 1 });
  log.failed("one", unreachable);
  expect(lines).toEqual([
    "warn GitHub cannot be reached, Forge will try again chore,why",
    "debug GitHub cannot be reached, Forge will try again chore,why",
    "warn chore failed, will be tried again chore,err",
    "info GitHub can be reached again ",
    "info chore done chore,found",
    "warn GitHub cannot be reached, Forge will try again chore,why",
  ]);
});
