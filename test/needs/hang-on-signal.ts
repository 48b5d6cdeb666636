// Loaded before Forge by `node --import`: the main loop hangs on SIGUSR2. Forge itself knows nothing of it.
import { isMainThread } from "node:worker_threads";

function hangForTheTest(): never {
  for (;;);
}

// Programs that Forge starts inherit the option, and are nobody's business here.
if (process.argv[2] === "start" && isMainThread) process.on("SIGUSR2", hangForTheTest);
