import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicFactory } from "ulid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NewEvent } from "../../src/domain/events.ts";
import { METRICS } from "../../src/domain/metrics.ts";
import { measure, startMetrics } from "../../src/learning/metrics.ts";
import { COUNTED_TYPES, type Counted } from "../../src/learning/observe-metrics.ts";
import { commitDecision, type Decision } from "../../src/store/commit-decision.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { findRepository } from "../../src/store/runs/read-runs.ts";
import type { Store } from "../../src/store/store.ts";
import { pullRequest, run } from "../store/fixtures.ts";

const TO = "2026-11-23T12:00:00.000Z";
const day = (ago: number) => new Date(Date.parse(TO) - ago * 86_400_000).toISOString();
const about = { findingId: "F-1", rule: "biome/a", layer: "static", severity: "warning", category: "style" } as const;

function happened(event: NewEvent, ago = 1, traceId = "run-1", kind: Counted["kind"] = "review"): Counted {
  return { event: { ...event, traceId, version: 1, at: day(ago) }, kind };
}
const outcome = (is: "fixed" | "dismissed" | "ignored" | "outdated" | "unknown", to: object = {}): NewEvent => {
  return { type: "feedback.outcome", payload: { cause: "merged", ...about, outcome: is, placement: "comment", ...to } };
};
const reasoned = (model: string, costUsd: number): NewEvent => ({
  type: "agent.reasoned",
  payload: {
    ...{ agentId: "a", step: 1, provider: "anthropic", model, stopReason: "end_turn", costUsd, latencyMs: 10 },
    usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
  },
});
const ended = (to: object = {}): NewEvent => ({
  type: "run.completed",
  payload: {
    ...{ outcome: "approved", conclusion: "success", phases: [], durationMs: 1, artifacts: [] },
    totals: { findings: { critical: 0, error: 0, warning: 0, info: 0 }, costUsd: 0.5, tokens: 0 },
    ...to,
  },
});
const count = (...events: readonly Counted[]) => {
  const metrics = startMetrics(TO);
  for (const event of events) metrics.add(event);
  return metrics.result();
};

it("MET-1: tells fixed and dismissed findings of this window from the one before, by rule, layer and model", () => {
  const { metrics, groups } = count(
    happened(outcome("fixed")),
    happened(outcome("dismissed", { rule: "biome/b" })),
    happened(outcome("ignored", { layer: "ai", model: "claude-sonnet" }), 29.9),
    happened(reasoned("claude-sonnet", 0.3)),
    happened(reasoned("claude-sonnet", 0.2)),
    happened(reasoned("claude-haiku", 0.1)),
    happened(outcome("outdated")),
    happened(outcome("unknown")),
    happened(outcome("fixed"), 30.1),
    happened(outcome("fixed"), 60.1),
  );
  expect(metrics.resolved).toEqual({ now: { sum: 1, of: 3 }, before: { sum: 1, of: 1 } });
  expect(metrics.dismissed).toEqual({ now: { sum: 1, of: 3 }, before: { sum: 0, of: 1 } });
  expect(groups.map(({ by, name, good }) => [by, name, good.now.sum, good.now.of])).toEqual([
    ["rule", "biome/a", 1, 2],
    ["rule", "biome/b", 0, 1],
    ["layer", "static", 1, 2],
    ["layer", "ai", 0, 1],
    ["model", "claude-sonnet", 0, 1],
    ["model", "claude-haiku", 0, 0],
  ]);
  expect(groups.find(({ name }) => name === "claude-sonnet")?.cost?.now).toEqual({ sum: 0.5, of: 2 });
});

it("MET-1: counts runs by kind, with what they cost; what was left out is no run", () => {
  const failed: NewEvent = {
    type: "run.failed",
    payload: {
      attempts: 1,
      error: { code: "x", source: "logic", severity: "low", recoverability: "none", message: "", context: {} },
    },
  };
  const { metrics, groups } = count(
    happened(ended()),
    happened(ended({ outcome: "skipped" })),
    happened(ended({ outcome: "merged" }), 1, "run-2", "implement"),
    happened(failed, 1, "run-3", "implement"),
  );
  expect(metrics.runs_succeeded?.now).toEqual({ sum: 2, of: 3 });
  expect(metrics.requests_completed?.now).toEqual({ sum: 1, of: 2 });
  expect(metrics.cost_of_run?.now).toEqual({ sum: 1, of: 3 });
  expect(groups.filter(({ by }) => by === "kind").map(({ name, good }) => [name, good.now])).toEqual([
    ["implement", { sum: 1, of: 2 }],
    ["review", { sum: 1, of: 1 }],
  ]);
});

it("MET-1: what went back and was completed, and how long people took, is of the run and the gate that it belongs to", () => {
  const back: NewEvent = {
    type: "phase.bounced",
    payload: { from: "review", to: "implementation", cause: "review_findings", bounce: 1, reason: "", feedback: [] },
  } as unknown as NewEvent;
  const gate = (type: "gate.requested" | "gate.approved", id: string) =>
    ({ type, payload: { gate: id } }) as unknown as NewEvent;
  const { metrics } = count(
    happened(back, 5, "run-2", "implement"),
    happened(back, 4, "run-2", "implement"),
    happened(gate("gate.requested", "G-1"), 3, "run-2", "implement"),
    happened(gate("gate.approved", "G-2"), 2.5, "run-2", "implement"),
    happened(gate("gate.approved", "G-1"), 2, "run-2", "implement"),
    happened(ended({ outcome: "merged" }), 1, "run-2", "implement"),
    happened(ended({ outcome: "merged" }), 1, "run-3", "implement"),
  );
  expect(metrics.bounces_of_run?.now).toEqual({ sum: 2, of: 2 });
  expect(metrics.bounced_and_done?.now).toEqual({ sum: 1, of: 1 });
  expect(metrics.seconds_to_answer?.now).toEqual({ sum: 86_400, of: 1 });
});

it("MET-1: a deployment that was rolled back or failed did not succeed, and one that never began is not counted", () => {
  const deployed = (is: string) => happened(ended({ outcome: is }), 1, `run-${is}`, "deploy");
  const { metrics } = count(...["healthy", "rolled_back", "rollback_failed", "failed", "refused"].map(deployed));
  expect(metrics.runs_succeeded?.now).toEqual({ sum: 1, of: 4 });
});

it("MET-2: agents and tools: steps, first tool, valid arguments, and money on dead ends", () => {
  const agent = { id: "agent:reviewer:1", type: "reviewer", name: "r", promptVersion: "1" };
  const call = { agentId: agent.id, callId: "c", tool: "grep" };
  const totals = { agentId: agent.id, steps: 4, costUsd: 0.2, activeMs: 9 };
  const { metrics } = count(
    happened({ type: "agent.started", payload: { agent, tools: [], iterationLimit: 9 } }, 2),
    happened({ type: "tool.called", payload: { ...call, input: "{}" } }, 2 - 3 / 86_400),
    happened({ type: "tool.called", payload: { ...call, input: "{}" } }, 1),
    happened({ type: "tool.completed", payload: { ...call, durationMs: 1, resultCharacters: 1, retries: 0 } }),
    happened({
      type: "tool.failed",
      payload: { ...call, durationMs: 1, retries: 0, code: "arguments_invalid", message: "" },
    }),
    happened({ type: "tool.failed", payload: { ...call, durationMs: 1, retries: 0, code: "not_found", message: "" } }),
    happened({ type: "agent.completed", payload: totals }),
    happened({ type: "agent.failed", payload: { ...totals, steps: 6, costUsd: 0.1, reason: "limit", message: "" } }),
  );
  expect(metrics.seconds_to_first_tool?.now).toEqual({ sum: 3, of: 1 });
  expect(metrics.tools_succeeded?.now).toEqual({ sum: 1, of: 3 });
  expect(metrics.arguments_valid?.now).toEqual({ sum: 2, of: 3 });
  expect(metrics.steps_of_agent?.now).toEqual({ sum: 10, of: 2 });
  expect(metrics.dead_end_cost?.now.sum).toBeCloseTo(0.1);
  expect(metrics.dead_end_cost?.now.of).toBeCloseTo(0.3);
});

it("MET-1: a review takes from its start to the first result of its check, and what was passed over says nothing of that", () => {
  const begun = { type: "run.started", payload: { subject: pullRequest() } } as unknown as NewEvent;
  const settled = (conclusion: string) =>
    ({ type: "check.settled", payload: { check: "forge/review", conclusion } }) as unknown as NewEvent;
  const { metrics } = count(
    happened(begun, 3, "run-1"),
    happened(settled("success"), 2, "run-1"),
    happened(settled("failure"), 1, "run-1"),
    happened(begun, 3, "run-2"),
    happened(settled("skipped"), 2, "run-2"),
    happened(settled("success"), 1, "run-3"),
  );
  expect(metrics.seconds_to_check?.now).toEqual({ sum: 86_400, of: 1 });
});

it("MET-1: a rollback by Forge was false where the same version is healthy there later, and nothing is said of those by people", () => {
  const [one, other] = ["a".repeat(40), "b".repeat(40)];
  const { repository } = pullRequest();
  const deploy = (runId: string, environment: string, ...events: readonly object[]) => [
    happened(
      { type: "run.started", payload: { subject: { kind: "environment", repository, environment } } } as NewEvent,
      3,
      runId,
    ),
    ...events.map((event) => happened(event as NewEvent, 2, runId, "deploy")),
  ];
  const back = (from: string, why: string) => ({ type: "deployment.rolled_back", payload: { from, why, reason: "" } });
  const done = (sha: string, outcome: string) => ({ type: "deployment.completed", payload: { sha, outcome } });
  const { metrics } = count(
    ...deploy("run-1", "staging", back(one, "worse"), done(one, "rolled_back")),
    ...deploy("run-2", "production", done(one, "healthy")),
    ...deploy("run-3", "staging", done(other, "healthy")),
    ...deploy("run-4", "staging", back(other, "person"), done(other, "rolled_back")),
    ...deploy("run-5", "staging", back(other, "disaster"), done(other, "rolled_back")),
    ...deploy("run-6", "staging", done(one, "healthy")),
    ...deploy("run-7", "staging", done(one, "healthy")),
  );
  expect(metrics.rollbacks_false?.now).toEqual({ sum: 1, of: 2 });
});

it("a clock that was set back loses nothing and gives no negative times", () => {
  const gate = (type: "gate.requested" | "gate.approved") =>
    ({ type, payload: { gate: "G-1" } }) as unknown as NewEvent;
  const { metrics } = count(
    happened(gate("gate.requested"), 1),
    happened(gate("gate.approved"), 2),
    happened(outcome("fixed"), -3),
  );
  expect(metrics.seconds_to_answer?.now).toEqual({ sum: 0, of: 1 });
  expect(metrics.resolved?.now).toEqual({ sum: 1, of: 1 });
});

it("remembers no more of a log of any length: names beyond 200 are others, gates nobody answered are forgotten", () => {
  const metrics = startMetrics(TO);
  const gate = (type: "gate.requested" | "gate.approved") =>
    ({ type, payload: { gate: "G-1" } }) as unknown as NewEvent;
  for (let at = 0; at < 6_000; at += 1) {
    metrics.add(happened(gate("gate.requested"), 1, `run-${at}`));
    metrics.add(happened(outcome("fixed", { rule: `made/up-${at}` })));
  }
  metrics.add(happened(gate("gate.approved"), 1, "run-0"));
  metrics.add(happened(gate("gate.approved"), 1, "run-5999"));
  const { groups, metrics: all } = metrics.result();
  const rules = groups.filter(({ by }) => by === "rule");
  expect(rules).toHaveLength(201);
  expect(rules[0]).toMatchObject({ name: "others", good: { now: { sum: 5_800, of: 5_800 } } });
  expect(all.seconds_to_answer?.now.of).toBe(1);
});

it("every metric can be had from the types that are read", () => {
  expect(Object.keys(METRICS).length).toBe(29);
  expect(new Set(COUNTED_TYPES).size).toBe(COUNTED_TYPES.length);
});

/** Ids of the time of `TO`, whenever the test runs, each set after the one before. */
let sets = 0;
function laterIds(): () => string {
  const next = monotonicFactory();
  sets += 1;
  return () => next(Date.parse(TO) + sets);
}

describe("the log of a repository", () => {
  let folder: string;
  let store: Store;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "forge-measure-"));
    store = await openStore({ url: `file:${join(folder, "forge.db")}` });
    const makeId = laterIds();
    const subject = (repository: number, number: number, name = "shop") => {
      const made = pullRequest(number, 7, repository);
      return { ...made, repository: { ...made.repository, name } };
    };
    const note = (traceId: string, events: readonly NewEvent[], about: Partial<Decision> = {}) =>
      commitDecision(store, {
        appends: [{ traceId, expectedVersion: 0, events }],
        at: TO,
        makeId,
        source: "test",
        ...about,
      });
    const shop = { run: [run("run-1", "completed", { subject: subject(11, 1), startedAt: day(20) })] };
    await note("run-1", [ended()], shop);
    const renamed = { run: [run("run-2", "failed", { subject: subject(11, 2, "store"), startedAt: day(3) })] };
    await note("run-2", [ended()], renamed);
    const taken = { run: [run("run-3", "completed", { subject: subject(12, 1), startedAt: day(2) })] };
    await note("run-3", [ended()], taken);
    await note("pull_request:11:1", [outcome("fixed"), outcome("ignored")]);
    await note("issue:11:9", [outcome("fixed")]);
    await note("pull_request:111:1", [outcome("dismissed")]);
    await note("pull_request:12:11", [outcome("dismissed")]);
    await note("pullXrequest:11:1", [outcome("dismissed")]);
  });
  afterAll(async () => {
    await closeStore(store);
    rmSync(folder, { recursive: true, force: true });
  });

  it("MET-1: is counted by itself, across a rename, and together with all others", async () => {
    const here = (await measure(store, TO, 11)).metrics;
    expect([here.runs_succeeded?.now.of, here.resolved?.now]).toEqual([2, { sum: 2, of: 3 }]);
    const all = (await measure(store, TO)).metrics;
    expect([all.runs_succeeded?.now.of, all.resolved?.now]).toEqual([3, { sum: 2, of: 6 }]);
    expect((await measure(store, TO, 13)).metrics).toEqual({});
  });

  it("MEM-6: real runs without memory stand next to those with it", async () => {
    for (const [number, memory] of [
      [1, "with"],
      [2, "without"],
    ] as const) {
      const made = pullRequest(number, 7, 15);
      const subject = { ...made, repository: { ...made.repository, name: "arms" } };
      const ends = {
        headSha: "a".repeat(40),
        headRef: "topic",
        headRepositoryId: 15,
        baseSha: "b".repeat(40),
        baseRef: "main",
      };
      const started = {
        type: "run.started",
        payload: {
          ...{ kind: "review", subject, ends, debounceMs: 0, task: "", estimatedCostUsd: 0, memory },
          request: { id: "d", reason: "opened", automatic: true },
        },
      } as unknown as NewEvent;
      await commitDecision(store, {
        appends: [{ traceId: `run-arm-${number}`, expectedVersion: 0, events: [started, ended()] }],
        run: [run(`run-arm-${number}`, "completed", { subject, startedAt: day(1) })],
        ...{ at: TO, makeId: laterIds(), source: "test" },
      });
    }
    expect((await measure(store, TO, 15)).arms).toEqual([
      { name: "cost_of_run", with: { sum: 0.5, of: 1 }, without: { sum: 0.5, of: 1 } },
    ]);
  });

  it("is read to its end, however long it is", async () => {
    const many = Array.from({ length: 2_300 }, () => outcome("fixed"));
    await commitDecision(store, {
      appends: [{ traceId: "pull_request:14:1", expectedVersion: 0, events: many }],
      ...{ at: TO, makeId: laterIds(), source: "test" },
    });
    expect((await measure(store, TO, 14)).metrics.resolved?.now).toEqual({ sum: 2_300, of: 2_300 });
    expect((await measure(store, TO, 11)).metrics.resolved?.now).toEqual({ sum: 2, of: 3 });
  });

  it("is found by the name that it has now: a name that was given away is whose it is now", async () => {
    expect(await findRepository(store, "ACME", "store")).toMatchObject({ repositoryId: 11 });
    expect(await findRepository(store, "acme", "shop")).toMatchObject({ repositoryId: 12 });
    expect(await findRepository(store, "acme", "other")).toBeUndefined();
  });
});

it("MEM-6: sets runs without memory beside those with it, by what the start of each says, and nothing of before", () => {
  const subject = (number: number) => ({
    ...{ kind: "pull_request", repository: { id: 11, owner: "acme", name: "shop", installationId: 5 }, number },
  });
  const started = (number: number, memory?: "with" | "without") =>
    happened(
      { type: "run.started", payload: { kind: "review", subject: subject(number), memory } } as NewEvent,
      2,
      `run-${number}`,
    );
  const merged = (number: number, firstPass: boolean) => [
    happened(outcome(firstPass ? "fixed" : "dismissed"), 1, `pull_request:11:${number}`),
    happened(
      { type: "metric.collected", payload: { cause: "merged", reviews: 2, findings: 1, comments: 1, firstPass } },
      1,
      `pull_request:11:${number}`,
    ),
  ];
  const counted = count(
    ...[started(1, "with"), started(2, "without"), started(3)],
    ...[1, 2, 3].map((number) => happened(ended(), 1, `run-${number}`)),
    ...[...merged(1, true), ...merged(2, false), ...merged(3, false)],
  );
  expect(counted.arms).toEqual([
    { name: "cost_of_run", with: { sum: 0.5, of: 1 }, without: { sum: 0.5, of: 1 } },
    { name: "dismissed", with: { sum: 0, of: 1 }, without: { sum: 1, of: 1 } },
    { name: "first_pass", with: { sum: 1, of: 1 }, without: { sum: 0, of: 1 } },
    { name: "rounds_to_merge", with: { sum: 2, of: 1 }, without: { sum: 2, of: 1 } },
  ]);
  expect(count(started(1, "with"), ...merged(1, true)).arms).toEqual([]);
});
