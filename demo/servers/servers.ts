import { join } from "node:path";
import { freePort } from "../../simulator/free-port.ts";
import type { Running } from "../lifetime.ts";
import { startHaproxy } from "./haproxy.ts";
import { type Counts, startLoad } from "./load.ts";
import type { Metrics } from "./metrics.ts";
import { startMetricsReader } from "./metrics-reader.ts";
import { startNodeRouter } from "./node-router.ts";
import { findProgram } from "./program.ts";
import { startPrometheus } from "./prometheus.ts";
import { type Router, type Share, SLOTS } from "./router.ts";
import type { ServersStart } from "./start-servers.ts";
import { createVersions, type Version } from "./versions.ts";

/** What is deployed, and where to. */
export interface Deploying {
  readonly environment: string;
  readonly sha: string;
  /** Of requests to the environment; the others stay with what runs there. */
  readonly percentage: number;
}

interface ServersOptions extends ServersStart {
  /** Where versions report their errors. */
  readonly errorsUrl: string;
}

/** The servers of a company: a service in several environments, with a router before each, and everything that is measured of it. */
export interface Servers extends Running {
  readonly router: Router["kind"];
  readonly metrics: Metrics["kind"];
  /** Of what answers as Prometheus does. */
  readonly metricsAddress: string;
  address(environment: string): string;
  /** Starts that version and gives it its share. Resolves when it has it. */
  deploy(deploying: Deploying): Promise<void>;
  /** What customers were answered, by version and status code. */
  counts(environment: string): Counts;
  kill(): void;
}

/** HAProxy and Prometheus where they are installed (Debian's packages of these names), and otherwise parts of ours that do the same. */
export async function startServers({ folder, gitDirectory, load, errorsUrl }: ServersOptions): Promise<Servers> {
  const environments = Object.keys(load);
  const [haproxy, prometheus] = [findProgram("haproxy"), findProgram("prometheus")];
  const ports: Record<string, number[]> = {};
  for (const environment of environments) {
    ports[environment] = [];
    for (let slot = 0; slot < SLOTS; slot += 1) ports[environment].push(await freePort());
  }
  const targets = Object.entries(ports).flatMap(([environment, all]) => all.map((port) => ({ port, environment })));
  const [router, metrics] = await Promise.all([
    haproxy === undefined ? startNodeRouter(environments) : startHaproxy(haproxy, join(folder, "router"), environments),
    prometheus === undefined
      ? startMetricsReader(targets)
      : startPrometheus(prometheus, join(folder, "metrics"), targets),
  ]);
  const versions = createVersions({ folder: join(folder, "versions"), gitDirectory, ports, errorsUrl });
  const shares = new Map<string, readonly (Version & Share)[]>();
  const customers = new Map<string, ReturnType<typeof startLoad>>();
  let turn: Promise<void> = Promise.resolve();

  async function deploy({ environment, sha, percentage }: Deploying): Promise<void> {
    const before = shares.get(environment) ?? [];
    const version = await versions.start(environment, sha);
    const others = before.filter((each) => each.sha !== sha).sort((a, b) => b.percent - a.percent);
    const stays = percentage < 100 ? others.slice(0, 1) : [];
    const now = [
      { ...version, percent: stays.length > 0 ? percentage : 100 },
      ...stays.map((each) => ({ ...each, percent: 100 - percentage })),
    ];
    await router.route(environment, now);
    shares.set(environment, now);
    for (const gone of others.slice(stays.length)) await versions.end(environment, gone.sha);
    if (!customers.has(environment))
      customers.set(
        environment,
        startLoad(router.address(environment), { perSecond: load[environment] ?? 0, seed: 1 }),
      );
  }

  const stopCustomers = () => {
    for (const each of customers.values()) each.stop();
  };
  return {
    router: router.kind,
    metrics: metrics.kind,
    metricsAddress: metrics.address,
    address: (environment) => router.address(environment),
    // One after the other: two that change the same shares at once would lose one of them.
    deploy: (deploying) => {
      turn = turn.catch(() => {}).then(() => deploy(deploying));
      return turn;
    },
    counts: (environment) => customers.get(environment)?.counts ?? new Map(),
    stop: async () => {
      stopCustomers();
      await Promise.all([router.stop(), metrics.stop(), versions.stop()]);
    },
    kill: () => {
      stopCustomers();
      for (const each of [router, metrics, versions]) each.kill();
    },
  };
}
