import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findProgram, type Program, startProgram } from "../../demo/servers/program.ts";
import { until } from "../../demo/until.ts";
import { freePort } from "../../simulator/free-port.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { FAULTY, openPull } from "../e2e/pulls.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { describeNeeding } from "../needs/needing.ts";
import { labelsIn, namesIn, plots, RULES, rules, TESTS } from "./shipped.ts";

const prometheus = findProgram("prometheus");
const promtool = findProgram("promtool");
const describeWithPrometheus = describeNeeding(
  prometheus && promtool ? undefined : "no prometheus and promtool (Debian's package prometheus)",
);

const TOKEN = "a-long-token-for-scrapers";

/** Without a series as long as nothing is in the queue. */
const MAY_BE_EMPTY = new Set(["forge_jobs"]);

/** What agents would have told, which need a model. */
const AGENTS: readonly NewEvent[] = [
  {
    type: "agent.reasoned",
    payload: {
      ...{ agentId: "a", step: 1, provider: "anthropic", model: "m", stopReason: "end_turn", costUsd: 0.25 },
      usage: { inputTokens: 100, cacheReadTokens: 10, cacheWriteTokens: 0, outputTokens: 7 },
      latencyMs: 10,
    },
  },
  {
    type: "feedback.outcome",
    payload: {
      ...{ findingId: "F-1", outcome: "fixed", layer: "static", rule: "r", severity: "error", category: "correctness" },
      ...{ placement: "comment", cause: "c" },
    },
  } as unknown as NewEvent,
];

describeWithPrometheus("what is shipped for Prometheus and Grafana (MET-1)", () => {
  let world: World;
  let program: Program;
  let address: string;

  beforeAll(async () => {
    world = await createWorld({ environment: { FORGE_METRICS_TOKEN: TOKEN } });
    await openPull(world, { "same.ts": FAULTY }, { branch: "topic" });
    await world.settled();
    const { store } = world.forge!;
    const { traceId } = (await listRuns(store, { limit: 1 }))[0]!;
    const expectedVersion = (await readEvents(store, traceId)).length;
    const appends = [{ traceId, expectedVersion, events: AGENTS }];
    await commitDecision(store, { appends, at: new Date().toISOString(), makeId: createIdMaker(), source: "test" });

    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const configuration = join(world.directory, "prometheus.yml");
    const scrape = {
      job_name: "forge",
      authorization: { credentials: TOKEN },
      static_configs: [{ targets: [`127.0.0.1:${world.forge!.port}`] }],
    };
    const file = {
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [join(process.cwd(), RULES)],
      scrape_configs: [scrape],
    };
    writeFileSync(configuration, JSON.stringify(file));
    program = startProgram(prometheus!, [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(world.directory, "prometheus")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    await until("Prometheus has scraped Forge", isScraped, { signal: new AbortController().signal, limitMs: 60_000 });
  });
  afterAll(async () => {
    await program?.stop();
    await world?.end();
  });

  async function isScraped(): Promise<boolean> {
    try {
      return (await answerOf("query", { query: "forge_llm_calls_total" })).length === 1;
    } catch {
      // It does not listen yet.
      return false;
    }
  }

  /** What the real Prometheus says to a question. @throws Error with its refusal */
  async function answerOf(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown[]> {
    const response = await fetch(`${address}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { data, error } = (await response.json()) as { data?: unknown; error?: string };
    if (error !== undefined) throw new Error(`${parameters.query}: ${error}`);
    return Array.isArray(data) ? data : (data as { result: unknown[] }).result;
  }

  /** Metrics of Forge by name, each with the labels that its series have. */
  async function scraped(): Promise<Map<string, Set<string>>> {
    const series = (await answerOf("series", { "match[]": '{__name__=~"forge_.+"}' })) as Record<string, string>[];
    const found = new Map<string, Set<string>>();
    for (const { __name__: name = "", ...labels } of series) {
      const known = found.get(name) ?? new Set<string>();
      for (const label of Object.keys(labels)) known.add(label);
      found.set(name, known);
    }
    return found;
  }

  it("what dashboard and rules name is there, with the labels that they match on and group by", async () => {
    const known = await scraped();
    for (const { expr } of [...plots, ...rules]) {
      const series = namesIn(expr).filter((name) => !MAY_BE_EMPTY.has(name));
      for (const name of series) expect([...known.keys()], expr).toContain(name);
      const labels = new Set(namesIn(expr).flatMap((name) => [...(known.get(name) ?? [])]));
      for (const label of labels.size === 0 ? [] : labelsIn(expr)) expect([...labels], expr).toContain(label);
    }
  });

  it.each(plots)("$title: Prometheus understands $expr", async ({ expr }) => {
    const query = expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", "forge");
    const now = String(Date.now() / 1000);
    const answer = await answerOf("query", { query, time: now });
    // What counts over time has no increase yet; what stands in the database is there at once.
    if (!/increase|rate|forge_jobs\{/.test(expr)) expect(answer, query).not.toEqual([]);
  });

  it("Prometheus takes up the rules and holds none of them for broken", async () => {
    const groups = async () => {
      const response = await fetch(`${address}/api/v1/rules`);
      const { data } = (await response.json()) as { data: { groups: { rules: { name: string; health: string }[] }[] } };
      return data.groups.flatMap((group) => group.rules.map(({ name, health }) => `${name} ${health}`));
    };
    await expect.poll(groups).toEqual(rules.map(({ alert }) => `${alert} ok`));
  });

  it("each alert fires when it has to, and each has a case", () => {
    const said = execFileSync(promtool!, ["test", "rules", ...TESTS], { encoding: "utf8" });
    expect(said.match(/SUCCESS/g)).toHaveLength(TESTS.length);
    const tried = TESTS.map((file) => readFileSync(file, "utf8")).join("");
    for (const { alert } of rules) expect(tried).toMatch(new RegExp(`alertname: ${alert}\\n[^{]*exp_alerts:\\n`));
  });
});
