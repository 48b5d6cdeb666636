import type { RunOutcome, Standing } from "../../src/domain/ladder.ts";
import { standingsOf } from "../../src/safety/ladder.ts";

let runs = 0;

/** What became of a run: of a reviewed fix that stood, unless something else is said. */
export function outcome(to: Partial<RunOutcome> = {}): RunOutcome {
  runs += 1;
  const runId = to.runId ?? `run-${runs}`;
  return { cause: `outcome of ${runId}`, runId, of: "review", task: "fix", outcome: "right", basis: {}, ...to };
}

/** So many outcomes of a kind, the failures spread evenly among them. */
export function outcomes(count: number, failures: number, to: Partial<RunOutcome> = {}): RunOutcome[] {
  return Array.from({ length: count }, (_, i) => {
    const failed = Math.floor(((i + 1) * failures) / count) > Math.floor((i * failures) / count);
    return outcome(failed ? { outcome: "wrong", ...to } : to);
  });
}

/** How such a record stands against level 2. */
export function levelRecord({ good = 12, failed = 1 }: { readonly good?: number; readonly failed?: number }): Standing {
  const all = standingsOf(outcomes(good + failed, failed));
  return all.find(({ task, level }) => task === "fix" && level === 2)!;
}
