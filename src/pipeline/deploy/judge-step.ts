import type { NewEvent } from "../../domain/events.ts";
import type { Sample, Verdict } from "../../domain/samples.ts";
import { elapsedMs } from "../runs/kind.ts";
import type { Observed, StepState } from "./deployment.ts";
import { howMuchWorse } from "./judge/how-much-worse.ts";
import { judge } from "./judge/judge.ts";
import { finish, type Move } from "./move.ts";
import { bakeMs, beginNext, enter, plannedShares, rollBack } from "./steps.ts";

const MINUTE_MS = 60_000;

/** What follows from one more look at a version that is there: pure, from the samples of its step. */
export function judgeStep(run: Observed, step: StepState, sample: Sample, at: string): Move {
  const { settings } = run.observed;
  const samples = [...step.samples, sample];
  const earlier = run.steps
    .filter((one) => one !== step && one.planned.task === "deploy")
    .flatMap((one) => one.samples);
  const verdict = judge(settings.judge, samples, run.steps.length === 1, earlier);
  const index = step.planned.marker.step;
  const judged: NewEvent = {
    type: "deployment.judged",
    phase: run.phase ?? "deployment",
    payload: { step: index, sample, verdict },
  };
  const then = (rest: Move): Move => ({ ...rest, events: [judged, ...rest.events] });
  if (verdict.follows === "roll_back") {
    return then(rollBack(run, at, verdict.disaster ? "disaster" : "worse", reasonOf(verdict)));
  }
  const since = step.doneAt ?? at;
  if (run.phase === "monitoring") {
    const isOver = elapsedMs(run.watchedSince ?? since, at) >= settings.watch_minutes * MINUTE_MS;
    return then(
      isOver
        ? finish(run, at, { outcome: verdict.is === "better_or_equal" ? "healthy" : "unwatched" })
        : { events: [] },
    );
  }
  if (elapsedMs(since, at) < bakeMs(run)) return then({ events: [] });
  const isLast = step.planned.percentage >= 100;
  // Where nothing is watched there is nothing to wait for, and the end says so; a smaller share still needs a word.
  const blind = isLast && isUnwatched(samples);
  if (verdict.is === "better_or_equal" || blind) return then(goOn(run, isLast, blind ? "blind" : "good", at));
  if (step.unclear || elapsedMs(since, at) < bakeMs(run) + settings.ask_minutes * MINUTE_MS)
    return then({ events: [] });
  return then({ events: [{ type: "deployment.unclear", payload: { step: index } }] });
}

/**
 * The step is over: the next one, or the watch after the last.
 * @param known what the judge said of it; `unclear` where a person lets it go on all the same: nobody found it healthy by that
 */
export function goOn(run: Observed, isLast: boolean, known: "good" | "unclear" | "blind", at: string): Move {
  if (!isLast && run.steps.length < plannedShares(run).length) return beginNext(run);
  if (known === "blind" || run.observed.settings.watch_minutes === 0) {
    return finish(run, at, { outcome: known === "good" ? "healthy" : "unwatched" });
  }
  const sha = run.deploy.sha;
  return {
    events: [enter("monitoring", "all traffic has the version")],
    own: [{ type: "environment.deployed", payload: { sha, runId: run.runId, healthy: false } }],
  };
}

function isUnwatched(samples: readonly Sample[]): boolean {
  return samples.every(({ metrics, health }) => metrics.length === 0 && health === undefined);
}

/** What decided, as a sentence without its end. */
function reasonOf({ metrics, disaster }: Verdict): string {
  const [first] = metrics.filter(({ is }) => is === "worse");
  if (!first) return disaster ? "the version does not answer" : "the version is worse";
  const much = howMuchWorse(first);
  return `${first.metric.replaceAll("_", " ")} ${first.why}${much === undefined ? "" : ` (${much})`}`;
}
