// What an implementation takes from the label to the pull request that is ready, with a model that answers at once, and where the time
// goes; on two projects. `npm run bench:implement [-- --files <n> --rounds <n> --names --json <file>]`
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bareProject } from "./implement/bare-project.ts";
import { type MeasuredRun, measureRuns } from "./implement/measure-runs.ts";
import type { Project } from "./implement/project.ts";
import { startRegistry } from "./implement/registry.ts";
import type { Kind, Share, Watched } from "./implement/stretches.ts";
import { typedProject } from "./implement/typed-project.ts";
import { median, type Result, report, writeResults } from "./report.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "500" },
    /** Of each project. Forge holds to GitHub's limit of writes a minute: the fourth run of a fast project waits for the next, and is no median. */
    rounds: { type: "string", default: "4" },
    /** Prints programs and requests one by one. */
    names: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const files = Number(values.files);
const registry = await startRegistry(join(import.meta.dirname, "..", "node_modules", "typescript"));
const results: Result[] = [];
for (const project of [bareProject(files), typedProject(files, registry)]) results.push(...(await measure(project)));
registry.close();
if (values.json !== undefined) writeResults(values.json, results);

async function measure(project: Project): Promise<readonly Result[]> {
  const { runs, watched } = await measureRuns(project, Number(values.rounds));
  const [first, ...later] = runs;
  const warm = later.length > 0 ? later : runs;
  const rows = [
    whole("the first run of a Forge that has just started", first ? [first] : []),
    whole("a later run", warm),
    ...partsOf(warm),
  ];
  const turns = median(runs.map((run) => run.turns));
  report(
    `${project.name}: an implementation of ${turns} turns on ${files} files, from the label to ready. Baseline: clone, installation, model ` +
      "calls, edit, tests, lint or type check, commit and push by hand, without sandbox, review and words on GitHub",
    rows,
    [],
  );
  if (values.names) printNames(watched);
  return rows.map((row) => ({ ...row, name: `${project.name}: ${row.name.trim()}` }));
}

function whole(name: string, some: readonly MeasuredRun[]): Result {
  const value = median(some.map(({ share }) => share.wallMs)) / 1000;
  const baseline = median(some.map(({ byHandMs }) => byHandMs)) / 1000;
  return { name, value, unit: "s", baseline, goal: "under 30 s", met: value < 30 };
}

function partsOf(runs: readonly MeasuredRun[]): readonly Result[] {
  const IN: Record<Kind, string> = {
    model: "calls of the model",
    sandbox: "the project's own programs, in the sandbox: installation, tests, type check",
    git: "git",
    github: "calls of GitHub",
    reader: "reading processes of Forge: parsers, linters, the search for secrets",
    database: "the database",
  };
  const seconds = (name: string, of: (share: Share) => number): Result => ({
    name: `  ${name}`,
    value: median(runs.map(({ share }) => of(share))) / 1000,
    unit: "s",
  });
  const own = median(runs.map(({ share }) => (100 * share.ownMs) / share.wallMs));
  const TURN_MS = 10_000;
  const beside = median(
    runs.map(({ share, turns }) => (100 * (share.ownMs + share.under.reader)) / (share.wallMs + turns * TURN_MS)),
  );
  return [
    ...Object.entries(IN).map(([kind, what]) => seconds(`of it in ${what}`, ({ under }) => under[kind as Kind])),
    seconds("waiting for the disk or the queue", ({ waitingMs }) => waitingMs),
    seconds("its own work: the main thread, with none of those but the database", ({ ownMs }) => ownMs),
    seconds("processor time of the main process", ({ processorMs }) => processorMs),
    { name: "own share, the model instant", value: own, unit: "%", goal: "under 5 %", met: own < 5 },
    { name: "own share with the reading processes, were a turn of the model 10 s", value: beside, unit: "%" },
  ];
}

function printNames({ names }: Watched): void {
  const longest = Object.entries(names).sort(([, a], [, b]) => b.ms - a.ms);
  for (const [name, { times, ms }] of longest.slice(0, 60)) {
    console.log(`${String(Math.round(ms)).padStart(8)} ms  ${String(times).padStart(5)} times  ${name}`);
  }
}
