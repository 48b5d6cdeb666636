import type { NewEvent } from "../../domain/events.ts";
import type { Sample, Verdict } from "../../domain/samples.ts";
import { elapsedMs } from "../runs/kind.ts";
import { lookedAtIn, type Observed, type StepState } from "./deployment.ts";
import { type Crossing, leave } from "./go-on.ts";
import { howMuchWorse } from "./judge/how-much-worse.ts";
import { isSteadilyGood, judge } from "./judge/judge.ts";
import type { Move } from "./move.ts";
import { rollBack, sharesLeft, timesOf } from "./steps.ts";

/** What follows from one more look at a version that is there: pure, from the samples of its step. */
export function judgeStep(view: Crossing["view"], run: Observed, step: StepState, sample: Sample, at: string): Move {
  const { settings } = run.observed;
  const samples = [...step.samples, sample];
  const earlier = run.steps
    .filter((one) => one !== step && one.planned.task === "deploy")
    .flatMap((one) => one.samples);
  const isFirst = run.steps.length === 1;
  const verdict = judge(settings.judge, samples, isFirst, earlier);
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
  const { stage, since = step.doneAt ?? at } = lookedAtIn(run);
  const { lasts, asks } = timesOf(stage, settings);
  const lasted = elapsedMs(since, at);
  if (lasted < lasts) return then({ events: [] });
  const isGood = verdict.is === "better_or_equal";
  const found = isGood ? "good" : verdict.is === "worse" ? "worse" : "unclear";
  const crossing = { view, run, at, found } as const;
  const isBlind = isUnwatched(samples);
  if (stage === "watching") {
    // One look is not the last word on a watch: a source that did not answer does by the next, and trouble of both versions passes. What a
    // person let go on without a verdict, nobody waits for again.
    const isSure = isGood && isSteadilyGood(settings.judge, samples, isFirst, earlier);
    const isWaitedFor = !isSure && !isBlind && !step.promoted && lasted < lasts + asks;
    return then(isWaitedFor ? { events: [] } : leave(stage, crossing));
  }
  // Where nothing is watched there is nothing to wait for, and the end says so; a smaller share still needs a word.
  if (step.planned.percentage >= 100 && isBlind) return then(leave(stage, { ...crossing, found: "blind" }));
  // It stays at its share, and is looked at on.
  if (run.stopped && sharesLeft(run)) return then({ events: [] });
  if (isGood) return then(leave(stage, crossing));
  if (step.unclear || lasted < lasts + asks) return then({ events: [] });
  return then({ events: [{ type: "deployment.unclear", payload: { step: index } }] });
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
