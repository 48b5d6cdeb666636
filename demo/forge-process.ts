import { type ChildProcess, execFile, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { StoryFailed } from "./expect.ts";
import type { Place } from "./place.ts";
import { until } from "./until.ts";

const run = promisify(execFile);
/** The program, as `npm start` starts it. */
export const FORGE = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const READY_MS = 120_000;
/** Longer than Forge takes to give back its work; a process that is not gone by then is ended. */
const STOP_MS = 8_000;

export interface ForgeProcess {
  readonly address: string;
  /** Rejects when Forge ends before it was asked to; never resolves. */
  readonly died: Promise<never>;
  /** `forge <args>` next to the running one, as its operator would type it. Resolves with what it prints; rejects where it fails. */
  command(...args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
  /** At once and without waiting, the processes that Forge started included. */
  kill(): void;
  /** Ends the process alone and at once, as a crash would; resolves when it is gone. */
  crash(): Promise<void>;
}

/**
 * Forge as a user starts it: its own process, which gets everything from `variables` and nothing from the environment or an `.env` of the user who runs
 * the demo. Resolves when it takes work.
 * @throws StoryFailed when it ends or is not ready in time.
 */
export async function startForge(
  place: Place,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ForgeProcess> {
  const log = openSync(place.logFile, "a");
  const cwd = place.directory;
  // A sandbox that was fetched for this user lies in the cache folder of the user's home.
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, TMPDIR: cwd, XDG_CACHE_HOME: cache, ...variables };
  const child = spawn(process.execPath, [FORGE, "start"], {
    cwd,
    env,
    stdio: ["ignore", log, log],
    // A group of its own: Ctrl-C reaches the demo alone, which then stops Forge as it should be stopped.
    detached: true,
  });
  closeSync(log);
  const { died, stop, kill, crash } = groupOf(child);
  const address = `http://127.0.0.1:${variables.PORT}`;
  const forge: ForgeProcess = {
    address,
    died,
    command: async (...args) => (await run(process.execPath, [FORGE, ...args], { cwd, env, signal })).stdout,
    ...{ kill, crash, stop },
  };
  try {
    await until("Forge is ready", () => isReady(address), { signal, limitMs: READY_MS, unless: died });
  } catch (error) {
    forge.kill();
    throw error;
  }
  return forge;
}

/** Whether Forge takes work there. */
export async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/readyz`)).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}

/** A process of Forge in a group of its own. What it says by its end, and how it is ended. */
export function groupOf(child: ChildProcess): Pick<ForgeProcess, "died" | "stop" | "kill" | "crash"> {
  let stopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const died = ended.then(() => {
    if (stopping) return new Promise<never>(() => {});
    throw new StoryFailed(`Forge ended by itself, with ${child.exitCode ?? child.signalCode ?? "no process"}`);
  });
  // Code that waits for something races against it; between two waits nobody listens.
  died.catch(() => {});
  return {
    died,
    kill: () => {
      stopping = true;
      killGroup(child);
    },
    crash: async () => {
      stopping = true;
      child.kill("SIGKILL");
      await ended;
    },
    stop: async () => {
      stopping = true;
      child.kill("SIGTERM");
      const impatient = setTimeout(() => killGroup(child), STOP_MS);
      await ended;
      clearTimeout(impatient);
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // Gone already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
