import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { STARTED } from "../../needs/started.ts";
import { familyOf, isAlive, mainThreadMs, residentBytes, type Seen, unmappedBytes } from "./processes.ts";
import type { Turns } from "./stopwatch.ts";

const MAIN = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
const STOPWATCH = new URL("./stopwatch.ts", import.meta.url).href;
const FOLDER = fileURLToPath(new URL("../../..", import.meta.url));

/** To look through all processes of the machine takes 10 ms. */
const LOOK_EVERY_MS = 250;
/** Whoever is silent for so long answers no more: no measure, only an end to the waiting. */
const SILENT_MS = 300_000;

/** What was seen of it from outside since somebody asked. */
export interface Watched extends Turns {
  /** Processor time of the main thread until `/healthz` answered, at most. */
  readonly healthMs: number;
  /** Resident memory of the server itself, and of it and all that it started, at most. */
  readonly ownBytes: number;
  readonly familyBytes: number;
  /** By how much more the machine holds in its kernel and in files in memory. */
  readonly unmappedBytes: number;
  /** What else went wrong: no answer, another answer, an end. */
  readonly faults: readonly string[];
}

/** Forge as it runs in production, `node src/main.ts start`, and somebody who looks at it from outside all the time. */
export interface WatchedProgram {
  readonly pid: number;
  isAlive(): boolean;
  output(): string;
  /** Everything that it ever started, as far as it was seen. */
  started(): readonly Seen[];
  /** And begins anew. */
  watched(): Promise<Watched>;
  /** By SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Resolves when it takes webhooks. Throws with its output when it ends before or never does. */
export async function startProgram(variables: Readonly<Record<string, string>>, port: number): Promise<WatchedProgram> {
  const child = spawn(process.execPath, ["--import", STOPWATCH, MAIN, "start"], {
    cwd: FOLDER,
    env: { ...STARTED, ...variables },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = once(child, "exit");
  // Whoever interrupts the tests leaves no process behind.
  const endWithParent = () => child.kill("SIGKILL");
  process.once("exit", endWithParent);
  const pid = child.pid!;
  const lives = () => child.exitCode === null && child.signalCode === null;
  const address = `http://127.0.0.1:${port}`;
  await untilReady(`${address}/readyz`, lives).catch(async (error: Error) => {
    child.kill("SIGKILL");
    await ended;
    throw new Error(`${error.message}:\n${output.slice(-3_000)}`);
  });

  const started = new Map<string, Seen>();
  let worst = nothingSeen();
  let unmappedBefore = unmappedBytes();
  let stopped = false;
  const look = () => {
    const family = familyOf(pid);
    for (const each of family) if (each.pid !== pid) started.set(`${each.pid} ${each.began}`, each);
    const bytes = family.map((each) => [each.pid, residentBytes(each)] as const);
    worst.unmappedBytes = Math.max(worst.unmappedBytes, unmappedBytes() - unmappedBefore);
    worst.ownBytes = Math.max(worst.ownBytes, bytes.find(([of]) => of === pid)?.[1] ?? 0);
    worst.familyBytes = Math.max(worst.familyBytes, sum(bytes.map(([, each]) => each)));
  };
  const askHealth = async () => {
    const before = mainThreadMs(pid);
    const fault = await askOnce(`${address}/healthz`);
    if (stopped) return;
    worst.healthMs = Math.max(worst.healthMs, mainThreadMs(pid) - before);
    if (fault) worst.faults.push(lives() ? `/healthz: ${fault}` : "it ended by itself");
  };
  const watching = (async () => {
    while (!stopped && lives()) {
      look();
      await askHealth();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  const askTurns = () =>
    new Promise<Turns | undefined>((resolve) => {
      const giveUp = setTimeout(() => resolve(undefined), SILENT_MS);
      child.once("message", (turns) => {
        clearTimeout(giveUp);
        resolve(turns as Turns);
      });
      child.send("turns", (error) => error && resolve(undefined));
    });
  // What loading took is no turn of a running server.
  await askTurns();
  return {
    pid,
    isAlive: lives,
    output: () => output,
    started: () => [...started.values()].filter(isAlive),
    watched: async () => {
      look();
      const turns = lives() ? await askTurns() : undefined;
      const faults = turns
        ? worst.faults
        : [...worst.faults, lives() ? "its main thread answers no more" : "it has ended"];
      const seen = { ...worst, ...(turns ?? { busyMs: 0, asleepMs: 0 }), faults };
      worst = nothingSeen();
      unmappedBefore = unmappedBytes();
      return seen;
    },
    kill: async () => {
      look();
      stopped = true;
      child.kill("SIGKILL");
      await ended;
      process.off("exit", endWithParent);
      await watching;
    },
  };
}

function nothingSeen() {
  return { healthMs: 0, ownBytes: 0, familyBytes: 0, unmappedBytes: 0, faults: [] as string[] };
}

function sum(all: readonly number[]): number {
  return all.reduce((total, each) => total + each, 0);
}

/** What is wrong with the answer; undefined when nothing is. */
async function askOnce(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(SILENT_MS) });
    await answer.text();
    return answer.ok ? undefined : `answered ${answer.status}`;
  } catch (error) {
    return (error as Error).name === "TimeoutError" ? "no answer" : `refused: ${(error as Error).message}`;
  }
}

async function untilReady(url: string, lives: () => boolean): Promise<void> {
  const deadline = Date.now() + 2 * SILENT_MS;
  while (lives()) {
    if ((await askOnce(url)) === undefined) return;
    if (Date.now() > deadline) throw new Error("it never takes webhooks");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it ended while it started");
}
