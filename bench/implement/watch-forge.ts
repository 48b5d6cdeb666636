// Preloaded into the process of Forge (`node --import`): notes when which kind of work was under way and how busy the main thread was
// meanwhile. Forge itself is not changed. At the end it writes all of it to the file BENCH_WATCH.
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { Sqlite3Client } from "@libsql/client/sqlite3";
import type { Asked, Told } from "../../src/workspace/launcher.ts";
import { programOf } from "./program-of.ts";
import type { Kind, Stretch, Watched } from "./stretches.ts";

const modelOrigin = new URL(process.env.ANTHROPIC_BASE_URL ?? "http://nowhere.invalid").origin;
const underWay = new Map<Kind, number>();
const stretches: Stretch[] = [];
const names: Record<string, { times: number; ms: number }> = {};
let since = performance.now();
let loop = performance.eventLoopUtilization();
let processor = process.cpuUsage();
let processorAt = since;
const PROCESSOR_MS = 20;

/** Closes the stretch of time in which the same kinds of work were under way. */
function mark(): void {
  const now = performance.now();
  const loopNow = performance.eventLoopUtilization();
  // Asking takes a tenth of a millisecond: it would be a part of what is measured.
  const processorNow = now - processorAt < PROCESSOR_MS ? processor : process.cpuUsage();
  if (processorNow !== processor) processorAt = now;
  stretches.push({
    from: performance.timeOrigin + since,
    ms: now - since,
    busyMs: loopNow.active - loop.active,
    processorMs: (processorNow.user + processorNow.system - processor.user - processor.system) / 1000,
    kinds: [...underWay].flatMap(([kind, count]) => (count > 0 ? [kind] : [])),
  });
  [since, loop, processor] = [now, loopNow, processorNow];
}

/** @returns ends it; more calls do nothing */
function begin(kind: Kind, name: string, began = performance.now()): () => void {
  underWay.set(kind, (underWay.get(kind) ?? 0) + 1);
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    mark();
    underWay.set(kind, (underWay.get(kind) ?? 0) - 1);
    const { times, ms } = names[`${kind}: ${name}`] ?? { times: 0, ms: 0 };
    names[`${kind}: ${name}`] = { times: times + 1, ms: ms + performance.now() - began };
  };
}

subscribe("child_process", (message) => {
  const child = (message as { process: ChildProcess }).process;
  // Announced before it is started: the main thread stands still until the system has made it, and that is the program's time.
  mark();
  const began = performance.now();
  queueMicrotask(() => {
    if (child.spawnargs === undefined) return;
    if (child.spawnargs.some((word) => word.endsWith("/launcher.ts"))) return watchLauncher(child);
    const { kind, name } = programOf(child.spawnargs);
    const end = begin(kind, name, began);
    child.once("close", end);
    child.once("error", end);
  });
});

/** The process that starts programs for Forge: what it is asked and what it says of them. */
function watchLauncher(launcher: ChildProcess): void {
  const ends = new Map<number, () => void>();
  const send = launcher.send as (...args: unknown[]) => boolean;
  launcher.send = (...args: unknown[]) => {
    const [asked] = args as [Asked];
    if ("start" in asked) {
      const { id, file, args: words } = asked.start;
      const { kind, name } = programOf([file, ...words]);
      mark();
      ends.set(id, begin(kind, name));
    }
    return send.apply(launcher, args);
  };
  launcher.on("message", (told: Told) => {
    if ("chunk" in told) return;
    ends.get(told.id)?.();
    ends.delete(told.id);
  });
}

const requests = new WeakMap<object, () => void>();
subscribe("undici:request:create", (message) => {
  const { request } = message as { request: { origin: string; method: string; path: string } };
  const path = request.path.split("?")[0]!.replaceAll(/[0-9a-f]{40}|\d+/g, "*");
  mark();
  requests.set(request, begin(request.origin === modelOrigin ? "model" : "github", `${request.method} ${path}`));
});
for (const channel of ["undici:request:trailers", "undici:request:error"]) {
  subscribe(channel, (message) => requests.get((message as { request: object }).request)?.());
}

for (const method of ["batch", "execute"] as const) {
  const original = Sqlite3Client.prototype[method] as (...args: unknown[]) => Promise<unknown>;
  Object.assign(Sqlite3Client.prototype, {
    async [method](this: unknown, ...args: unknown[]) {
      mark();
      const end = begin("database", method === "batch" ? "commit" : "read");
      return original.apply(this, args).finally(end);
    },
  });
}

process.once("exit", () => {
  mark();
  const file = process.env.BENCH_WATCH;
  const watched: Watched = { stretches, names };
  if (file !== undefined) writeFileSync(file, JSON.stringify(watched));
});
