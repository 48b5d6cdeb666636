import type { Refusal, RunLimit } from "../../domain/commands.ts";
import { readCheckoutBase } from "../../workspace/local/checkout.ts";
import { openGates } from "../implement/implementation.ts";
import { handleInput } from "../runs/handle-input.ts";
import { give, type LocalDependencies, type LocalRun, readLocalRun } from "./local-run.ts";

export interface Resuming {
  readonly runId: string;
  /** For whoever works next. */
  readonly instructions?: string;
  /** A limit that is raised first. */
  readonly extend?: { readonly limit: RunLimit; readonly amount: number };
}

type Dependencies = Pick<LocalDependencies, "store" | "makeId" | "now" | "checkout">;

/** Takes a run up again: one that was interrupted, stopped, failed, or whose gate nobody answered. */
export async function resumeLocally(
  dependencies: Dependencies,
  { runId, instructions, extend }: Resuming,
): Promise<LocalRun | { readonly refusal: Refusal }> {
  await timeOut(dependencies, runId);
  const before = await readLocalRun(dependencies, { runId });
  if (!before) return { refusal: { reason: "nothing_to_resume" } };
  const { subject } = before;
  if (extend) {
    const refusal = await give(dependencies, subject, { name: "extend", ...extend });
    if (refusal) return { refusal };
  }
  const run = (await readLocalRun(dependencies, { runId })) ?? before;
  if (run.end && run.end.is !== "failed") return { refusal: { reason: "nothing_to_resume" } };
  const said = instructions === undefined ? {} : { instructions };
  const refusal = run.end
    ? await give(dependencies, subject, { name: "retry" })
    : run.stopped || instructions !== undefined
      ? await give(dependencies, subject, { name: "resume", ...said })
      : undefined;
  if (refusal) return { refusal };
  return { runId, subject, base: run.base ?? (await readCheckoutBase(dependencies.checkout)) };
}

/** A gate that nobody answered in time stops the run, so that it is asked anew rather than answered late. */
async function timeOut(dependencies: Dependencies, runId: string): Promise<void> {
  const run = await readLocalRun(dependencies, { runId });
  if (!run?.configuration || !run.base) return;
  const { configuration, base, subject } = run;
  const at = dependencies.now();
  if (!openGates(run).some(({ deadline }) => Date.parse(deadline) <= Date.parse(at))) return;
  const observed = { type: "work.observed", runId, attempt: 1, open: true, configuration, base } as const;
  await handleInput(dependencies, { ...observed, subject, at, newRunId: dependencies.makeId() });
}
