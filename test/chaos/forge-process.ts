import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DIE, MAY_I_DIE, ORDER_VARIABLE, type Order, type Point } from "./points.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const PRELOAD = new URL("./preload.ts", import.meta.url).href;
const FOLDER = fileURLToPath(new URL("../..", import.meta.url));

/** Forge as it runs in production: a process of its own, `node src/main.ts start`. */
export interface ForgeProcess {
  readonly child: ChildProcess;
  readonly watched: boolean;
  /** What it wrote to its log and its error output. */
  readonly output: () => string;
  /** Points that were reached since it started or was last ordered; empty without the preload. */
  readonly reached: () => readonly Point[];
  /** Resolves when it counts by this order, or has died: by the order before, perhaps, while this one was on its way. */
  order(order: Order): Promise<void>;
  /** Resolves when it has ended, with its exit code or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  isAlive(): boolean;
}

export interface StartOptions {
  readonly variables: Readonly<Record<string, string>>;
  /** Whether its writes are watched. */
  readonly watched?: boolean;
  readonly order?: Order;
  /** With an order that asks: resolves when the process may die. At once if left out. */
  readonly mayDie?: () => Promise<void>;
  /** Web and worker in one when left out. */
  readonly role?: "worker";
}

export function spawnForge({ variables, watched = true, order, mayDie, role }: StartOptions): ForgeProcess {
  const child = spawn(
    process.execPath,
    [...(watched ? ["--import", PRELOAD] : []), MAIN, "start", ...(role ? ["--role", role] : [])],
    {
      cwd: FOLDER,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        // It is started dozens of times: what was compiled once is kept.
        NODE_COMPILE_CACHE: join(tmpdir(), "forge-chaos-compiled"),
        ...variables,
        ...(order ? { [ORDER_VARIABLE]: JSON.stringify(order) } : {}),
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  let reached: Point[] = [];
  let obeyed = () => {};
  child.on("message", (message) => {
    if (message === "obeyed") obeyed();
    else if (message === MAY_I_DIE) void Promise.resolve(mayDie?.()).then(() => child.send(DIE, () => {}));
    else reached.push(message as Point);
  });
  const ended = once(child, "exit").then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  // Whoever interrupts the tests leaves no process behind.
  const endWithParent = () => child.kill("SIGKILL");
  process.once("exit", endWithParent);
  void ended.then(() => process.off("exit", endWithParent));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    child,
    watched,
    output: () => output,
    reached: () => reached,
    order: async (next) => {
      const heard = new Promise<void>((resolve) => {
        obeyed = () => {
          reached = [];
          resolve();
        };
      });
      // Whoever is dead hears nothing, and the callback says so too.
      if (child.connected) child.send(next, () => {});
      await Promise.race([heard, ended]);
    },
    ended,
    isAlive,
  };
}

/** Resolves when Forge takes webhooks. Throws with its output when it ends before. */
export async function untilReady(forge: ForgeProcess, port: number): Promise<void> {
  while (forge.isAlive()) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Forge ended while it started:\n${forge.output()}`);
}
