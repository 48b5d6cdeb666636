// What learning comes to, part by part, seeded: `npm run bench:learning [-- <part> --seed <n> --json <file>]`. Parts: promotions, dismissals, runs, false-memory, drift.
import { parseArgs } from "node:util";
import { measureDismissals } from "./learning/dismissals.ts";
import { measureDrift } from "./learning/drift.ts";
import { measureFalseMemory } from "./learning/false-memory.ts";
import { measurePromotions } from "./learning/promotions.ts";
import { measureRuns } from "./learning/runs.ts";
import { type Result, report } from "./report.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, json: { type: "string" } },
});

const PARTS: Readonly<
  Record<string, { readonly title: string; readonly measure: (seed: number) => Result[] | Promise<Result[]> }>
> = {
  promotions: {
    title:
      "The ladder: promotions and demotions in 500 runs, 2,000 repositories each. Baseline: a bound of 95 % after each run",
    measure: measurePromotions,
  },
  dismissals: {
    title: "After a dismissal: what is said again, and what is lost",
    measure: measureDismissals,
  },
  "false-memory": {
    title: "A false memory: how many reviews use it",
    measure: measureFalseMemory,
  },
  drift: {
    title: "The code moves on: 32 memories that rest on lines of it",
    measure: measureDrift,
  },
  runs: {
    title: "Ten issues of a kind, three teams (means). Baseline: the same teams without memory",
    measure: measureRuns,
  },
};

for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const part = PARTS[name];
  if (!part) throw new Error(`No part ${name}: there are ${Object.keys(PARTS).join(", ")}`);
  report(part.title, await part.measure(Number(values.seed)));
}
