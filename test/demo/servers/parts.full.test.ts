import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startHaproxy } from "../../../demo/servers/haproxy.ts";
import { createAsking, createCustomers } from "../../../demo/servers/load.ts";
import type { Metrics, Target } from "../../../demo/servers/metrics.ts";
import { startMetricsReader } from "../../../demo/servers/metrics-reader.ts";
import { startNodeRouter } from "../../../demo/servers/node-router.ts";
import { findProgram } from "../../../demo/servers/program.ts";
import { startPrometheus } from "../../../demo/servers/prometheus.ts";
import { startServers } from "../../../demo/servers/start-servers.ts";
import { createVersions, type Versions } from "../../../demo/servers/versions.ts";
import { until } from "../../../demo/until.ts";
import { freePort } from "../../../simulator/free-port.ts";
import { itNeeding } from "../../needs/needing.ts";

const haproxy = findProgram("haproxy");
const prometheus = findProgram("prometheus");
const itWithHaproxy = itNeeding(haproxy === undefined ? "no haproxy (Debian's package haproxy)" : undefined);
const itWithPrometheus = itNeeding(
  prometheus === undefined ? "no prometheus (Debian's package prometheus)" : undefined,
);

const { signal } = new AbortController();
let folder: string;
/** Commits of the service: as it is, and with numbers. */
let shas: { readonly base: string; readonly numbered: string };
let versions: Versions;
const undo: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "demo-servers-"));
  const tree = join(folder, "postage");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: tree, encoding: "utf8" }).trim();
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  const commit = (name: string) => {
    cpSync(`fixtures/projects/postage/${name}`, tree, { recursive: true });
    git("add", "--all");
    git(...identity, "commit", "--quiet", "--message", name);
    return git("rev-parse", "HEAD");
  };
  cpSync("fixtures/projects/postage/base", tree, { recursive: true });
  git("init", "--quiet");
  shas = { base: commit("base"), numbered: commit("numbered") };
  versions = createVersions({
    folder: join(folder, "versions"),
    gitDirectory: join(tree, ".git"),
    ports: { production: [await freePort(), await freePort()] },
    errorsUrl: "",
  });
});
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});
afterAll(async () => {
  await versions.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(address: string, requests: number): Promise<Record<string, number>> {
  // Four hundred at once wait long on a busy machine, and each is counted.
  const asking = createAsking(address, 0);
  createCustomers(7, asking.send)(requests);
  await asking.idle();
  asking.close();
  return Object.fromEntries(asking.counts);
}

async function bothVersions() {
  const old = await versions.start("production", shas.base);
  const fresh = await versions.start("production", shas.numbered);
  return { old, fresh };
}

const ROUTERS = [
  ["HAProxy", itWithHaproxy, () => startHaproxy(haproxy!, join(folder, "router"), ["staging", "production"])],
  ["the router of ours", it, () => startNodeRouter(["staging", "production"])],
] as const;

describe.each(ROUTERS)("%s", (_name, itHere, startIt) => {
  itHere("keeps the weights it is given, changes them while it runs, and loses no request", async () => {
    const { old, fresh } = await bothVersions();
    const router = await startIt();
    undo.push(() => router.stop());
    const address = router.address("production");
    const shares = async (percent: number) => {
      const rest = { port: old.port, percent: 100 - percent };
      await router.route("production", [{ port: fresh.port, percent }, ...(percent < 100 ? [rest] : [])]);
      const counts = await ask(address, 400);
      expect(Object.values(counts).reduce((sum, each) => sum + each)).toBe(400);
      const of = (sha: string) =>
        Object.entries(counts).reduce((sum, [key, count]) => sum + (key.startsWith(sha) ? count : 0), 0);
      return { old: of(shas.base), fresh: of(shas.numbered) };
    };
    const five = await shares(5);
    expect([five.fresh, five.old]).toEqual([expect.toSatisfy((count) => Math.abs(count - 20) <= 1), 400 - five.fresh]);
    const quarter = await shares(25);
    expect(quarter.fresh).toSatisfy((count: number) => Math.abs(count - 100) <= 1);
    expect(quarter.old).toBe(400 - quarter.fresh);
    expect(await shares(100)).toEqual({ old: 0, fresh: 400 });
    await router.route("production", [{ port: old.port, percent: 100 }]);
    expect(await ask(address, 40)).toEqual({ [`${shas.base} 200`]: 40 });
  });

  itHere("answers 503 where nothing runs", async () => {
    const router = await startIt();
    undo.push(() => router.stop());
    expect(await ask(router.address("staging"), 3)).toEqual({ "- 503": 3 });
  });
});

describe("a version of the service", () => {
  it("runs from its commit, says which one it is, and fails above a load only where the fault is", async () => {
    const { old, fresh } = await bothVersions();
    const health = await fetch(`http://127.0.0.1:${old.port}/health`);
    expect(await health.json()).toEqual({ status: "ok", version: shas.base });
    expect(await ask(`http://127.0.0.1:${old.port}`, 200)).toEqual({ [`${shas.base} 200`]: 200 });
    const counts = await ask(`http://127.0.0.1:${fresh.port}`, 200);
    expect(counts[`${shas.numbered} 500`]).toBeGreaterThan(50);
  });

  it("is not started from what is no commit", async () => {
    await expect(versions.start("production", "--output=x")).rejects.toThrow('"--output=x" is no commit');
    await expect(versions.start("production", "0".repeat(40))).rejects.toThrow(/Command failed: git/);
  });
});

/** What Forge asks (src/monitoring/promql.ts), and a few more. */
function queries(sha: string): string[] {
  const of = (name: string, more = "") => `${name}{environment="production",version="${sha}"${more}}`;
  const grown = (selector: string) => `(${selector} unless ${selector} offset 30s) or increase(${selector}[30s])`;
  const requests = of("http_requests_total");
  return [
    `sum(${grown(requests)})`,
    `sum(${grown(of("http_requests_total", ',code=~"5.."'))})`,
    `histogram_quantile(0.95, sum by (le) (${grown(of("http_request_duration_seconds_bucket"))}))`,
    `max(max_over_time(timestamp(${requests})[1h:1s]))`,
    `sum by (version) (rate(http_requests_total{path="/postage"}[30s])) * 2`,
    `max(http_requests_in_flight{version="\\x6eobody"}) or vector(0)`,
  ];
}

interface Answer {
  readonly status: string;
  readonly data?: {
    readonly resultType: string;
    readonly result: readonly { readonly metric: object; readonly value: readonly [number, string] }[];
  };
}

async function query(metrics: Metrics, text: string): Promise<Answer> {
  const response = await fetch(`${metrics.address}/api/v1/query?${new URLSearchParams({ query: text })}`);
  return (await response.json()) as Answer;
}

/** The metrics of two versions that were asked for three seconds. */
async function measured(start: (targets: readonly Target[]) => Promise<Metrics>) {
  const { old, fresh } = await bothVersions();
  const metrics = await start([old, fresh].map(({ port }) => ({ port, environment: "production" })));
  undo.push(() => metrics.stop());
  const seen = async () => {
    for (const { port } of [old, fresh]) await ask(`http://127.0.0.1:${port}`, 5);
    const { data } = await query(metrics, `sum by (version) (increase(http_requests_total{path="/postage"}[30s]))`);
    return data?.result.filter(({ value }) => Number(value[1]) > 0).length === 2;
  };
  await until("requests to both are counted", seen, { signal, limitMs: 30_000 });
  return Promise.all(queries(shas.base).map((text) => query(metrics, text)));
}

/** What an answer is like, without its numbers. */
function shapeOf({ status, data }: Answer) {
  const rows = data?.result.map(({ metric, value }) => [metric, typeof value[0], typeof value[1]]);
  return [status, data?.resultType, rows?.map((row) => JSON.stringify(row)).sort()];
}

describe("metrics", () => {
  it("are read by the reader of ours", { timeout: 60_000 }, async () => {
    const [requests, errors, latency, newest, rates, nothing] = await measured(startMetricsReader);
    const numberIn = (answer: Answer | undefined) => Number(answer?.data?.result[0]?.value[1]);
    expect(numberIn(requests)).toBeGreaterThan(0);
    expect(errors).toEqual({ status: "success", data: { resultType: "vector", result: [] } });
    expect(numberIn(latency)).toBeLessThan(1);
    expect(numberIn(newest)).toBeGreaterThan(Date.now() / 1000 - 60);
    expect(rates?.data?.result.map(({ metric }) => metric)).toContainEqual({ version: shas.base });
    expect(numberIn(nothing)).toBe(0);
  });

  itWithPrometheus("have the same shapes where Prometheus reads them", { timeout: 60_000 }, async () => {
    const [ours, theirs] = await Promise.all([
      measured(startMetricsReader),
      measured((targets) => startPrometheus(prometheus!, join(folder, "metrics"), targets)),
    ]);
    expect(theirs.map(shapeOf)).toEqual(ours.map(shapeOf));
  });

  it("are not asked what is no question", async () => {
    const metrics = await startMetricsReader([]);
    undo.push(() => metrics.stop());
    const bad = await fetch(`${metrics.address}/api/v1/query?query=${encodeURIComponent("sum(rate(x[5m]")}`);
    expect([bad.status, await bad.json()]).toEqual([
      400,
      { status: "error", errorType: "bad_data", error: expect.stringContaining('"," was expected') },
    ]);
  });
});

describe("all of it", () => {
  it("shares customers as it is told, reports errors, and ends", { timeout: 60_000 }, async () => {
    const errors: string[] = [];
    const own = join(folder, "servers");
    const gitDirectory = join(folder, "postage", ".git");
    const start = { folder: own, gitDirectory, load: { staging: 10, production: 400 } };
    const servers = await startServers(start, ({ version, message, stack, environment }) => {
      errors.push(`${environment} ${version} ${message}${stack.split("\n")[1]}`);
    });
    undo.push(async () => servers.kill());
    const seen = (key: string, least: number) => async () => ((await servers.counts("production"))[key] ?? 0) > least;
    const wait = { signal, limitMs: 30_000 };
    await servers.deploy("production", shas.base, 100);
    await until("customers are answered", seen(`${shas.base} 200`, 100), wait);
    await servers.deploy("production", shas.numbered, 25);
    await until("the new version fails", seen(`${shas.numbered} 500`, 0), wait);
    await until("its error is reported", () => errors.length > 0, wait);
    expect(errors[0]).toMatch(
      new RegExp(`^production ${shas.numbered} no number is free {4}at .*src/numbers\\.js:20:11`),
    );
    await servers.deploy("production", shas.base, 100);
    const { [`${shas.numbered} 500`]: before } = await servers.counts("production");
    const { [`${shas.base} 200`]: old = 0 } = await servers.counts("production");
    await until("all customers are answered by the old one", seen(`${shas.base} 200`, old + 100), wait);
    expect((await servers.counts("production"))[`${shas.numbered} 500`]).toBe(before);
    await expect(servers.deploy("production", "0".repeat(40), 5)).rejects.toThrow(/git/);
    await servers.stop();
    await expect(fetch(servers.control)).rejects.toThrow();
    await expect(fetch(servers.metricsAddress)).rejects.toThrow();
  });
});
