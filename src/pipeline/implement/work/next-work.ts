import type { PullSignal } from "../../../domain/implementation.ts";
import { type Implementation, openGates, ownsIssue } from "../implementation.ts";

/** What a worker does next for a run. */
export type NextWork =
  | { readonly is: "plan" | "join" | "implement" | "review" | "test" | "look" }
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
  switch (run.phase) {
    case "planning":
      return { is: "plan" };
    case "implementation":
      if (run.toJoin !== undefined) return { is: "join" };
      return { is: run.roundDone ? "nothing" : "implement" };
    case "review":
    case "testing":
      if (run.toJoin !== undefined || run.pushed !== run.work?.headSha) return { is: "nothing" };
      return { is: run.phase === "review" ? "review" : "test" };
    default:
      return { is: "nothing" };
  }
}
