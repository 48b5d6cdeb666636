import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { showStatus } from "../../src/app/read-database.ts";
import { runHistory, runStatus } from "../../src/cli/status.ts";
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
  const nothing = printer();
  await runStatus([], { jobs, runs: async () => [] }, nothing.out);
  expect(nothing.text()).toContain("no run is open");
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

it("OPS-1: where there is no database, a sentence says what to do", async () => {
  const nowhere = { DATABASE_URL: `file:${join(mkdtempSync(join(tmpdir(), "forge-")), "none", "forge.db")}` };
  await expect(showStatus([], nowhere)).rejects.toThrow(/^The database cannot be read: .*DATABASE_URL.*forge start/);
});
