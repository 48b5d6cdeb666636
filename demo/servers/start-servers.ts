import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { StoryFailed } from "../expect.ts";
import type { Running } from "../lifetime.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const STOP_MS = 5_000;

export interface ServersStart {
  /** Its own, gone at the end. */
  readonly folder: string;
  /** Of the service, a bare repository. */
  readonly gitDirectory: string;
  /** Requests a second by environment: of customers, or of a user who tries it. */
  readonly load: Readonly<Record<string, number>>;
}

/** What a version says of an error of its own. */
export interface ReportedError {
  readonly version: string;
  readonly environment: string;
  readonly path: string;
  readonly name: string;
  readonly message: string;
  /** With paths as the repository has them. */
  readonly stack: string;
}

interface Ready {
  /** Where it gets what to deploy. */
  readonly control: string;
  readonly router: "haproxy" | "node";
  readonly metrics: "prometheus" | "reader";
  /** Of what answers as Prometheus does. */
  readonly metricsAddress: string;
  /** Of the service, by environment. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** The company's servers, told what to do over HTTP. */
export interface ServersProcess extends Running, Ready {
  /** Starts a version and gives it its share of the requests. @throws Error with why that cannot be done */
  deploy(environment: string, sha: string, percentage: number): Promise<void>;
  /** What customers were answered, by version and status code: "3f2c1ab… 200". */
  counts(environment: string): Promise<Readonly<Record<string, number>>>;
  kill(): void;
}

/**
 * Starts them as a process of their own, so that what customers ask is asked evenly whatever the demo does meanwhile.
 * @throws StoryFailed when they do not start
 */
export async function startServers(
  start: ServersStart,
  onError: (error: ReportedError) => void = () => {},
): Promise<ServersProcess> {
  const child = fork(MAIN, [JSON.stringify(start)], {
    env: { PATH: process.env.PATH, TMPDIR: start.folder },
    // A group of its own: Ctrl-C reaches the demo alone, which then ends it as it should be ended.
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  const ready = new Promise<Ready>((resolve) =>
    child.on("message", (message: { readonly ready?: Ready; readonly error?: ReportedError }) => {
      if (message.ready) resolve(message.ready);
      if (message.error) onError(message.error);
    }),
  );
  const fail = ended.then(() => {
    throw new StoryFailed("the servers of the demo do not start");
  });
  fail.catch(() => {});
  const known = await Promise.race([ready, fail]);
  return {
    ...known,
    deploy: async (environment, sha, percentage) => {
      const body = JSON.stringify({ environment, sha, percentage });
      const response = await fetch(`${known.control}/deploy`, { method: "POST", body });
      if (!response.ok) throw new Error(((await response.json()) as { readonly error: string }).error);
    },
    counts: async (environment) => {
      const response = await fetch(`${known.control}/counts/${environment}`);
      return (await response.json()) as Record<string, number>;
    },
    stop: async () => {
      child.kill("SIGTERM");
      const impatient = setTimeout(() => killGroup(child), STOP_MS);
      await ended;
      clearTimeout(impatient);
    },
    kill: () => killGroup(child),
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // Gone already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
