import { defined } from "../../domain/defined.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { NotRestorable, RestorePoint } from "../../domain/implementation.ts";
import { replayImplementation } from "./evolve.ts";
import { headOf, type Implementation } from "./implementation.ts";

/**
 * What a run was after so many events of its log, as far as it can be taken back there (PIPE-6). The commits stay as they are, so only points
 * of the present commit can be gone back to, and planning.
 * @param events all of the run
 */
export function restorePointOf(events: readonly PlacedEvent[], version: number): RestorePoint | NotRestorable {
  if (version < 1 || version > events.length) return { notRestorable: `the run has no checkpoint v${version}` };
  const then = replayImplementation(events.slice(0, version));
  const now = replayImplementation(events);
  const reason = whyNotRestorable(then, now);
  if (reason !== undefined || !then?.phase || !now) return { notRestorable: reason ?? "no phase had begun" };
  const { runId, phase, plan, cause, feedback } = then;
  return {
    ...{ runId, version, phase, headSha: headOf(then), lasting: lasting(then, now) },
    ...defined({ plan: plan && { plan: plan.plan, estimate: plan.estimate } }),
    ...(cause ? { back: { cause, feedback } } : {}),
  };
}

/** Effects that a restore does not undo. */
function lasting(then: Implementation, now: Implementation): string[] {
  const commits = (now.work?.commits.length ?? 0) - (then.work?.commits.length ?? 0);
  const spent = now.costUsd - then.costUsd;
  const tasks = now.tasksDone.length - then.tasksDone.length;
  return [
    ...(commits > 0
      ? [
          `${counted(commits, "commit")} made since stay${commits === 1 ? "s" : ""} in the work${now.pushed ? " and on the branch" : ""}`,
        ]
      : []),
    ...(tasks > 0 ? [`${counted(tasks, "task")} done since stay${tasks === 1 ? "s" : ""} done`] : []),
    ...(now.pull && !then.pull ? [`pull request #${now.pull.number} stays open`] : []),
    ...(spent > 0 ? [`$${spent.toFixed(2)} spent since stays spent`] : []),
    "comments and checks on GitHub stay as they are",
  ];
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/**
 * Why a run cannot be taken back to a state that it had, in words that follow "because"; undefined where it can. Of the files only the last
 * are kept, so a run goes back to other phases and plans of the same commit, or to before there was one.
 */
export function whyNotRestorable(
  then: Implementation | undefined,
  now: Implementation | undefined,
): string | undefined {
  if (!then || !now) return "it is a review: /forge review begins a new one";
  if (now.end) return `the run has ended: ${now.end.is}`;
  if (then.end) return "the run had ended there";
  if (then.phase === undefined) return "no phase had begun";
  if (then.phase !== "planning" && headOf(then) !== headOf(now)) {
    return "the commits of that moment are not the present ones, and only the last files are kept";
  }
  if (then.phase !== "planning" && !then.plan) return "there was no plan";
  if ((then.phase === "review" || then.phase === "testing") && !now.pull) return "there is no pull request";
  if (then.phase === "implementation" && then.cause === undefined && now.cause !== undefined) {
    return "its first round is over, and what came back since has to be dealt with";
  }
  return undefined;
}
