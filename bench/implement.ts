// What an implementation takes from the label to the pull request that is ready, with a model that answers at once, and where the time
// goes. `npm run bench:implement [-- --files <n> --rounds <n> --names --json <file>]`
import { parseArgs } from "node:util";
import { type MeasuredRun, measureRuns } from "./implement/measure-runs.ts";
import type { Kind, Share, Watched } from "./implement/stretches.ts";
import { median, type Result, report } from "./report.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "500" },
    rounds: { type: "string", default: "5" },
    /** Prints programs and requests one by one. */
    names: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const { runs, watched } = await measureRuns(Number(values.files), Number(values.rounds));
const [first, ...later] = runs;
const warm = later.length > 0 ? later : runs;

const seconds = (of: (share: Share) => number) => median(warm.map(({ share }) => of(share))) / 1000;
const whole = (name: string, some: readonly MeasuredRun[]): Result => {
  const value = median(some.map(({ share }) => share.wallMs)) / 1000;
  const baseline = median(some.map(({ byHandMs }) => byHandMs)) / 1000;
  return { name, value, unit: "s", baseline, goal: "under 30 s", met: value < 30 };
};
const IN: Record<Kind, string> = {
  model: "calls of the model",
  sandbox: "the project's tests, in the sandbox",
  git: "git",
  github: "calls of GitHub",
  reader: "reading processes of Forge: parsers, linters, the search for secrets",
  database: "the database",
};
const own = median(warm.map(({ share }) => (100 * share.ownMs) / share.wallMs));
const TURN_MS = 10_000;
const beside = median(
  warm.map(({ share, turns }) => (100 * (share.ownMs + share.under.reader)) / (share.wallMs + turns * TURN_MS)),
);
report(
  `An implementation of ${median(runs.map(({ turns }) => turns))} turns on ${values.files} files, from the label to ready. Baseline: clone, model calls, edit, ` +
    "tests, lint, commit and push by hand, without sandbox, review and words on GitHub",
  [
    whole("the first run of a Forge that has just started", first ? [first] : []),
    whole("a later run", warm),
    ...Object.entries(IN).map(([kind, what]) => ({
      name: `  of it in ${what}`,
      value: seconds(({ under }) => under[kind as Kind]),
      unit: "s",
    })),
    { name: "  waiting for the disk or the queue", value: seconds(({ waitingMs }) => waitingMs), unit: "s" },
    {
      name: "  its own work: the main thread, with none of those but the database",
      value: seconds(({ ownMs }) => ownMs),
      unit: "s",
    },
    { name: "  processor time of the main process", value: seconds(({ processorMs }) => processorMs), unit: "s" },
    { name: "own share, the model instant", value: own, unit: "%", goal: "under 5 %", met: own < 5 },
    { name: "own share with the reading processes, were a turn of the model 10 s", value: beside, unit: "%" },
  ],
);
if (values.names) printNames(watched);

function printNames({ names }: Watched): void {
  const longest = Object.entries(names).sort(([, a], [, b]) => b.ms - a.ms);
  for (const [name, { times, ms }] of longest.slice(0, 60)) {
    console.log(`${String(Math.round(ms)).padStart(8)} ms  ${String(times).padStart(5)} times  ${name}`);
  }
}
