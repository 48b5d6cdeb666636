import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";
import { NO_SOURCES } from "../../src/monitoring/open-sources.ts";
import { SourceSettings } from "../../src/monitoring/settings.ts";
import { createSampling } from "../../src/monitoring/take-sample.ts";

function installed(): boolean {
  try {
    execFileSync("prometheus", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.error(
      "\nNOT RUN: `prometheus` is not installed (apt-get install prometheus), so its queries are not proven here.\n",
    );
    return false;
  }
}

/** Seconds; a fixed moment of the past, whole for the blocks of Prometheus. */
const START = 1_790_000_000;
const SCRAPE = 15;
const SCRAPES = 61;
/** The new version is scraped from here on for the first time. */
const BEGIN = 21;
const HOSTILE = 'x"} or vector(0) #';

/** What two versions and a hostile one would have told at each scrape. */
function openMetrics(): string {
  const lines: string[] = [];
  const counter = (labels: string, value: (scrape: number) => number | undefined) => {
    for (let scrape = 0; scrape < SCRAPES; scrape += 1) {
      const is = value(scrape);
      if (is !== undefined) lines.push(`http_requests_total{${labels}} ${is} ${START + scrape * SCRAPE}`);
    }
  };
  lines.push("# TYPE http_requests counter");
  counter('job="shop",version="old",code="200"', (scrape) => scrape * 150);
  counter('job="shop",version="old",code="500"', (scrape) => scrape * 3);
  counter('job="other",version="old",code="500"', (scrape) => scrape * 1000);
  // It is scraped for the first time when it has answered 50, and its first errors come with a number.
  counter('job="shop",version="new",code="200"', (scrape) => (scrape < BEGIN ? undefined : (scrape - BEGIN) * 10 + 50));
  counter('job="shop",version="new",code="503"', (scrape) => (scrape < 41 ? undefined : 7));
  counter('job="shop",version="gone",code="200"', (scrape) => (scrape > 10 ? undefined : scrape * 10));
  lines.push("# TYPE http_request_duration_seconds histogram");
  for (const [version, slow] of [
    ["old", 1],
    ["new", 4],
  ] as const) {
    for (const [le, share] of [
      ["0.1", 0.5],
      ["0.2", 0.9],
      ["0.4", 0.99],
      ["+Inf", 1],
    ] as const) {
      for (let scrape = 0; scrape < SCRAPES; scrape += 1) {
        const limit = le === "+Inf" ? le : String(Number(le) * slow);
        const labels = `job="shop",version="${version}",le="${limit}"`;
        if (version === "old" || scrape >= BEGIN)
          lines.push(
            `http_request_duration_seconds_bucket{${labels}} ${Math.round(scrape * 100 * share)} ${START + scrape * SCRAPE}`,
          );
      }
    }
    for (let scrape = 0; scrape < SCRAPES; scrape += 1)
      if (version === "old" || scrape >= BEGIN)
        lines.push(
          `http_request_duration_seconds_count{job="shop",version="${version}"} ${scrape * 100} ${START + scrape * SCRAPE}`,
        );
  }
  lines.push("# TYPE queue gauge");
  for (let scrape = 0; scrape < SCRAPES; scrape += 1)
    lines.push(`queue{job="shop",version="new"} ${scrape} ${START + scrape * SCRAPE}`);
  return `${lines.join("\n")}\n# EOF\n`;
}

describe.skipIf(!installed())("samples of a real Prometheus", () => {
  const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
  let url = "";
  let stop = () => {};

  beforeAll(async () => {
    writeFileSync(join(folder, "metrics.txt"), openMetrics());
    execFileSync("promtool", [
      "tsdb",
      "create-blocks-from",
      "openmetrics",
      join(folder, "metrics.txt"),
      join(folder, "data"),
    ]);
    writeFileSync(join(folder, "prometheus.yml"), "scrape_configs: []\n");
    const args = [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      "--web.listen-address=127.0.0.1:0",
    ];
    const server = spawn("prometheus", [...args, "--storage.tsdb.retention.time=100y", "--log.format=json"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    stop = () => void server.kill("SIGKILL");
    url = await new Promise<string>((resolve, reject) => {
      let said = "";
      server.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const address =
          /"address":"(127\.0\.0\.1:[1-9]\d*)"[^\n]*Listening on/.exec(said) ??
          /Listening on[^\n]*"address":"(127\.0\.0\.1:[1-9]\d*)"/.exec(said);
        if (address && said.includes("ready to receive")) resolve(`http://${address[1]}`);
      });
      server.once("exit", () => reject(new Error(said)));
    });
  }, 300_000);
  afterAll(() => {
    stop();
    rmSync(folder, { recursive: true });
  });

  const at = (scrape: number) => new Date((START + scrape * SCRAPE) * 1000).toISOString();
  function look(fields: object, names: object = {}, more: object = {}) {
    const prometheus = { url, names: { labels: { job: "shop" }, ...names }, ...more };
    const settings = SourceSettings.parse({ repositories: { "Acme/Shop": { production: { prometheus } } } });
    const sample = createSampling({ ...NO_SOURCES, ...settings });
    const usual = {
      repository: { owner: "acme", name: "shop" },
      environment: "production",
      weight: 5,
      queries: [],
    } as const;
    return sample({
      ...usual,
      version: "new",
      before: "old",
      from: at(40),
      to: at(60),
      since: at(20),
      baseline: "concurrent",
      ...fields,
    });
  }
  const told = async (sample: ReturnType<typeof look>) =>
    new Map((await sample).metrics.map((metric) => [metric.metric, metric]));

  it("counts requests and errors of both versions of this service alone", async () => {
    const { canary, control, baseline } = (await told(look({}))).get("errors")!;
    expect([canary, control, baseline]).toMatchObject([{ is: "counts" }, { is: "counts" }, "concurrent"]);
    if (canary.is !== "counts" || control.is !== "counts") return;
    expect(Math.round(canary.requests)).toBe(207);
    expect(Math.round(canary.errors)).toBe(7);
    expect(Math.round(control.requests)).toBe(20 * 153);
    expect(Math.round(control.errors)).toBe(60);
  });

  it("counts what a version answered before it was scraped for the first time", async () => {
    const { canary } = (await told(look({ from: at(20), to: at(24) }))).get("errors")!;
    expect(canary).toEqual({ is: "counts", requests: 80, errors: 0 });
  });

  it("gives latencies in milliseconds with what they rest on", async () => {
    const p95 = (await told(look({}))).get("latency_p95")!;
    expect([p95.canary, p95.control]).toMatchObject([{ is: "value" }, { is: "value" }]);
    if (p95.canary.is !== "value" || p95.control.is !== "value") return;
    expect(Math.round(p95.control.of ?? 0)).toBe(2000);
    expect(p95.control.value).toBeGreaterThan(300);
    expect(p95.control.value).toBeLessThan(320);
    expect(p95.canary.value / p95.control.value).toBeCloseTo(4, 1);
  });

  it("reads the version before in the time before, where it does not run beside", async () => {
    const { control, baseline } = (await told(look({ baseline: "before", from: at(50), to: at(60) }))).get("errors")!;
    expect(baseline).toBe("before");
    expect(control).toMatchObject({ is: "counts", requests: expect.closeTo(1530, 0), errors: expect.closeTo(30, 0) });
  });

  it("tells a version that went silent from one that nobody ever saw", async () => {
    const gone = (await told(look({ version: "gone" }))).get("errors")!.canary;
    expect(gone).toMatchObject({ is: "none", why: "stale", detail: "its newest number is 750 s old" });
    expect((await told(look({ version: "never" }))).get("errors")!.canary).toMatchObject({
      is: "none",
      why: "no_data",
    });
  });

  it("a hostile version is a version like any other", async () => {
    const metrics = await told(
      look(
        { version: HOSTILE, queries: ["own"] },
        {},
        { queries: { own: { query: 'sum(queue{version="$version"})' } } },
      ),
    );
    expect([...metrics.values()].map(({ canary }) => canary.is === "none" && canary.why)).toEqual(
      Array(6).fill("no_data"),
    );
  });

  it("puts the operator's queries that the repository names, and says which of them Prometheus refuses", async () => {
    const queries = {
      queue: { query: 'max_over_time(queue{version="$version"}[$window])' },
      broken: { query: "sum(" },
      several: { query: "http_requests_total", bad: "down" },
      unasked: { query: "1" },
    };
    const more = { queries, saturation: 'sum(queue{version="$version"})' };
    const metrics = await told(look({ queries: ["queue", "broken", "several", "toString"] }, {}, more));
    expect(metrics.has("unasked")).toBe(false);
    expect(metrics.get("toString")!.canary).toEqual({ is: "none", why: "not_written" });
    expect(metrics.get("queue")!.canary).toMatchObject({ is: "series", values: { length: 20 } });
    expect(metrics.get("saturation")!.canary).toMatchObject({ is: "series" });
    expect(metrics.get("broken")!.canary).toMatchObject({ is: "none", why: "refused" });
    expect(metrics.get("several")!.canary).toMatchObject({ is: "none", why: "several" });
    expect(metrics.get("several")!.bad).toBe("down");
  });
});

it("an environment that the operator named nowhere is asked nothing", async () => {
  const sample = createSampling(NO_SOURCES);
  const times = { from: "2026-01-01T00:00:00Z", to: "2026-01-01T00:05:00Z", since: "2026-01-01T00:00:00Z" };
  const about = {
    repository: { owner: "a", name: "b" },
    environment: "staging",
    version: "v",
    baseline: "none",
    weight: 100,
  } as const;
  expect(await sample({ ...about, ...times, queries: [] })).toMatchObject({ metrics: [] });
  expect(DEFAULT_REPO_CONFIG).not.toHaveProperty("sources");
});
