import { defined } from "../../../domain/defined.ts";
import type { JudgeSettings, Measured, MetricVerdict, Reading, Sample } from "../../../domain/samples.ts";

/** A metric of one look, and what the look knows beside it. */
export interface Look {
  readonly measured: Measured;
  readonly weight: number;
  /** Requests that each side had in this window, where they are known. */
  readonly requests: readonly [number | undefined, number | undefined];
}

/** What judging a metric needs beside its looks. */
export interface Bar {
  readonly settings: JudgeSettings;
  /** Evidence (a logarithm) from which on something is worse. */
  readonly worse: number;
  /** The most that one look may add: it takes two to roll back. */
  readonly most: number;
  /** The step is the first of its deployment: what rises with it rose with the version. */
  readonly first: boolean;
}

/** A metric's word; `thin`: only too little came for it to say more, which is no fault of anything. */
export type Judged = MetricVerdict & {
  readonly disaster?: boolean;
  /** May roll back where it is worse: a weaker baseline asks instead. */
  readonly acts?: boolean;
  readonly thin?: boolean;
};

/** The chance that one step of a version that is as good as the last is rolled back, by all metrics together. */
const FALSE_ROLLBACKS = 0.0005;
/** Evidence, as a logarithm, from which on something is called degraded (1 in 20), and fine (1 in 5). */
export const DEGRADED = Math.log(20);
export const FINE = Math.log(5);
/** A step of a day, looked at every six minutes; what is older is history. */
const MOST_LOOKS = 240;

/** @param metrics how many of them share the chance of a false rollback */
export function barFor(settings: JudgeSettings, metrics: number, first: boolean): Bar {
  const worse = Math.log(Math.max(1, metrics) / FALSE_ROLLBACKS);
  return { settings, worse, most: 0.6 * worse, first };
}

/** Samples in order whose windows do not overlap, as nothing may be counted twice; clocks that go back are left out. */
export function inOrder(samples: readonly Sample[]): Sample[] {
  const used: Sample[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const sample of samples) {
    const [from, to] = [Date.parse(sample.from), Date.parse(sample.to)];
    // Sources round to seconds.
    if (!(to > from) || from < until - 1_000) continue;
    used.push(sample);
    until = to;
  }
  return used.slice(-MOST_LOOKS);
}

/** The looks at a metric. One look knows it once; a second of the same name is not believed. */
export function looksAt(samples: readonly Sample[], metric: string): Look[] {
  return samples.flatMap(({ metrics, weight }) => {
    const measured = metrics.find((one) => one.metric === metric);
    const counts = metrics.find((one) => one.metric === "errors");
    const requests = [requestsOf(counts?.canary), requestsOf(counts?.control)] as const;
    return measured ? [{ measured: checked(measured), weight, requests }] : [];
  });
}

function requestsOf(reading: Reading | undefined): number | undefined {
  return reading?.is === "counts" && isAmount(reading.requests) ? reading.requests : undefined;
}

/** Text, NaN, infinite and negative amounts never count as numbers, whatever door they came by. */
function checked(measured: Measured): Measured {
  const signed = !["errors", "throughput", "latency_p50", "latency_p95", "latency_p99"].includes(measured.metric);
  const isNumber = signed ? Number.isFinite : isAmount;
  const check = (reading: Reading): Reading => {
    const isSound =
      reading.is === "none" ||
      (reading.is === "counts" &&
        isAmount(reading.requests) &&
        isAmount(reading.errors) &&
        reading.errors <= reading.requests) ||
      (reading.is === "value" && isNumber(reading.value) && (reading.of === undefined || isAmount(reading.of))) ||
      (reading.is === "series" && reading.values.every(isNumber));
    return isSound ? reading : { is: "none", why: "not_a_number" };
  };
  return { ...measured, canary: check(measured.canary), control: check(measured.control) };
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

/** Why a reading is missing, as words that follow the metric's name. */
const WHY: Readonly<Record<Extract<Reading, { is: "none" }>["why"], string>> = {
  not_written: "is not among the queries of Forge's operator",
  no_data: "has no data",
  stale: "has no new data",
  not_a_number: "is no number",
  several: "is several series where one was asked for",
  partial: "was answered in part",
  unreachable: "could not be asked: its source did not answer",
  refused: "could not be asked: its source refused",
  redirected: "could not be asked: its source sent Forge elsewhere",
  malformed: "could not be asked: its source's answer makes no sense",
};

const SOURCE_ERRORS: ReadonlySet<string> = new Set([
  "not_written",
  "partial",
  "unreachable",
  "refused",
  "redirected",
  "malformed",
]);

/** In words, where a reading is missing by an error of its source rather than of the service. */
export function sourceErrorsOf({ metrics }: Pick<Sample, "metrics">): string[] {
  return metrics.flatMap(({ metric, canary, control, baseline }) => {
    const missing = [canary, ...(baseline === "none" ? [] : [control])].find(
      (one) => one.is === "none" && SOURCE_ERRORS.has(one.why),
    );
    if (missing?.is !== "none") return [];
    return [`${metric} ${WHY[missing.why]}${missing.detail === undefined ? "" : ` (${missing.detail})`}`];
  });
}

/** The word on a metric that its newest look does not know: silence is not health. Undefined where it does. */
export function unknown({ measured }: Look): Judged | undefined {
  const { canary, control, baseline } = measured;
  if (canary.is === "none") return cannotTell(measured, WHY[canary.why]);
  if (baseline !== "none" && control.is === "none")
    return cannotTell(measured, `of the version before ${WHY[control.why]}`);
  return undefined;
}

type Numbers = Partial<Pick<MetricVerdict, "canary" | "control" | "ratio" | "of" | "controlOf" | "p">> & {
  readonly thin?: boolean;
};

export function cannotTell(measured: Measured, why: string, numbers: Numbers = {}): Judged {
  return word(measured, "cannot_tell", why, numbers);
}

/** A verdict with its numbers; such that are none are left out. */
export function word(
  { metric, baseline }: Measured,
  is: MetricVerdict["is"],
  why: string,
  { canary, control, ratio, of, controlOf, p, thin }: Numbers,
): Judged {
  const known = (value: number | undefined) => (value !== undefined && Number.isFinite(value) ? value : undefined);
  const sides = { canary: known(canary), control: known(control), of: known(of), controlOf: known(controlOf) };
  const numbers = { ...sides, ratio: known(ratio), p: known(p) };
  return { metric, is, baseline, ...defined(numbers), why, ...defined({ thin }) };
}

/** The chance that belongs to evidence. */
export function chanceOf(log: number): number {
  return Math.min(1, Math.exp(-log));
}
