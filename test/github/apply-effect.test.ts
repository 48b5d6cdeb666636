import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import { WriteBudgetSpent } from "../../src/github/effects/effect-ports.ts";
import { externalIdFor } from "../../src/github/marker.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import { again, type Bench, effectPorts, markerSecret, OPEN, plainOctokit, START, startBench } from "./effect-bench.ts";
import type { Fault } from "./fake-github.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.github.stop());

/** The first write goes wrong this way, all others go well. */
function failOnce(fault: Fault): void {
  let pending: Fault | undefined = fault;
  bench.github.fault = ({ method }) => {
    if (method === "GET") return undefined;
    const now = pending;
    pending = undefined;
    return now;
  };
}

describe("GH-13: an effect is applied once, whatever happens", () => {
  it("opens a queued check-run that carries its marker", async () => {
    expect(await bench.apply(OPEN)).toEqual({ kind: "done", result: { checkRunId: bench.github.checkRuns[0]!.id } });
    expect(bench.github.checkRuns[0]).toMatchObject({
      name: "forge/review",
      status: "queued",
      external_id: externalIdFor(OPEN, markerSecret),
      output: { title: "Queued" },
    });
    expect(bench.recorded()).toBe(1);
  });

  it.each(["lost", "garbled"] as const)("finds what it made when the answer was %s", async (kind) => {
    failOnce({ kind });
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "retry", at: "2026-11-20T10:00:05.000Z" });
    expect(await bench.apply(again(OPEN))).toMatchObject({ kind: "done" });
    expect(bench.github.checkRuns).toHaveLength(1);
    expect(bench.recorded()).toBe(1);
  });

  it("sends again after a 502 that did nothing", async () => {
    failOnce({ kind: "answer", status: 502 });
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "retry" });
    expect(await bench.apply(again(OPEN))).toMatchObject({ kind: "done" });
    expect(bench.github.checkRuns).toHaveLength(1);
  });

  it("waits longer each time GitHub does not answer", async () => {
    bench.github.fault = () => ({ kind: "answer", status: 503 });
    expect(await bench.apply({ ...OPEN, attempts: 3 })).toMatchObject({ at: "2026-11-20T10:00:40.000Z" });
    expect(await bench.apply({ ...OPEN, attempts: 30 })).toMatchObject({ at: "2026-11-20T10:15:00.000Z" });
  });

  it("gives up on a request that hangs, and looks for it later", async () => {
    failOnce({ kind: "hang" });
    const shop = { owner: "acme", name: "shop" };
    const repository = octokitRepository(plainOctokit(bench.github.url), shop, { timeoutMs: 50 });
    expect(await applyEffect(OPEN, effectPorts(repository))).toMatchObject({ kind: "retry" });
  });

  it("looks only after GitHub's lists had time to follow", async () => {
    const outcome = await bench.apply({ ...OPEN, state: "sending", sendingSince: "2026-11-20T09:59:58.000Z" });
    expect(outcome).toMatchObject({ kind: "retry", at: "2026-11-20T10:00:03.000Z" });
    // Waiting is no attempt: one that renewed the moment of sending would wait for ever.
    expect(bench.counted).toEqual([]);
    expect(bench.github.requests).toEqual([]);
  });

  it("counts an attempt with its first write, or when nothing was answered before it", async () => {
    await bench.apply(OPEN);
    expect(bench.counted).toEqual(["sending"]);
    bench.github.fault = () => ({ kind: "answer", status: 502 });
    await bench.apply(again(OPEN));
    await bench.apply(START);
    expect(bench.counted).toEqual(["sending", "unanswered", "sending"]);
  });

  it("looks for what may have been sent, and for nothing at first", async () => {
    const asked = () => bench.github.requests.map(({ method }) => method);
    await bench.apply(OPEN);
    expect(asked()).toEqual(["POST"]);
    await bench.apply(again(OPEN));
    expect(asked()).toEqual(["POST", "GET"]);
  });

  it("is not fooled by a check-run with a forged or foreign id", async () => {
    await bench.apply({ ...OPEN, key: "pull_request:1:7/head/check.open/d0" });
    bench.github.checkRuns[0]!.external_id = externalIdFor(OPEN, "guess");
    expect(await bench.apply(again(OPEN))).toMatchObject({ kind: "done" });
    expect(bench.github.checkRuns).toHaveLength(2);
  });

  it("finds its check-run behind a newer one of the same name", async () => {
    await bench.apply(OPEN);
    await bench.apply({ ...OPEN, key: "pull_request:1:7/head/check.open/d2" });
    const outcome = await bench.apply(again(OPEN));
    expect(outcome).toEqual({ kind: "done", result: { checkRunId: bench.github.checkRuns[0]!.id } });
  });

  it("is no fault of the effect when the process stops", async () => {
    const stop = new AbortController();
    const { signal } = stop;
    await bench.github.stop();
    bench = await startBench({ signal });
    const octokit = plainOctokit(bench.github.url);
    const repository = octokitRepository(octokit, { owner: "acme", name: "shop" }, { signal });
    Object.assign(bench.ports, effectPorts(repository, { signal }));
    bench.github.fault = () => {
      stop.abort();
      return { kind: "hang" };
    };
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "retry" });
  });
});

describe("limits, permissions and what is gone", () => {
  it.each([
    ["429 and retry-after", { status: 429, headers: { "retry-after": "90" } }, "2026-11-20T10:01:30.000Z"],
    ["403 and retry-after", { status: 403, headers: { "retry-after": "7" } }, "2026-11-20T10:00:07.000Z"],
    ["403 by words alone", { status: 403, message: "exceeded a secondary rate limit" }, "2026-11-20T10:01:00.000Z"],
  ])("waits as long as GitHub says, not as an attempt: %s", async (_what, answer, at) => {
    failOnce({ kind: "answer", ...answer });
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "retry", at });
  });

  it("has the whole installation wait where GitHub says how long, and only there", async () => {
    const pauses: number[] = [];
    Object.assign(bench.ports.budget, { pause: async (milliseconds: number) => void pauses.push(milliseconds) });
    failOnce({ kind: "answer", status: 429 });
    await bench.apply(OPEN);
    failOnce({ kind: "answer", status: 429, headers: { "retry-after": "90" } });
    await bench.apply(OPEN);
    expect(pauses).toEqual([90_000]);
  });

  it("waits longer each time where GitHub does not say how long", async () => {
    failOnce({ kind: "answer", status: 429 });
    expect(await bench.apply({ ...OPEN, attempts: 2 })).toMatchObject({ at: "2026-11-20T10:04:00.000Z" });
  });

  it("waits for its own budget before it sends anything", async () => {
    const at = "2026-11-20T10:00:20.000Z";
    Object.assign(bench.ports.budget, {
      take: () => Promise.reject(new WriteBudgetSpent(at)),
    });
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "retry", at, forBudget: true });
    expect(bench.counted).toEqual([]);
    expect(bench.github.requests).toEqual([]);
  });

  it.each([404, 410])("is obsolete at %i", async (status) => {
    failOnce({ kind: "answer", status });
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "obsolete" });
  });

  it("fails for a person to mend at 403", async () => {
    failOnce({ kind: "answer", status: 403, message: "Resource not accessible by integration" });
    const error = { code: "github_forbidden", source: "permission", recoverability: "manual" };
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "failed", error });
  });

  it("fails for good when GitHub refuses a check", async () => {
    failOnce({ kind: "answer", status: 422, message: "No commit found for SHA" });
    const error = { code: "github_refused", recoverability: "none" };
    expect(await bench.apply(OPEN)).toMatchObject({ kind: "failed", error });
  });
});

describe("starting a check", () => {
  it("moves the opened check-run on", async () => {
    await bench.apply(OPEN);
    expect(await bench.apply(START)).toMatchObject({ kind: "done" });
    expect(bench.github.checkRuns[0]).toMatchObject({ status: "in_progress", started_at: "2026-11-20T10:00:00.000Z" });
  });

  it("finds the check-run on GitHub when nothing was remembered", async () => {
    await bench.apply(OPEN);
    bench.results.clear();
    expect(await bench.apply(START)).toMatchObject({ kind: "done" });
    expect(bench.github.writes()).toEqual(["POST /check-runs", "PATCH /check-runs"]);
  });

  it("does not write again what is there, and never moves a finished one back", async () => {
    await bench.apply(OPEN);
    await bench.apply(START);
    await bench.apply(again(START));
    bench.github.checkRuns[0]!.status = "completed";
    await bench.apply(again(START));
    expect(bench.github.writes()).toEqual(["POST /check-runs", "PATCH /check-runs"]);
  });

  it("is obsolete when there is no check-run", async () => {
    expect(await bench.apply(START)).toMatchObject({ kind: "obsolete" });
  });
});
