import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { metricsRoute, startMetricsServer } from "../../src/app/serve-metrics.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import { type Meters, openMeters } from "../../src/learning/meters.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { at, decision, HEAD, pullRequest, run } from "../store/fixtures.ts";

const TOKEN = "a-long-token-for-scrapers";
let folder: string;
let store: Store;
let meters: Meters;
let server: Awaited<ReturnType<typeof startMetricsServer>>;

const asked: NewEvent = {
  type: "gate.requested",
  payload: {
    ...{ gate: "G-1", type: "cost_overrun", context: "", deadline: at(900), needs: "write", headSha: HEAD },
    question: { type: "cost_overrun", phase: "review", limitUsd: 1, usedUsd: 1, next: "a call" },
  },
} as unknown as NewEvent;
const reasoned: NewEvent = {
  type: "agent.reasoned",
  payload: {
    ...{
      agentId: "a",
      step: 1,
      provider: "anthropic",
      model: 'claude "x"\\\n',
      stopReason: "end_turn",
      costUsd: 0.25,
      latencyMs: 10,
    },
    usage: { inputTokens: 100, cacheReadTokens: 10, cacheWriteTokens: 0, outputTokens: 7 },
  },
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "forge-metrics-"));
  store = await openStore({ url: `file:${join(folder, "forge.db")}` });
  meters = openMeters(store, () => at(61));
  server = await startMetricsServer({ host: "127.0.0.1", port: 0 }, metricsRoute(meters, TOKEN), (error) => {
    throw error;
  });
  const posted: NewEvent = { type: "finding.posted", payload: { findingId: "F-1", placement: "comment" } };
  const subject = pullRequest();
  await commitDecision(
    store,
    decision({
      appends: [{ traceId: "run-1", expectedVersion: 0, events: [reasoned, posted, asked] }],
      run: [run("run-1", "waiting"), run("run-2", "completed", { conclusion: "success", subject: pullRequest(2) })],
      jobs: [
        { kind: "effects", key: "effects:1", payload: { subject }, runAt: at(1) },
        { kind: "effects", key: "effects:2", payload: { subject }, runAt: at(3600) },
        { kind: "judge", key: "judge:1", payload: { subject }, runAt: at(3600) },
      ],
    }),
  );
  meters.accepted("pull_request");
  for (let n = 0; n < 500; n += 1) meters.accepted(`made_up_${n}`);
});
afterAll(async () => {
  await server.stop();
  meters.close();
  await closeStore(store);
  rmSync(folder, { recursive: true, force: true });
});

const get = (path = "/metrics", init: RequestInit = { headers: { authorization: `Bearer ${TOKEN}` } }) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, init);

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\n"])*"`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL},?)*)\\})? (-?(?:[0-9.e+-]+|NaN|\\+Inf))$`);

/** Reads the text format, and nothing that strays from it: a type and a help before the samples, no series twice. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  const helped = new Set<string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const meta = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line);
    if (meta) {
      const [, what, name, rest] = meta;
      if (what === "HELP") helped.add(name!);
      else types.set(name!, rest!);
      continue;
    }
    const sample = SAMPLE.exec(line);
    if (!sample) throw new Error(`no line of the format: ${line}`);
    const [, name, labels = "", value] = sample;
    if (!types.has(name!) || !helped.has(name!)) throw new Error(`${name} has no type or help`);
    const series = `${name}{${labels}}`;
    if (samples.has(series)) throw new Error(`${series} stands there twice`);
    samples.set(series, Number(value));
  }
  for (const [name, type] of types) expect(type).toBe(name.endsWith("_total") ? "counter" : "gauge");
  return samples;
}

it("MET-1: serves queue, runs, gates, models and findings in the text format of Prometheus", async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  const samples = parse(await response.text());
  const of = (series: string) => samples.get(series);
  expect(of('forge_jobs{kind="effects",state="queued"}')).toBe(2);
  expect(of("forge_jobs_oldest_ready_seconds{}")).toBe(60);
  expect(of('forge_runs{kind="review",outcome="success"}')).toBe(1);
  expect(of('forge_runs{kind="review",outcome="waiting"}')).toBe(1);
  expect(of("forge_gates_open{}")).toBe(1);
  expect(of("forge_gates_oldest_seconds{}")).toBe(60);
  const model = 'provider="anthropic",model="claude \\"x\\"\\\\\\n"';
  expect(of(`forge_llm_cost_usd_total{${model}}`)).toBe(0.25);
  expect(of(`forge_llm_tokens_total{${model},kind="input"}`)).toBe(100);
  expect(of('forge_findings_posted_total{placement="comment"}')).toBe(1);
  expect(of('forge_events_total{type="gate.requested"}')).toBe(1);
  expect(of('forge_webhooks_accepted_total{event="pull_request"}')).toBe(1);
});

it("names no repository, pull request, run or person, and has no more series for names that somebody makes up", async () => {
  const text = await (await get()).text();
  for (const word of ["acme", "shop", "run-1", HEAD, "repository="]) expect(text).not.toContain(word);
  expect(text.match(/^forge_webhooks_accepted_total/gm)?.length).toBeLessThanOrEqual(121);
  expect(text).toContain('forge_webhooks_accepted_total{event="other"} 381');
});

it("a scrape counts what is there now: what left the queue is gone", async () => {
  await get();
  const before = parse(await (await get()).text());
  await commitDecision(store, decision({ appends: [], run: [run("run-1", "cancelled")], at: at(62) }));
  const after = parse(await (await get()).text());
  expect(before.get('forge_runs{kind="review",outcome="waiting"}')).toBe(1);
  expect(after.get('forge_runs{kind="review",outcome="waiting"}')).toBeUndefined();
  expect(after.get("forge_gates_open{}")).toBe(0);
});

it("is for whoever has the token, read only, and nothing else stands there", async () => {
  expect((await get("/metrics", {})).status).toBe(401);
  for (const authorization of ["", TOKEN, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    expect((await get("/metrics", { headers: { authorization } })).status).toBe(401);
  }
  expect((await get("/metrics", { method: "POST" })).status).toBe(405);
  expect((await get("/")).status).toBe(404);
  expect((await get("/metrics?x=1")).status).toBe(200);
  const head = await get("/metrics", { method: "HEAD", headers: { authorization: `Bearer ${TOKEN}` } });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});
