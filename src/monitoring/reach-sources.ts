import { askSource } from "./ask-source.ts";
import type { Sources } from "./open-sources.ts";
import { query } from "./prometheus.ts";
import { insideString } from "./promql.ts";
import type { HealthSettings, PrometheusSettings, SecretPlace } from "./settings.ts";

/** How one source answered. */
export interface Reached {
  /** `acme/shop production: Prometheus` */
  readonly of: string;
  readonly state: "ok" | "warning" | "wrong";
  readonly detail: string;
}

const MOST_BYTES = 64 * 1024;
/** How old the newest number may be, in seconds. */
const NEWEST_SECONDS = 300;

/** Asks every source once: each Prometheus whether it has the service's metrics with their label for the version, each health address for an answer. */
export async function* reachSources(sources: Sources): AsyncGenerator<Reached, void, void> {
  for (const [name, environments] of Object.entries(sources.repositories)) {
    for (const [environment, watched] of Object.entries(environments)) {
      const at = `${name} ${environment}`;
      if (watched?.prometheus)
        yield { of: `${at}: Prometheus`, ...(await reachPrometheus(watched.prometheus, sources)) };
      for (const health of watched?.health ?? [])
        yield { of: `${at}: health`, ...(await reachHealth(health, sources)) };
    }
  }
}

function headersOf(token: SecretPlace | undefined, { secretAt }: Sources): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${secretAt(token)}` };
}

async function reachPrometheus(settings: PrometheusSettings, sources: Sources): Promise<Omit<Reached, "of">> {
  const { url, headers, token, timeout_seconds, names } = settings;
  const server = { url, headers: { ...headers, ...headersOf(token, sources) }, timeoutMs: timeout_seconds * 1000 };
  const to = Math.floor(Date.now() / 1000);
  const one = (promql: string) => query(server, promql, { from: to - NEWEST_SECONDS, to });
  const answer = await one("vector(1)");
  if (answer.is === "none") return { state: "wrong", detail: `${url}: ${answer.detail}` };
  const labels = Object.entries(names.labels).map(([label, value]) => `${label}="${insideString(value)}"`);
  const found = await one(`count(${names.requests}{${[...labels, `${names.version}!=""`].join(",")}})`);
  if (found.is === "value") return { state: "ok", detail: `${url} has ${names.requests} by ${names.version}` };
  const detail = `${url} answers, and has no ${names.requests} with the label ${names.version}: ${found.detail}`;
  return { state: "warning", detail };
}

async function reachHealth(settings: HealthSettings, sources: Sources): Promise<Omit<Reached, "of">> {
  const { url, token, timeout_seconds } = settings;
  const question = {
    url,
    headers: headersOf(token, sources),
    timeoutMs: timeout_seconds * 1000,
    mostBytes: MOST_BYTES,
  };
  const answer = await askSource(question);
  if (answer.is === "none") return { state: "wrong", detail: `${url}: ${answer.detail}` };
  const healthy = answer.status >= 200 && answer.status <= 299;
  return { state: healthy ? "ok" : "warning", detail: `${url} answers ${answer.status}` };
}
