import { JudgeSettings, type Measured, type Reading, type Sample } from "../../../../src/domain/samples.ts";
import { judge } from "../../../../src/pipeline/deploy/judge/judge.ts";

export const SETTINGS = JudgeSettings.parse({});

export const counts = (errors: number, requests: number): Reading => ({ is: "counts", requests, errors });
export const value = (amount: number, of?: number): Reading =>
  of === undefined ? { is: "value", value: amount } : { is: "value", value: amount, of };
export const series = (...values: number[]): Reading => ({ is: "series", values });
export const none = (why: Extract<Reading, { is: "none" }>["why"], detail?: string): Reading =>
  detail === undefined ? { is: "none", why } : { is: "none", why, detail };

export function measured(
  metric: string,
  canary: Reading,
  control: Reading,
  baseline: Measured["baseline"] = "concurrent",
): Measured {
  return { metric, bad: metric === "throughput" ? "down" : "up", canary, control, baseline };
}

/** Looks of a minute each, one after the other. */
export function looks(count: number, metrics: (at: number) => readonly Measured[], weight = 5): Sample[] {
  return Array.from({ length: count }, (_, at) => {
    const [from, to] = [minute(at), minute(at + 1)];
    return { at: to, from, to, weight, metrics: [...metrics(at)] };
  });
}

export function minute(at: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
}

/** What each look of a step comes to, as they come in. */
export function answers(samples: readonly Sample[], settings = SETTINGS, first = false): string[] {
  return samples.map((_, at) => judge(settings, samples.slice(0, at + 1), first).follows);
}
