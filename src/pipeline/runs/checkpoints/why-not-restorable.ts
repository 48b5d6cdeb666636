import { headOf, type Implementation } from "../../implement/implementation.ts";

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
