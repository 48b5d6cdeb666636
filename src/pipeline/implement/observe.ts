import { isDeepStrictEqual } from "node:util";
import { defined } from "../../domain/defined.ts";
import { firstEnvironment } from "../../domain/deployments.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { IssueEnded, PullEnded, ReleaseMoved, WorkProgressed, WorkReleased } from "../../domain/inputs.ts";
import { type Decision, ignore } from "../runs/decision.ts";
import { elapsedMs } from "../runs/kind.ts";
import { type Implementation, isAtWork, isLooked, ownsIssue } from "./implementation.ts";
import { enter, stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/**
 * The label was taken off, or the issue closed (GH-1). Merging the pull request closes the issue too, and the two events come in any order:
 * where there is a pull request a worker looks what became of that first.
 */
export function decideIssueEnded({ active: run, pipeline }: IssueView, input: IssueEnded): Decision {
  if (!ownsIssue(run)) return ignore("no run is active here");
  const { at, by, reason, pullIsOpen } = input;
  // The merge closed it.
  if (run.phase === pipeline.merged) return ignore("it was merged before");
  if (reason === "issue_closed" && run.pull && pullIsOpen === undefined)
    return stepOf(run, { events: [], work: true }, at);
  return cancel(run, at, { reason, by });
}

/** The pull request was merged or closed (GH-7). */
export function decidePullEnded({ active: run, pipeline }: IssueView, input: PullEnded): Decision {
  if (!ownsIssue(run) || !run.pull) return ignore("no run with a pull request is active here");
  const { at, by, merged } = input;
  if (!merged) return cancel(run, at, { reason: "pull_closed", by });
  // What was merged goes on to where it is deployed, and the run with it (GH-7).
  if (run.phase === pipeline.merged) return ignore("it was merged before");
  if (isLooked(run) && firstEnvironment(run.configuration)) {
    const merged: NewEvent = { type: "pull.merged", payload: {}, ...defined({ actor: by }) };
    return stepOf(
      run,
      {
        events: [...helped(run), merged, enter(run, pipeline.merged, "the pull request was merged")],
        work: true,
        cancelJobs: true,
      },
      at,
    );
  }
  return stepOf(run, { events: [...helped(run), completion(run, "merged", at, by)], cancelJobs: true }, at);
}

/** What was merged is on its way: the status comment says where (GH-12). */
export function decideReleaseMoved({ addressed: run, pipeline }: IssueView, { release, at }: ReleaseMoved): Decision {
  if (!ownsIssue(run) || run.phase !== pipeline.merged) return ignore("nothing of it is being deployed");
  if (isDeepStrictEqual(run.release, release)) return ignore("the version has not moved");
  return stepOf(run, { events: [{ type: "release.moved", phase: run.phase, payload: { release } }] }, at);
}

/** What was merged is deployed as far as it goes, or is not: the work is over either way. */
export function decideReleased({ addressed: run, pipeline }: IssueView, { at }: WorkReleased): Decision {
  if (!ownsIssue(run) || run.phase !== pipeline.merged) return ignore("nothing of it is being deployed");
  return stepOf(run, { events: [completion(run, "merged", at)] }, at);
}

/** The memories that the plan rests on and those that the work followed have helped, each once (MEM-3). */
function helped({ runId, plan, work }: Implementation): NewEvent[] {
  const memoryIds = [...new Set([...(plan?.plan.memories ?? []), ...(work?.memories ?? [])])];
  if (memoryIds.length === 0) return [];
  const cause = `applied:${runId}`;
  return [{ type: "memory.applied", payload: { memoryIds, use: "applied", during: "merge", cause } }];
}

type Reason = Extract<NewEvent, { type: "run.cancelled" }>["payload"]["reason"];

/** Ends a run before its time; its branch and pull request stay as they are, and the status comment says where. */
export function cancel(
  run: Implementation,
  at: string,
  { reason, by }: { readonly reason: Reason; readonly by?: IssueEnded["by"] },
): Decision {
  const event: NewEvent = { type: "run.cancelled", payload: { reason }, ...defined({ actor: by }) };
  return stepOf(run, { events: [event], cancelJobs: true }, at);
}

type Outcome = "merged" | "planned" | "nothing_to_do";

/** The last event of a run that came to its end. */
export function completion(run: Implementation, outcome: Outcome, at: string, by?: IssueEnded["by"]): NewEvent {
  const none = { critical: 0, error: 0, warning: 0, info: 0 };
  return {
    type: "run.completed",
    payload: {
      outcome,
      conclusion: outcome === "nothing_to_do" ? "neutral" : "success",
      phases: Object.keys(run.took) as (keyof Implementation["took"])[],
      durationMs: elapsedMs(run.startedAt, at),
      totals: { findings: none, costUsd: run.costUsd, tokens: 0 },
      artifacts: run.pull ? [`pull request #${run.pull.number}`] : [],
    },
    ...defined({ actor: by }),
  };
}

/** A phase is under way: its status comment moves (GH-12). */
export function decideProgressed({ addressed: run }: IssueView, { progress, at }: WorkProgressed): Decision {
  if (!ownsIssue(run) || !isAtWork(run) || run.phase === undefined) return ignore("the run is not at work");
  return stepOf(run, { events: [{ type: "work.progressed", phase: run.phase, payload: progress }] }, at);
}
