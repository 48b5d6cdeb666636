import type { PullSignal } from "../../../domain/implementation.ts";
import type { Phase } from "../../../domain/phases.ts";
import { type Implementation, openGates, ownsIssue } from "../implementation.ts";

/** What a worker does next for a run. */
export type NextWork =
  /** The work of the phase that the run is in. */
  | { readonly is: "phase"; readonly phase: Phase }
  | { readonly is: "join" | "look" }
  | { readonly is: "read"; readonly signal: PullSignal }
  /** People, CI or GitHub have the word. */
  | { readonly is: "nothing" };

/** What comes next for a run that a worker has taken up: pure, from what is known of it. */
export function nextWork(run: Implementation): NextWork {
  if (!ownsIssue(run) || run.stopped || openGates(run).length > 0) return { is: "nothing" };
  if (run.status === "waiting") {
    const [signal] = run.signals;
    return signal ? { is: "read", signal } : { is: "look" };
  }
  const { phase } = run;
  switch (phase) {
    case undefined:
      return { is: "nothing" };
    case "planning":
      return { is: "phase", phase };
    case "implementation":
      if (run.toJoin !== undefined) return { is: "join" };
      return run.roundDone ? { is: "nothing" } : { is: "phase", phase };
    // All others look at what is on the branch.
    default:
      if (run.toJoin !== undefined || run.pushed !== run.work?.headSha) return { is: "nothing" };
      return { is: "phase", phase };
  }
}
