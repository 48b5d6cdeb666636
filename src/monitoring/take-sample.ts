import { defined } from "../domain/defined.ts";
import type { Environment } from "../domain/deployments.ts";
import type { BASELINES, Measured, Reading, Sample } from "../domain/samples.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import { joinLooks, lookAtHealth } from "./health.ts";
import type { Sources } from "./open-sources.ts";
import { type PrometheusServer, query, queryRange, type Window } from "./prometheus.ts";
import { builtInQueries, fillIn } from "./promql.ts";
import type { PrometheusSettings, SecretPlace } from "./settings.ts";

/** What is to be read at one look at a deployment. */
export interface Look {
  readonly repository: Pick<RepositoryRef, "owner" | "name">;
  readonly environment: Environment;
  /** Values of the version label: of the new version, and of the one before where there is one. */
  readonly version: string;
  readonly before?: string | undefined;
  /** Window of the readings; ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** When the first step began (ISO 8601): the version before is read in as long a window up to then, where it does not run beside. */
  readonly since: string;
  readonly baseline: (typeof BASELINES)[number];
  /** Share of the traffic that the new version is to have, in percent. */
  readonly weight: number;
  /** Names of queries that the operator wrote. */
  readonly queries: readonly string[];
}

/** Reads all sources of an environment at once. Never throws: what a source did not say stands in the sample with its reason. */
export type TakeSample = (look: Look, signal?: AbortSignal) => Promise<Sample>;

/** Parts of a window in which own queries are read, so that the judge has more than one number of them. */
const PARTS = 20;
/** What `$window` is at least, where the whole window is that long: shorter ones hold too few scrapes. */
const SHORTEST_SECONDS = 60;

/** Which environments can be watched, and by what; names of metrics, for people. */
export function watchedBy(
  { repositories }: Pick<Sources, "repositories">,
  { owner, name }: Look["repository"],
  environment: Environment,
): { readonly metrics: boolean; readonly saturation: boolean; readonly health: boolean } {
  const watched = repositories[`${owner}/${name}`.toLowerCase()]?.[environment];
  const { prometheus, health = [] } = watched ?? {};
  return {
    metrics: prometheus !== undefined,
    saturation: prometheus?.saturation !== undefined,
    health: health.length > 0,
  };
}

export function createSampling(sources: Sources): TakeSample {
  return async (look, signal) => {
    const { repository, environment, from, to, weight } = look;
    const watched = sources.repositories[`${repository.owner}/${repository.name}`.toLowerCase()]?.[environment];
    const [metrics, looks] = await Promise.all([
      watched?.prometheus ? readMetrics(watched.prometheus, sources.secretAt, look, signal) : [],
      Promise.all(
        (watched?.health ?? []).map(({ url, token, version, probes, timeout_seconds }) => {
          const headers = bearer(token, sources.secretAt);
          return lookAtHealth(
            { url, headers, version, probes, timeoutMs: timeout_seconds * 1000 },
            look.version,
            signal,
          );
        }),
      ),
    ]);
    const at = to;
    return { at, from, to, weight, metrics, ...defined({ health: looks.length > 0 ? joinLooks(looks) : undefined }) };
  };
}

function bearer(token: SecretPlace | undefined, secretAt: Sources["secretAt"]): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${secretAt(token)}` };
}

async function readMetrics(
  settings: PrometheusSettings,
  secretAt: Sources["secretAt"],
  look: Look,
  signal: AbortSignal | undefined,
): Promise<Measured[]> {
  const { url, headers, token, timeout_seconds } = settings;
  const server = { url, headers: { ...headers, ...bearer(token, secretAt) }, timeoutMs: timeout_seconds * 1000 };
  const [to, length] = [seconds(look.to), Math.max(1, Math.round(seconds(look.to) - seconds(look.from)))];
  const end = look.baseline === "before" ? seconds(look.since) : to;
  const own = ownQueries(settings, look.queries);
  const side = (version: string | undefined, until: number) =>
    version === undefined
      ? undefined
      : readSide(server, settings, own, version, { from: until - length, to: until }, signal);
  const [canary, control] = await Promise.all([
    side(look.version, to),
    look.baseline === "none" ? undefined : side(look.before, end),
  ]);
  const baseline = control === undefined ? "none" : look.baseline;
  const nothing: Reading = { is: "none", why: "no_data", detail: "there is nothing to compare it with" };
  const bad = (metric: string) =>
    own.find(({ name }) => name === metric)?.bad ?? (metric === "throughput" ? "down" : "up");
  const known = [...(canary ?? [])].map(([metric, reading]): Measured => {
    return { metric, bad: bad(metric), canary: reading, control: control?.get(metric) ?? nothing, baseline };
  });
  const unknown: Reading = { is: "none", why: "not_written" };
  const missing = look.queries.filter((name) => !Object.hasOwn(settings.queries, name));
  return [
    ...known,
    ...missing.map((metric): Measured => ({ metric, bad: "up", canary: unknown, control: unknown, baseline })),
  ];
}

interface OwnQuery {
  readonly name: string;
  readonly query: string;
  readonly bad: Measured["bad"];
}

/** Of the queries that the operator wrote, those that the repository asks for. */
function ownQueries({ saturation, queries }: PrometheusSettings, wanted: readonly string[]): OwnQuery[] {
  return [
    ...(saturation === undefined ? [] : [{ name: "saturation", query: saturation, bad: "up" } as const]),
    ...wanted.flatMap((name) => {
      const query = Object.hasOwn(queries, name) ? queries[name] : undefined;
      return query ? [{ name, ...query }] : [];
    }),
  ];
}

/** All readings of one version in one window, by metric. */
async function readSide(
  server: PrometheusServer,
  { names }: PrometheusSettings,
  own: readonly Pick<OwnQuery, "name" | "query">[],
  version: string,
  window: Window,
  signal: AbortSignal | undefined,
): Promise<Map<string, Reading>> {
  const length = window.to - window.from;
  const queries = builtInQueries(names, version, length);
  const one = (promql: string) => query(server, promql, window, signal);
  const [requests, errors, observed, ...quantiles] = await Promise.all([
    one(queries.requests),
    one(queries.errors),
    one(queries.observed),
    ...[0.5, 0.95, 0.99].map((quantile) => one(queries.quantile(quantile))),
  ]);
  const silent =
    requests?.is === "none" && requests.why === "no_data" ? await whySilent(one, queries.newest, window) : undefined;
  const readings = new Map<string, Reading>([
    ["errors", silent ?? countsOf(requests!, errors!)],
    ["throughput", silent ?? rateOf(requests!, length)],
  ]);
  for (const [index, name] of (["latency_p50", "latency_p95", "latency_p99"] as const).entries()) {
    readings.set(name, latencyOf(quantiles[index]!, observed!, names.duration_ms));
  }
  await Promise.all(
    own.map(async ({ name, query: promql }) => {
      const filled = fillIn(promql, version, Math.min(length, Math.max(SHORTEST_SECONDS, Math.round(length / PARTS))));
      readings.set(name, await queryRange(server, filled, window, PARTS, signal));
    }),
  );
  return readings;
}

type OneReading = Awaited<ReturnType<typeof query>>;

/** A version that once was there and says nothing now is stale; one that nobody ever saw has no data. */
async function whySilent(
  one: (promql: string) => Promise<OneReading>,
  newest: string,
  { to }: Window,
): Promise<Reading | undefined> {
  const last = await one(newest);
  if (last.is === "none") return last.why === "no_data" ? undefined : last;
  return { is: "none", why: "stale", detail: `its newest number is ${Math.round(to - last.value)} s old` };
}

/** A service without failures has no series of failures: that is none, where its requests are known. */
function countsOf(requests: OneReading, errors: OneReading): Reading {
  if (requests.is === "none") return requests;
  if (errors.is === "none" && errors.why !== "no_data") return errors;
  const failed = errors.is === "none" ? 0 : errors.value;
  if (requests.value < 0 || failed < 0) return { is: "none", why: "not_a_number", detail: "a negative count" };
  // Both are estimates of their own.
  return { is: "counts", requests: requests.value, errors: Math.min(failed, requests.value) };
}

function rateOf(requests: OneReading, length: number): Reading {
  if (requests.is === "none") return requests;
  if (requests.value < 0) return { is: "none", why: "not_a_number", detail: "a negative count" };
  return { is: "value", value: requests.value / length, of: requests.value };
}

/** In milliseconds. */
function latencyOf(quantile: OneReading, observed: OneReading, unit: number): Reading {
  if (observed.is === "value" && observed.value === 0)
    return { is: "none", why: "no_data", detail: "no requests in this time" };
  if (quantile.is === "none") return quantile;
  if (quantile.value < 0) return { is: "none", why: "not_a_number", detail: "a negative duration" };
  const of = observed.is === "value" && observed.value >= 0 ? observed.value : undefined;
  return { is: "value", value: quantile.value * unit, ...defined({ of }) };
}

function seconds(at: string): number {
  return Date.parse(at) / 1000;
}
