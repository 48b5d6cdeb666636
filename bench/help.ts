// How long `forge --help` takes, next to an empty Node program in the same rounds. `npm run bench:help [-- --rounds <n> --json <file>]`.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { median, report } from "./report.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "15" }, json: { type: "string" } } });
const CASES = { empty: ["-e", "0"], help: ["bin/forge.mjs", "--help"], review: ["bin/forge.mjs", "help", "review"] };
const GOAL_MS = 150;

const times: Record<keyof typeof CASES, number[]> = { empty: [], help: [], review: [] };
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const name of ["empty", "help", "review"] as const) {
    const began = performance.now();
    const { status } = spawnSync(process.execPath, CASES[name], { stdio: "ignore" });
    if (status !== 0) throw new Error(`node ${CASES[name].join(" ")} ended with ${status}`);
    // The first round fills the caches.
    if (round > 0) times[name].push(performance.now() - began);
  }
}
const baseline = median(times.empty);
const result = (name: string, measured: readonly number[]) => {
  const value = median(measured);
  return { name, value, unit: "ms", baseline, goal: `under ${GOAL_MS} ms on an idle machine`, met: value < GOAL_MS };
};
report("help of the command line; baseline: node -e 0", [
  result("forge --help", times.help),
  result("forge help review", times.review),
]);
