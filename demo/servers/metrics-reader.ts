import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { closeServer } from "../../simulator/close-server.ts";
import { evaluate, type Sample } from "./evaluate-promql.ts";
import { type Metrics, SCRAPE_SECONDS, type Target } from "./metrics.ts";
import { parsePromql } from "./parse-promql.ts";
import { readPage, SeriesStore } from "./series.ts";

const JOB = "postage";
const MOST_STEPS = 11_000;

/** What Prometheus does for the demo, where it is not installed: reads metrics every second, and answers `query` and `query_range`. */
export async function startMetricsReader(targets: readonly Target[]): Promise<Metrics> {
  const store = new SeriesStore();

  async function scrape(target: Target): Promise<void> {
    const instance = `127.0.0.1:${target.port}`;
    const own = { instance, job: JOB, environment: target.environment };
    const at = Date.now() / 1000;
    const page = await readMetrics(instance);
    for (const { labels, value } of page ?? []) store.add({ ...labels, ...own }, { at, value });
    if (page === undefined) store.end(instance, at);
    store.add({ __name__: "up", ...own }, { at, value: page ? 1 : 0 });
  }

  const timer = setInterval(() => void Promise.all(targets.map(scrape)), SCRAPE_SECONDS * 1000);
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { code, body } = answer(new URL(request.url ?? "/", "http://reader"), await parameters(request), store);
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    clearInterval(timer);
    return closeServer(server);
  };
  return {
    kind: "reader",
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: close,
    kill: () => void close(),
  };
}

async function readMetrics(instance: string): Promise<ReturnType<typeof readPage> | undefined> {
  try {
    const response = await fetch(`http://${instance}/metrics`, { signal: AbortSignal.timeout(SCRAPE_SECONDS * 1000) });
    return response.ok ? readPage(await response.text()) : undefined;
  } catch {
    // It does not answer: that is what `up` says.
    return undefined;
  }
}

/** Those of the address, and of a form that was sent. */
async function parameters(request: IncomingMessage): Promise<URLSearchParams> {
  const { searchParams } = new URL(request.url ?? "/", "http://reader");
  if (request.method !== "POST") return searchParams;
  return new URLSearchParams([...searchParams, ...new URLSearchParams(await text(request))]);
}

interface Answer {
  readonly code: number;
  readonly body: object;
}

function answer({ pathname }: URL, asked: URLSearchParams, store: SeriesStore): Answer {
  if (pathname === "/-/ready" || pathname === "/-/healthy") return { code: 200, body: {} };
  try {
    const expression = parsePromql(asked.get("query") ?? "");
    const at = (time: number) => evaluate(expression, store.all(), time);
    if (pathname === "/api/v1/query") return success(instant(at, Number(asked.get("time") ?? Date.now() / 1000)));
    if (pathname === "/api/v1/query_range") return success(range(at, asked));
    return { code: 404, body: {} };
  } catch (error) {
    return { code: 400, body: { status: "error", errorType: "bad_data", error: (error as Error).message } };
  }
}

function success(data: object): Answer {
  return { code: 200, body: { status: "success", data } };
}

type Evaluate = (time: number) => number | readonly Sample[];

function instant(at: Evaluate, time: number): object {
  const value = at(time);
  if (typeof value === "number") return { resultType: "scalar", result: [time, written(value)] };
  const result = value.map((sample) => ({ metric: sample.labels, value: [time, written(sample.value)] }));
  return { resultType: "vector", result };
}

function range(at: Evaluate, asked: URLSearchParams): object {
  const [start, end, step] = ["start", "end", "step"].map((name) => Number(asked.get(name)?.replace(/s$/, "")));
  if (
    start === undefined ||
    end === undefined ||
    step === undefined ||
    !(step > 0) ||
    !((end - start) / step < MOST_STEPS)
  )
    throw new Error("start, end and step are numbers of seconds");
  const rows = new Map<string, { readonly metric: object; readonly values: [number, string][] }>();
  for (let time = start; time <= end; time += step) {
    const value = at(time);
    const samples = typeof value === "number" ? [{ labels: {}, value }] : value;
    for (const sample of samples) {
      const key = JSON.stringify(sample.labels);
      const row = rows.get(key) ?? { metric: sample.labels, values: [] };
      rows.set(key, row);
      row.values.push([time, written(sample.value)]);
    }
  }
  return { resultType: "matrix", result: [...rows.values()] };
}

/** As Prometheus writes numbers. */
function written(value: number): string {
  return value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value);
}
