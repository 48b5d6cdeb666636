// Loaded before Forge by `node --import`: measures for how long the main thread keeps other work of the process waiting, and tells the
// parent when it asks. Forge itself knows nothing of it.
import { openSync, readSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** What one turn of the event loop took at most since somebody asked, in milliseconds. */
export interface Turns {
  /** Processor time of the main thread: that the machine is busy with other programs is not counted. */
  readonly busyMs: number;
  /** Asleep within a turn, for a disk or for a program that it waited for; waiting for a processor is not counted. */
  readonly asleepMs: number;
}

const LOOK_EVERY_MS = 5;

/** The kernel's account of the main thread: how long it ran and how long it waited for a processor; zeros where there is none. */
function openAccount(): () => readonly [ranMs: number, waitedMs: number] {
  const buffer = Buffer.alloc(128);
  try {
    const file = openSync("/proc/thread-self/schedstat", "r");
    return () => {
      const [ran = 0, waited = 0] = buffer
        .toString("latin1", 0, readSync(file, buffer, 0, 128, 0))
        .split(" ")
        .map(Number);
      return [ran / 1e6, waited / 1e6];
    };
  } catch {
    return () => [0, 0];
  }
}

function watchTurns(): () => Turns {
  const account = openAccount();
  let busyMs = 0;
  let asleepMs = 0;
  let before = { at: performance.now(), used: process.threadCpuUsage(), waitedMs: account()[1] };
  const look = () => {
    const used = process.threadCpuUsage();
    const waitedMs = account()[1];
    const at = performance.now();
    const busy = (used.user + used.system - before.used.user - before.used.system) / 1000;
    busyMs = Math.max(busyMs, busy);
    asleepMs = Math.max(asleepMs, at - before.at - busy - (waitedMs - before.waitedMs) - LOOK_EVERY_MS);
    before = { at, used, waitedMs };
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  return () => {
    look();
    const turns = { busyMs: Math.round(busyMs), asleepMs: Math.round(asleepMs) };
    [busyMs, asleepMs] = [0, 0];
    return turns;
  };
}

// Programs that Forge starts inherit the option, and are nobody's business here.
if (process.argv[2] === "start" && isMainThread) {
  const turns = watchTurns();
  process.on("message", () => process.send?.(turns()));
  // Listening to the parent must not keep Forge alive.
  process.channel?.unref();
}
