// Loaded before Forge by `node --import`: names every write as it happens, tells the parent, and kills the process, or makes it hang, at the point of its order.
// Forge itself knows nothing of it.
import { nameCommit, nameResults } from "./name-commit.ts";
import { DIE, MAY_I_DIE, ORDER_VARIABLE, type Order, type Point } from "./points.ts";
import { watchCommits, watchFetch, watchPrograms, watchWebhooks } from "./watch.ts";

const counts = new Map<string, number>();
let current: Order = {};

function obey(order: Order): void {
  counts.clear();
  current = order;
}

const next = (name: string): Point => ({ name, occurrence: (counts.get(name) ?? 0) + 1 });

const isSame = (one: Point, other?: Point) => one.name === other?.name && one.occurrence === other.occurrence;

function reach(name: string): void {
  const point = next(name);
  counts.set(name, point.occurrence);
  if (isSame(point, current.killAt)) process.kill(process.pid, "SIGKILL");
  if (isSame(point, current.hangAt)) hangForTheTest();
  process.send?.(point);
}

/** A write to GitHub can be held up, because nothing else waits for it. */
async function reachWrite(name: string): Promise<void> {
  const { asks, killAt } = current;
  if (!asks || !isSame(next(name), killAt)) return reach(name);
  process.send?.(MAY_I_DIE);
  // The process is killed here, so this never ends.
  await new Promise(() => {});
}

function hangForTheTest(): never {
  for (;;);
}

// Programs that Forge starts inherit the option, and are nobody's business here.
if (process.argv[2] === "start") {
  const given = process.env[ORDER_VARIABLE];
  if (given) obey(JSON.parse(given) as Order);
  process.on("message", (order) => {
    if (order === DIE) process.kill(process.pid, "SIGKILL");
    obey(order as Order);
    process.send?.("obeyed");
  });
  // Listening to the parent must not keep Forge alive.
  process.channel?.unref();
  watchCommits(
    (statements) => {
      for (const name of nameCommit(statements)) reach(`before commit: ${name}`);
    },
    (statements, results) => {
      for (const name of [...nameCommit(statements), ...nameResults(statements, results)]) {
        reach(`after commit: ${name}`);
      }
    },
  );
  watchFetch(reachWrite);
  watchPrograms(reach);
  watchWebhooks(reach);
}
