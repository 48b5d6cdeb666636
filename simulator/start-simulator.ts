// A GitHub on this machine: App authentication, REST, GraphQL, git over HTTP and webhooks over real repositories.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeServer } from "./close-server.ts";
import type { Faults } from "./faults.ts";
import { type KeptApp, keepWorld, openKeptWorld } from "./keep-world.ts";
import type { Delivery, RecordedRequest } from "./log-records.ts";
import { administering } from "./people/administering.ts";
import { coding } from "./people/coding.ts";
import { deploying } from "./people/deploying.ts";
import { integrating } from "./people/integrating.ts";
import { looking } from "./people/looking.ts";
import { runningWorkflows } from "./people/running-workflows.ts";
import { seeding } from "./people/seeding.ts";
import { talking } from "./people/talking.ts";
import { createMatcher, type Description, readDescription } from "./referee/operations.ts";
import { createReferee, type RefereeFinding } from "./referee/referee.ts";
import { listen } from "./server.ts";
import { redeliver as sendAgain } from "./webhooks/deliver.ts";
import { untilIdle } from "./webhooks/queue.ts";
import { createWorld } from "./world.ts";

export interface SimulatorOptions {
  /** A free port when left out or 0. */
  readonly port?: number;
  /** Whether GitHub's descriptions are checked against; default true. */
  readonly referee?: boolean;
  /** How long an App may take to answer a webhook, in milliseconds; default 10,000, as GitHub. */
  readonly webhookTimeoutMs?: number;
  /** Folder for the repositories; a temporary one, removed at the end, when left out. */
  readonly root?: string;
  /** What time it is for deployments, in milliseconds since 1970; the real time when left out. */
  readonly clock?: () => number;
  /** A GitHub that was kept, to begin with; the Apps are those that will be asked something. */
  readonly kept?: { readonly folder: string; readonly apps: readonly KeptApp[] };
}

type People = ReturnType<typeof seeding> &
  ReturnType<typeof coding> &
  ReturnType<typeof talking> &
  ReturnType<typeof administering> &
  ReturnType<typeof integrating> &
  ReturnType<typeof deploying> &
  ReturnType<typeof runningWorkflows> &
  ReturnType<typeof looking>;

export interface Simulator extends People {
  /** "http://127.0.0.1:<port>": REST at /api/v3, GraphQL at /api/graphql, git at /<owner>/<name>.git */
  readonly origin: string;
  /** Without a referee: no findings, no requests. */
  readonly referee: { readonly findings: readonly RefereeFinding[]; readonly requests: number };
  readonly faults: Faults;
  readonly deliveries: readonly Delivery[];
  readonly requests: readonly RecordedRequest[];
  /** Sends a delivery again under its GUID. Throws when there is no such delivery. */
  redeliver(deliveryId: number): void;
  /** Writes all that it knows into a folder, for `kept`: without tokens, keys, faults and logs. Nothing may be going on. */
  keep(folder: string): Promise<void>;
  /** Resolves when every webhook was sent and answered, what these set off in turn on this side included. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

const WEBHOOK_TIMEOUT_MS = 10_000;

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "forge-simulator-")));
  await mkdir(root, { recursive: true });
  const description = readDescription<Description>("rest.json");
  const findOperation = createMatcher(description);
  const referee = options.referee === false ? null : createReferee(description, findOperation);
  const world = createWorld({
    root,
    webhookTimeoutMs: options.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS,
    findOperation,
    referee,
    clock: options.clock ?? Date.now,
  });
  if (options.kept) await openKeptWorld(world, options.kept.folder, options.kept.apps);
  const server = await listen(world, options.port ?? 0);

  function redeliver(deliveryId: number): void {
    const delivery = world.deliveries.find((each) => each.id === deliveryId);
    if (!delivery) throw new Error(`no delivery ${deliveryId} in the log`);
    sendAgain(world, delivery);
  }

  async function idle(): Promise<void> {
    // a push that is being received is about to cause webhooks
    await Promise.all(world.locks.values());
    await untilIdle(world.queue);
  }

  async function stop(): Promise<void> {
    world.stopping.abort();
    // Before the wait: a push whose client sends only a part of it is never received.
    const closed = closeServer(server);
    await idle();
    await closed;
    if (options.root === undefined) await rm(root, { recursive: true, force: true });
  }

  return {
    ...seeding(world),
    ...coding(world),
    ...talking(world),
    ...administering(world),
    ...integrating(world),
    ...deploying(world),
    ...runningWorkflows(world),
    ...looking(world),
    origin: world.origin,
    referee: referee ?? { findings: [], requests: 0 },
    faults: world.faults,
    deliveries: world.deliveries,
    requests: world.requests,
    redeliver,
    keep: (folder) => keepWorld(world, folder),
    idle,
    stop,
  };
}
