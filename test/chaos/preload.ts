// Loaded before Forge by `node --import`: names every write as it happens, tells the parent, and kills the process, or makes it hang, at the point of its order.
// Forge itself knows nothing of it.
import { nameCommit, nameResults } from "./name-commit.ts";
import { ORDER_VARIABLE, type Order, type Point } from "./points.ts";
import { watchCommits, watchFetch, watchPrograms, watchWebhooks } from "./watch.ts";

const counts = new Map<string, number>();
let current: Order = {};

function obey(order: Order): void {
  counts.clear();
  current = order;
}

function reach(name: string): void {
  const occurrence = (counts.get(name) ?? 0) + 1;
  counts.set(name, occurrence);
  const isHere = (point?: Point) => point?.name === name && point.occurrence === occurrence;
  if (isHere(current.killAt)) process.kill(process.pid, "SIGKILL");
  if (isHere(current.hangAt)) hangForTheTest();
  process.send?.({ name, occurrence });
}

function hangForTheTest(): never {
  for (;;);
}

// Programs that Forge starts inherit the option, and are nobody's business here.
if (process.argv[2] === "start") {
  const given = process.env[ORDER_VARIABLE];
  if (given) obey(JSON.parse(given) as Order);
  process.on("message", (order) => {
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
  watchFetch(reach);
  watchPrograms(reach);
  watchWebhooks(reach);
}
