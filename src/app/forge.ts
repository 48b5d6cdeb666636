import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ProcessFacts } from "../dashboard/dashboard-dependencies.ts";
import { localPageRoute } from "../dashboard/local-page.ts";
import { dashboardRoute } from "../dashboard/open-dashboard.ts";
import type { SandboxState } from "../dashboard/words.ts";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { createIdMaker } from "../domain/ids.ts";
import { createAppClient } from "../github/app-client.ts";
import { createDeliveriesHost } from "../github/deliveries-host.ts";
import type { AcceptDelivery } from "../github/intake/delivery.ts";
import { feedbackRoute } from "../github/intake/feedback-doors.ts";
import { type Route, startHttpServer, WEBHOOK_PATH } from "../github/intake/http-server.ts";
import { createPersonHost } from "../github/person-host.ts";
import { createProjectHost } from "../github/project-host.ts";
import { type Meters, openMeters } from "../learning/meters.ts";
import { type Clock, systemClock } from "../queue/ports.ts";
import { startWorker } from "../queue/worker.ts";
import { openRedactor } from "../safety/redact.ts";
import { createEntry } from "../setup/entry.ts";
import { acceptDelivery } from "../store/inbox/accept-delivery.ts";
import { closeStore, openStore } from "../store/open-store.ts";
import { readInstance } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";
import { ownVersion } from "../workspace/own-version.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { openScratch } from "../workspace/scratch.ts";
import { type Config, secretsOf } from "./config.ts";
import { createDependencies } from "./dependencies.ts";
import { examineSandbox } from "./examine-sandbox.ts";
import { JOBS } from "./jobs.ts";
import { createMemoriesReader } from "./memories-reader.ts";
import { openProcessAi } from "./open-ai.ts";
import { metricsRoute, startMetricsServer } from "./serve-metrics.ts";
import { startChores } from "./start-chores.ts";
import { type Undo, undoAll } from "./undo-all.ts";
import { startWatchdog } from "./watchdog/start-watchdog.ts";

/** The next start removes the rest of the scratch folder. */
const SHUTDOWN_CLEARING_MS = 5_000;

export interface ForgeOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly role: "both" | "web" | "worker";
  /** The machine's own when left out. */
  readonly clock?: Clock;
  /** Whether a hang ends the process (OPS-7), as `config.hangSeconds` says. Only for a process that is Forge alone. */
  readonly endsHang?: boolean;
  /** Whether `startLines` tell a person the state of the sandbox, so that the log does not repeat it. */
  readonly printsStart?: boolean;
  /** Milliseconds after which a request to GitHub counts as unanswered; 30,000. */
  readonly requestTimeoutMs?: number;
}

export interface Forge {
  /** Where nobody can sign in: the link to the page of the process, for the person at the terminal. */
  readonly pageLink?: string;
  /** Where it listens; undefined for a worker. */
  readonly port: number | undefined;
  readonly store: Store;
  /** Ends everything. Later calls join the first. */
  stop(): Promise<void>;
}

/**
 * Builds every room and starts the roles.
 * @throws ForgeError when the database, the port or the configuration cannot be used; nothing is left running then.
 */
export async function startForge(options: ForgeOptions): Promise<Forge> {
  const stops: Undo[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= undoAll(stops));
  try {
    const built = await build(options, stops);
    return { ...built, stop };
  } catch (error) {
    // The error of the start says more than one of the stop.
    await stop().catch(() => undefined);
    throw error;
  }
}

async function build(options: ForgeOptions, stops: Undo[]) {
  const { config, log, role, clock = systemClock, requestTimeoutMs } = options;
  const now = () => clock.now().toISOString();
  const scratches = join(config.dataDirectory, "scratch");
  const mirrorRoot = join(config.dataDirectory, "mirrors");
  // The database may stand in the data folder, so the folders come first.
  await mkdir(mirrorRoot, { recursive: true });
  const scratchRoot = role === "web" ? scratches : await openScratch(scratches);
  if (role !== "web") stops.push(async () => void (await removeFolder(scratchRoot, { timeMs: SHUTDOWN_CLEARING_MS })));
  const redactor = openRedactor(secretsOf(config));
  const { redact } = redactor;
  const store = await openStore({
    ...config.database,
    redact,
    processName: `forge ${role}`,
    onListenerError: (error, event) => log.error({ err: error, event: event.type }, "a subscriber failed"),
  });
  stops.push(() => closeStore(store));
  // After the store, which may bring a large database up to date for as long as that takes; it ends before the store is closed.
  const watchdog =
    options.endsHang && config.hangSeconds > 0
      ? startWatchdog({ seconds: config.hangSeconds, redact, log })
      : undefined;
  if (watchdog) stops.push(watchdog.stop);
  let sandbox: SandboxState = "unknown";
  const tested = (state: SandboxState) => {
    sandbox = state;
  };
  if (role !== "web") void testSandbox(log, tested, options.printsStart);
  const client = createAppClient({
    appId: config.app.id,
    privateKey: config.app.privateKey,
    webhookSecret: config.webhookSecrets[0]!,
    apiUrl: config.github.apiUrl,
    log,
    now,
    redactor,
    ...defined({ requestTimeoutMs }),
  });
  const metrics = await openMetrics(options, store, now, stops);
  let port: number | undefined;
  let pageLink: string | undefined;
  if (role !== "worker") {
    const accept: AcceptDelivery = async (delivery) => {
      const acceptance = await acceptDelivery(store, delivery);
      metrics?.meters.accepted(delivery.event);
      return acceptance;
    };
    const doors = feedbackRoute({ sources: config.sources, accept, log, now: () => clock.now() });
    const facts: ProcessFacts = {
      dayLimitUsd: config.dayLimitUsd,
      hasModel: Boolean(config.models.anthropic ?? config.models.openai),
      models: [config.models.model, config.models.fastModel, config.models.fallbackModel].filter(
        (model) => model !== undefined,
      ),
      version: ownVersion(),
      asksAdvisories: config.advisories.osvUrl !== undefined || config.advisories.npmRegistryUrl !== undefined,
      sandbox: () => sandbox,
      rateLimits: client.rateLimits,
    };
    const pages = config.dashboard
      ? dashboardRoute({
          ...{ store, log, settings: config.dashboard, origin: config.github.origin, now: () => clock.now() },
          host: createPersonHost(config.github, config.dashboard),
          deliveries: createDeliveriesHost(client),
          readInstalled: createProjectHost(client, config.github),
          readMemories: createMemoriesReader({ store, client, redact, config, now }),
          process: facts,
        })
      : undefined;
    // Where nobody can sign in, the person at the terminal can look.
    const entry =
      !pages && options.printsStart && localHost(config.http.host) !== undefined ? createEntry(Date.now) : undefined;
    const local = entry && localPageRoute({ store, process: facts, now: () => clock.now() }, entry);
    const server = await startHttpServer({
      ...config.http,
      secrets: config.webhookSecrets,
      trustedProxies: config.trustedProxies,
      accept,
      routes: [...(metrics?.routes ?? []), doors, ...(pages ? [pages.route] : []), ...(local ? [local] : [])],
      now: () => clock.now(),
      ready: () => true,
      log,
    });
    port = server.port;
    const here = localHost(config.http.host);
    pageLink = entry && `http://${here}:${port}/?token=${entry.token}`;
    stops.push(() => server.stop(config.shutdownGraceMs));
    if (pages) stops.push(pages.stop);
  }
  if (role !== "web") {
    const { key, bornAt } = await readInstance(store, now());
    const ai = await openProcessAi(config, redact, store);
    const given = { store, client, redact, config, log, now, key, bornAt, scratchRoot, mirrorRoot, ai };
    const resources = { ...given, makeId: createIdMaker() };
    const dependencies = createDependencies(resources);
    const { concurrency } = config;
    const watch = watchdog?.watch;
    const worker = startWorker({ store, jobs: JOBS, dependencies, log, clock, concurrency, ...defined({ watch }) });
    stops.push(() => worker.stop({ graceMs: config.shutdownGraceMs }));
    stops.push(startChores(resources));
  }
  if (port !== undefined && config.webhookProxyUrl) {
    stops.push(await forwardWebhooks(config.webhookProxyUrl, port, log));
  }
  log.info({ role, ...defined({ port }), database: store.url.split("?")[0] }, "forge is running");
  return { port, store, ...defined({ pageLink }) };
}

/** Metrics on a port of their own, or as a route beside the webhooks; nothing where neither was asked for. */
async function openMetrics(
  { config, log }: ForgeOptions,
  store: Store,
  now: () => string,
  stops: Undo[],
): Promise<{ readonly meters: Meters; readonly routes: readonly Route[] } | undefined> {
  const { port, token } = config.metrics;
  if (port === undefined && token === undefined) return undefined;
  const meters = openMeters(store, now);
  stops.push(() => meters.close());
  const route = metricsRoute(meters, token);
  if (port === undefined) return { meters, routes: [route] };
  const server = await startMetricsServer({ host: config.http.host, port }, route, (err) =>
    log.error({ err }, "metrics could not be read"),
  );
  stops.push(() => server.stop());
  log.info({ port: server.port }, "metrics are served");
  return { meters, routes: [] };
}

/** The name by which this machine reaches what listens on a host; undefined where it does not by any of its own. */
function localHost(host: string): string | undefined {
  if (["0.0.0.0", "127.0.0.1", "localhost"].includes(host)) return "127.0.0.1";
  return host === "::" || host === "::1" ? "[::1]" : undefined;
}

/** Tests the sandbox before the first review needs it, and logs the result once: at a terminal, the lines of the start have it. */
async function testSandbox(log: Logger, tell: (state: SandboxState) => void, isPrinted = false): Promise<void> {
  try {
    const { state, detail, advice } = await examineSandbox();
    tell(state === "ok" ? "ok" : "broken");
    const level = state === "ok" ? "info" : "warn";
    log[isPrinted ? "debug" : level]({ detail, ...defined({ advice }) }, "sandbox tested");
  } catch (error) {
    log.error({ err: error }, "the sandbox could not be tested");
  }
}

/**
 * In development GitHub cannot reach this machine: a smee channel forwards its webhooks here (OPS-4). smee-client is a development
 * dependency, so it is looked for only when a channel is configured.
 */
async function forwardWebhooks(source: string, port: number, log: Logger): Promise<() => void> {
  const { SmeeClient } = await import("smee-client").catch((cause: unknown) => {
    throw new ForgeError(
      "smee_missing",
      "WEBHOOK_PROXY_URL is set, but smee-client is not installed: run npm install.",
      {
        source: "resource",
        recoverability: "manual",
        cause,
      },
    );
  });
  const target = `http://127.0.0.1:${port}${WEBHOOK_PATH}`;
  const client = new SmeeClient({
    source,
    target,
    logger: { info: (text: string) => log.info(text), error: (text: string) => log.error(text) },
  });
  await client.start();
  return () => void client.stop();
}
