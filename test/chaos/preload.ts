// Loaded before Forge by `node --import`: names every write as it happens, tells the parent, and kills the process where it was told.
// Forge itself knows nothing of it.
import { nameCommit, nameResults } from "./name-commit.ts";
import { ORDER_VARIABLE, type Order, type Point } from "./points.ts";
import { watchCommits, watchFetch, watchPrograms, watchWebhooks } from "./watch.ts";

const counts = new Map<string, number>();
let target: Point | undefined;

function obey({ killAt }: Order): void {
  counts.clear();
  target = killAt;
}

function reach(name: string): void {
  const occurrence = (counts.get(name) ?? 0) + 1;
  counts.set(name, occurrence);
  if (target?.name === name && target.occurrence === occurrence) process.kill(process.pid, "SIGKILL");
  process.send?.({ name, occurrence });
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
