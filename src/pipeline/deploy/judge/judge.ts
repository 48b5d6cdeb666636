import type { JudgeSettings, MetricVerdict, Sample, Verdict } from "../../../domain/samples.ts";
import { afterTrouble } from "./after-trouble.ts";
import { judgeErrors } from "./judge-errors.ts";
import { isLatency, judgeLatency } from "./judge-latency.ts";
import { judgeThroughput, judgeValues } from "./judge-values.ts";
import { type Bar, barFor, inOrder, type Judged, type Look, looksAt, sourceErrorsOf } from "./looks.ts";

/** Probes of a health endpoint, in two looks together, that all have to fail before the version counts as dead. */
const DEAD_PROBES = 5;

/**
 * Judges a step by all that was read of it (DEP-3). Pure: the same settings and samples give the same word, with all that it rests on.
 * `cannot_tell` neither promotes nor rolls back.
 * @param samples of one step, oldest first
 * @param first whether the step is the first of its deployment. Of a later one that has no version beside it nobody knows whether what rises
 * came with the version: it is worse and waits for a person, unless nearly all requests fail.
 * @param earlier samples of the steps before this one, oldest first: the version is the same, so what they showed helps to say that it is no
 * worse. They never help to say that it is.
 */
export function judge(
  settings: JudgeSettings,
  samples: readonly Sample[],
  first = false,
  earlier: readonly Sample[] = [],
): Verdict {
  const used = inOrder(samples);
  const shownBefore = inOrder(earlier);
  const now = judgedAt(settings, used, first, shownBefore);
  const acting = actingIn(now);
  const before = acting.length === 0 ? [] : actingIn(judgedAt(settings, used.slice(0, -1), first, shownBefore));
  const isTwice = acting.some((metric) => before.includes(metric));
  const disaster = now.some((one) => one.disaster === true);
  const isWorse = now.some(({ is }) => is === "worse" || is === "degraded");
  const isGood = !isWorse && isEnough(now);
  const is = isWorse ? "worse" : isGood ? "better_or_equal" : "cannot_tell";
  const newest = used.at(-1);
  return {
    is,
    follows: disaster || isTwice ? "roll_back" : isGood ? "go_on" : "wait",
    disaster,
    metrics: now.toSorted((a, b) => weightOf(b) - weightOf(a)).map(shown),
    sourceErrors: newest ? sourceErrorsOf(newest) : [],
  };
}

/** So many looks in a row that are good end the watch of a version: one may be luck, and who looks until one is good finds it. */
const GOOD_LOOKS = 10;

/** Whether the latest looks at a step are good, one like the other; all of them where there were fewer. The arguments are those of `judge`. */
export function isSteadilyGood(...[settings, samples, first, earlier]: Parameters<typeof judge>): boolean {
  return Array.from({ length: Math.min(GOOD_LOOKS, samples.length) }, (_, at) =>
    samples.slice(0, samples.length - at),
  ).every((some) => judge(settings, some, first, earlier).is === "better_or_equal");
}

/** Names of metrics that are worse in a way that may roll back. */
function actingIn(judged: readonly Judged[]): string[] {
  return judged.filter(({ is, acts }) => is === "worse" && acts === true).map(({ metric }) => metric);
}

function judgedAt(
  settings: JudgeSettings,
  samples: readonly Sample[],
  first: boolean,
  earlier: readonly Sample[],
): Judged[] {
  const newest = samples.at(-1);
  if (!newest) return [];
  const names = [...new Set(newest.metrics.map(({ metric }) => metric))];
  const bar = barFor(settings, names.length, first);
  return [...healthOf(samples), ...names.map((name) => judgeMetric(samples, name, bar, earlier))];
}

function judgeMetric(samples: readonly Sample[], name: string, bar: Bar, earlier: readonly Sample[]): Judged {
  const all = looksAt(samples, name);
  // Only looks that were compared with the same: a control that went away does not speak any more.
  const { baseline } = all.at(-1)!.measured;
  const looks = all.filter(({ measured }) => measured.baseline === baseline);
  const before = looksAt(earlier, name);
  const judgeOf = (some: readonly Look[]) => judgeLooks(name, some, bar, before);
  const judged = judgeOf(looks);
  return baseline === "before" ? afterTrouble(looks, judged, bar, judgeOf) : judged;
}

function judgeLooks(name: string, looks: readonly Look[], bar: Bar, earlier: readonly Look[]): Judged {
  if (name === "errors") return judgeErrors(looks, bar, earlier);
  if (isLatency(name)) return judgeLatency(looks, bar);
  return name === "throughput" ? judgeThroughput(looks, bar) : judgeValues(looks, bar);
}

/**
 * Whether what is fine is enough to go on with: errors where they are counted, each own query, and one quantile of the latency. What merely
 * rests on too little (a 99th percentile of fifty requests) does not hold the rest back.
 */
function isEnough(judged: readonly Judged[]): boolean {
  const isFine = ({ is }: Judged) => is === "fine";
  const errors = judged.find(({ metric }) => metric === "errors");
  if (errors && !isFine(errors)) return false;
  const latencies = judged.filter(({ metric }) => isLatency(metric));
  if (latencies.length > 0 && !latencies.some(isFine)) return false;
  return judged.some(isFine) && judged.every((one) => isFine(one) || one.thin === true);
}

/** A dead health endpoint is a disaster; a living one says only that something answers. */
function healthOf(samples: readonly Sample[]): Judged[] {
  const { health } = samples.at(-1)!;
  if (!health) return [];
  const [last, previous] = [health, samples.at(-2)?.health];
  const say = (is: MetricVerdict["is"], why: string, rest: Partial<Judged> = {}): Judged[] => {
    return [{ metric: "health", is, baseline: "none", of: last.asked, why, ...rest }];
  };
  if (last.asked === 0) return say("cannot_tell", "was not asked");
  const isDead = ({ asked, failed }: typeof last) => asked > 0 && failed >= asked;
  if (isDead(last) && previous && isDead(previous) && last.asked + previous.asked >= DEAD_PROBES) {
    return say("worse", "does not answer", { disaster: true, acts: true });
  }
  if (last.failed > 0) return say("cannot_tell", `failed ${last.failed} of ${last.asked} times`);
  if (last.otherVersion >= last.asked) return say("cannot_tell", "was answered by another version only");
  return say("fine", "answers");
}

const ORDER: readonly MetricVerdict["is"][] = ["fine", "cannot_tell", "degraded", "worse"];

function weightOf({ is, disaster }: Judged): number {
  return ORDER.indexOf(is) + (disaster ? 1 : 0);
}

function shown({ disaster: _, acts: _acts, thin: _thin, ...verdict }: Judged): MetricVerdict {
  return verdict;
}
