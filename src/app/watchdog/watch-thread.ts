import { write } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { endProcess } from "./end-process.ts";
import { logLine } from "./log-line.ts";
import { countTick, type Stillness } from "./still-ticks.ts";
import { BEATS, DEBUGGED, type Tidings, type WatchThreadData } from "./watch-protocol.ts";
import { whereItHangs } from "./where-it-hangs.ts";

/*
 * The thread that watches the main loop. It imports nothing of Forge but its neighbors, so it takes no time to load and has no reason to
 * hang itself.
 */

const TICK_MS = 1_000;
/** How long a standard output may take that nobody reads: the main loop may hang for exactly that reason. */
const WRITE_MS = 1_000;

const { shared, limit, code, isSilent } = workerData as WatchThreadData;
const running = new Map<number, object>();
let seen: Stillness = { beats: -1, ticks: 0 };

parentPort?.on("message", (tidings: Tidings) => {
  if ("began" in tidings) running.set(tidings.began, tidings.job);
  else running.delete(tidings.ended);
});

const ticking = setInterval(() => {
  seen = countTick(seen, Atomics.load(shared, BEATS));
  // A person who debugs Forge has stopped it.
  if (seen.ticks < limit || Atomics.load(shared, DEBUGGED) === 1) return;
  clearInterval(ticking);
  void end();
}, TICK_MS);

async function end(): Promise<void> {
  if (!isSilent) {
    const facts = { seconds: limit, jobs: [...running.values()], at: await whereItHangs() };
    await say(
      logLine("fatal", facts, `forge hangs: the main loop did not turn, and the process ends with code ${code}`),
    );
  }
  endProcess(code);
}

/** On standard output, as the log. It waits on another thread, since this one must not hang as well. */
function say(line: string): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, WRITE_MS);
    write(1, line, () => resolve());
  });
}
