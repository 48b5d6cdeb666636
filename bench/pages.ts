// What pages cost on a large database: 10,000 runs, 500 of them at a gate. Baseline: the same page on an empty database, so that a busy machine
// makes both slow. `npm run bench:pages [-- --runs <n> --gates <n> --rounds <n> --json <file>]`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { closeStore } from "../src/store/open-store.ts";
import { fillStore } from "./pages/fill-store.ts";
import { measureLive } from "./pages/measure-live.ts";
import { openPages, type Pages } from "./pages/open-pages.ts";
import { median, report } from "./report.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    gates: { type: "string", default: "500" },
    rounds: { type: "string", default: "9" },
    json: { type: "string" },
  },
});
const [runs, gates, rounds] = [Number(values.runs), Number(values.gates), Number(values.rounds)];
const folder = mkdtempSync(join(tmpdir(), "forge-bench-pages-"));
const full = await openPages(join(folder, "full.db"));
const empty = await openPages(join(folder, "empty.db"));
try {
  const runId = await fillStore(full.store, { runs, gates });
  const ask = async (pages: Pages, path: string) => {
    const began = process.hrtime.bigint();
    const text = await pages.get(path);
    return { ms: Number(process.hrtime.bigint() - began) / 1e6, text };
  };
  const results = [];
  // Counts what is in the log, once for each process.
  const first = await ask(full, "/insights?days=90");
  results.push({ name: "metrics, the first time since the start", value: first.ms, unit: "ms" });
  const paths: readonly (readonly [string, string])[] = [
    ["home", "/"],
    ["list of runs", "/runs"],
    ["search by a part of a title", "/runs?q=number+99"],
    ["search by a number", "/runs?q=9876"],
    ["page of a run", `/runs/${runId}`],
    ["metrics of 90 days", "/insights?days=90"],
  ];
  for (const [name, path] of paths) {
    const [large, small]: [number[], number[]] = [[], []];
    let text = "";
    // The first of each warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const none = await ask(empty, path.startsWith("/runs/") ? "/runs" : path);
      const found = await ask(full, path);
      text = found.text;
      if (round > 0) small.push(none.ms);
      if (round > 0) large.push(found.ms);
    }
    const ms = median(large);
    const limit = name === "home" || name.startsWith("metrics") ? { goal: "under 150 ms", met: ms < 150 } : {};
    results.push({ name, value: ms, unit: "ms", baseline: median(small), ...limit });
    const kilobytes = Buffer.byteLength(text) / 1_000;
    const size = name === "home" ? { goal: "under 100 KB", met: kilobytes < 100 } : {};
    results.push({ name: "  its size, not compressed", value: kilobytes, unit: "KB", ...size });
    results.push({ name: "  compressed by a proxy", value: gzipSync(text).length / 1_000, unit: "KB" });
  }
  const ratio = await measureLive(full, 5);
  const slower = {
    name: "deliveries with 50 live pages, times the processor's time of none",
    value: ratio,
    unit: "times",
  };
  results.push({ ...slower, goal: "at most 1.1, median of 5 pairs", met: ratio <= 1.1 });
  const title = `Pages on ${runs.toLocaleString("en-US")} runs, ${gates} of them at a gate. Baseline: the page on an empty database`;
  report(title, results);
} finally {
  for (const pages of [full, empty]) pages.stop();
  await Promise.all([closeStore(full.store), closeStore(empty.store)]);
  rmSync(folder, { recursive: true, force: true });
}
