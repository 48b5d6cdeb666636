import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createChoreLog } from "../../src/app/chore-log.ts";
import { backUp, showStatus, tendMemory } from "../../src/app/read-database.ts";
import { UsageError } from "../../src/cli/dispatch.ts";
import { runHistory, runStatus } from "../../src/cli/status.ts";
import { environmentSubject } from "../../src/domain/deployments.ts";
import { GitHubCallFailed } from "../../src/github/classify-failure.ts";
import type { RunProjection } from "../../src/store/runs/upsert-runs.ts";

const run = (traceId: string, status: RunProjection["status"]) =>
  ({
    ...{ traceId, kind: "review", status, headSha: "a", startedAt: "2026-11-01T10:00:00.000Z" },
    subject: { kind: "pull_request", repository: { id: 1, owner: "acme", name: "shop", installationId: 1 }, number: 3 },
  }) as unknown as RunProjection;

function printer() {
  let text = "";
  return { out: { write: (more: string) => (text += more) }, text: () => text };
}

const jobs = async () => ({ queued: 2, running: 1, done: 9, dead: 0, cancelled: 0 }) as never;

it("OPS-1: forge status says what is at work, and what waits", async () => {
  const { out, text } = printer();
  const runs = async (status: string) => (status === "waiting" ? [run("run-w", "waiting")] : []);
  expect(await runStatus([], { jobs, runs }, out)).toBe(0);
  expect(text()).toBe(
    "2 jobs waiting, 1 running, 0 given up\nwaiting for a person, or stopped:\n  run-w  review  acme/shop#3  waiting  2026-11-01T10:00:00.000Z\n",
  );
  const deployed = printer();
  const { repository } = run("run-w", "waiting").subject;
  const deployment = {
    ...run("run-d", "running"),
    kind: "deploy",
    subject: environmentSubject(repository, "production"),
  };
  await runStatus(
    [],
    { jobs, runs: async (status) => (status === "running" ? [deployment as RunProjection] : []) },
    deployed.out,
  );
  expect(deployed.text()).toContain("  run-d  deploy  acme/shop production  running");
  const nothing = printer();
  await runStatus([], { jobs, runs: async () => [] }, nothing.out);
  expect(nothing.text()).toContain("no run is open");
  const one = printer();
  await runStatus(
    [],
    { jobs: async () => ({ queued: 1, running: 1, dead: 0 }) as never, runs: async () => [] },
    one.out,
  );
  expect(one.text()).toContain("1 job waiting, 1 running");
  await expect(runStatus(["--limit", "3"], { jobs, runs }, out)).rejects.toThrow("--limit");
});

it("OPS-1: forge history lists as many runs as are wanted, and refuses what is no number", async () => {
  const { out, text } = printer();
  const asked: number[] = [];
  const latest = async (limit: number) => {
    asked.push(limit);
    return [run("run-1", "completed")];
  };
  await runHistory([], latest, out);
  await runHistory(["--limit", "3", "--json"], latest, out);
  expect(asked).toEqual([20, 3]);
  expect(text()).toContain("run-1  review  acme/shop#3  completed");
  expect(text()).toContain('"traceId": "run-1"');
  await expect(runHistory(["--limit", "many"], latest, out)).rejects.toThrow("--limit is a number from 1 to 10000");
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
