import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../simulator/free-port.ts";
import { startProgram } from "./program.ts";
import { type Router, type Share, SLOTS } from "./router.ts";

const READY_MS = 10_000;
const LOOK_EVERY_MS = 20;

/**
 * HAProxy as companies run it: weights are changed while it runs, by its own socket.
 * @throws Error with what it says when it does not start
 */
export async function startHaproxy(file: string, folder: string, environments: readonly string[]): Promise<Router> {
  await mkdir(folder, { recursive: true });
  const socket = join(folder, "haproxy.sock");
  const ports = new Map<string, number>();
  for (const environment of environments) ports.set(environment, await freePort());
  const configuration = join(folder, "haproxy.cfg");
  await writeFile(configuration, configure(socket, ports));
  const program = startProgram(file, ["-db", "-f", configuration]);
  const slots = new Map(environments.map((name) => [name, new Array<number | undefined>(SLOTS).fill(undefined)]));
  const router: Router = {
    kind: "haproxy",
    address: (environment) => `http://127.0.0.1:${ports.get(environment)}`,
    route: async (environment, shares) => {
      const before = slots.get(environment) ?? [];
      const now = seat(before, shares);
      slots.set(environment, now);
      await say(
        socket,
        now.flatMap((port, at) => commands(`${environment}/s${at}`, { port, was: before[at], shares })),
      );
    },
    stop: () => program.stop(),
    kill: () => program.kill(),
  };
  try {
    await until(() => say(socket, ["show version"]));
  } catch (error) {
    router.kill?.();
    throw new Error(`HAProxy does not start: ${program.said()}`, { cause: error });
  }
  return router;
}

function configure(socket: string, ports: ReadonlyMap<string, number>): string {
  const slots = Array.from({ length: SLOTS }, (_, at) => `  server s${at} 127.0.0.1:1 weight 1 disabled`);
  const proxies = [...ports].flatMap(([name, port]) => [
    ...[`frontend ${name}`, `  bind 127.0.0.1:${port}`, `  default_backend ${name}`],
    ...[`backend ${name}`, "  balance roundrobin", ...slots],
  ]);
  return `${[
    "global",
    `  stats socket ${socket} mode 600 level admin`,
    "  nbthread 1",
    "  hard-stop-after 2s",
    "defaults",
    "  mode http",
    ...["connect 2s", "client 30s", "server 30s"].map((each) => `  timeout ${each}`),
    ...proxies,
  ].join("\n")}\n`;
}

/** Every version keeps its place, and a new one gets a free one. */
function seat(before: readonly (number | undefined)[], shares: readonly Share[]): (number | undefined)[] {
  const wanted = shares.map(({ port }) => port);
  const fresh = wanted.filter((port) => !before.includes(port));
  return before.map((port) => (port !== undefined && wanted.includes(port) ? port : fresh.shift()));
}

interface Seat {
  readonly port: number | undefined;
  readonly was: number | undefined;
  readonly shares: readonly Share[];
}

function commands(server: string, { port, was, shares }: Seat): string[] {
  if (port === undefined) return was === undefined ? [] : [`set server ${server} state maint`];
  const percent = shares.find((share) => share.port === port)?.percent ?? 0;
  const weight = `set weight ${server} ${percent}`;
  if (port === was) return [weight];
  return [`set server ${server} addr 127.0.0.1 port ${port}`, weight, `set server ${server} state ready`];
}

/** @throws Error with the answer of HAProxy when it refuses */
async function say(path: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const socket = connect(path);
  await once(socket, "connect");
  let answer = "";
  socket.on("data", (data) => {
    answer += data.toString();
  });
  socket.end(`${lines.join(";")}\n`);
  await once(socket, "close");
  const refused = answer.split("\n").find((line) => /unknown|invalid|require|no such|not allowed/i.test(line));
  if (refused) throw new Error(`HAProxy refuses ${lines.join("; ")}: ${refused}`);
}

async function until(attempt: () => Promise<void>): Promise<void> {
  const end = performance.now() + READY_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(LOOK_EVERY_MS);
    }
  }
}
