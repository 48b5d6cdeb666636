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

/**
 * Asks all sources once and at the same time: each Prometheus whether it has the service's metrics with their label for the version, each
 * health address for an answer. Answers come in the order of the file.
 */
export function reachSources(sources: Sources): Promise<Reached[]> {
  const asked = Object.entries(sources.repositories).flatMap(([name, environments]) =>
    Object.entries(environments).flatMap(([environment, watched]) => {
      const one = async (what: string, answer: Promise<Omit<Reached, "of">>) => ({
        of: `${name} ${environment}: ${what}`,
        ...(await answer),
      });
      const { prometheus, health = [] } = watched ?? {};
      return [
        ...(prometheus ? [one("Prometheus", reachPrometheus(prometheus, sources))] : []),
        ...health.map((each) => one("health", reachHealth(each, sources))),
      ];
    }),
  );
  return Promise.all(asked);
}

/** An address as it is shown: what it asks may hold a key. */
function shown(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname === "/" && !address.endsWith("/") ? "" : pathname}${search === "" ? "" : "?…"}`;
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
  if (answer.is === "none") return { state: "wrong", detail: `${shown(url)}: ${answer.detail}` };
  const labels = Object.entries(names.labels).map(([label, value]) => `${label}="${insideString(value)}"`);
  const found = await one(`count(${names.requests}{${[...labels, `${names.version}!=""`].join(",")}})`);
  if (found.is === "value") return { state: "ok", detail: `${shown(url)} has ${names.requests} by ${names.version}` };
  const detail = `${shown(url)} answers, and has no ${names.requests} with the label ${names.version}: ${found.detail}`;
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
  if (answer.is === "none") return { state: "wrong", detail: `${shown(url)}: ${answer.detail}` };
  const healthy = answer.status >= 200 && answer.status <= 299;
  return { state: healthy ? "ok" : "warning", detail: `${shown(url)} answers ${answer.status}` };
}
