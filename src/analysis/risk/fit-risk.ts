import { defined } from "../../domain/defined.ts";
import { COMPONENT_POINTS, type LearntHistory, RISK_COMPONENTS, type RiskWeights } from "../../domain/risk.ts";
import type { ChildFile } from "../child/protocol.ts";
import { findMended, MENDED_WITHIN_DAYS, type PastChange } from "./mended-changes.ts";

/**
 * How often a mended change has the higher score of the two, when it is compared with one that was not; 0.5 by chance. NaN where all are alike.
 */
export function areaUnderCurve(scores: readonly number[], mended: readonly boolean[]): number {
  const order = scores.map((score, at) => ({ score, mended: mended[at] === true })).sort((a, b) => a.score - b.score);
  const yes = order.filter((one) => one.mended).length;
  const no = order.length - yes;
  let ranks = 0;
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && order[to]?.score === order[from]?.score) to += 1;
    const same = order.slice(from, to).filter((one) => one.mended).length;
    ranks += same * ((from + to + 1) / 2);
    from = to;
  }
  return (ranks - (yes * (yes + 1)) / 2) / (yes * no);
}

/** The sum of the components as they count here; by the fixed formula without weights. */
export function weighed(points: readonly number[], weights?: RiskWeights): number {
  return points.reduce((sum, one, at) => sum + one * (weights?.[RISK_COMPONENTS[at]!] ?? 1), 0);
}

/** Whether it is known by now what became of a change. */
function isSettled({ at }: PastChange, until: number): boolean {
  return at + MENDED_WITHIN_DAYS * 86_400_000 <= until;
}

/** With fewer the weights would be those that the fit starts from. */
const LEAST_CHANGES = 200;
/** In each of the two parts. */
const LEAST_MENDED = 5;
/** What is fitted to the earlier half is judged by the later one. */
const FITTED_SHARE = 0.5;

export interface Fitted {
  /** By the whole history. */
  readonly weights: RiskWeights;
  /** On its later part, how often the mended one of two changes has the higher score: by the fixed formula, and fitted to the earlier part. */
  readonly fixed: number;
  readonly fitted: number;
}

/**
 * Cuts a history in two by time. Of the earlier part only what was known at the cut counts: which changes were mended by then, or not
 * within the days that they had.
 * @param changes oldest first
 * @param share of the changes that come before the cut, 0 to 1
 */
export function splitByTime(changes: readonly PastChange[], until: number, share: number) {
  const known = changes.filter((change) => isSettled(change, until));
  const cut = known[Math.floor(known.length * share)]?.at ?? 0;
  return { cut, earlier: known.filter((change) => isSettled(change, cut)), later: known.filter(({ at }) => at > cut) };
}

/**
 * Weights for the components by a history, and how such weights do on its later part against the fixed formula. Undefined where there is
 * too little to tell. The same history gives the same weights.
 */
export function fitWeights(changes: readonly PastChange[], until: number): Fitted | undefined {
  const known = changes.filter((change) => isSettled(change, until));
  const { earlier, later } = splitByTime(changes, until, FITTED_SHARE);
  if (known.length < LEAST_CHANGES || Math.min(countMended(earlier), countMended(later)) < LEAST_MENDED)
    return undefined;
  const byEarlier = mostLikely(earlier);
  return {
    weights: mostLikely(known),
    fixed: areaOver(later, ({ points }) => weighed(points)),
    fitted: areaOver(later, ({ points }) => weighed(points, byEarlier)),
  };
}

/** The area under the curve of a score over changes of which it is known what became of them. */
export function areaOver(changes: readonly PastChange[], score: (change: PastChange) => number): number {
  return areaUnderCurve(
    changes.map(score),
    changes.map(({ mendedAt }) => mendedAt !== undefined),
  );
}

export function countMended(changes: readonly PastChange[]): number {
  return changes.filter(({ mendedAt }) => mendedAt !== undefined).length;
}

/**
 * What the fit starts from and is drawn back to: the formula's components with the weights that they have on average in eleven public
 * histories, none of them among the ten that `npm run bench:risk` names. A history of some hundred changes says too little by itself.
 */
const USUAL = [1.5, 0.7, 1.25, 1.1, 0.45] as const;
/** How strongly: as much as some 300 changes say of a component of which one in ten was mended. */
const STRENGTH = 10;
/** No component is left out, and none makes more than half of the score: people can still follow the sum. */
const [LEAST, MOST] = [0.25, 2.5];
const LEAST_SLOPE = 0.2;

/** Logistic regression of being mended on the components under a normal prior. The weights come to five, so that the score ends at 100. */
function mostLikely(changes: readonly PastChange[]): RiskWeights {
  const rows = changes.map(({ points }) => points.map((one) => one / COMPONENT_POINTS));
  const labels = changes.map(({ mendedAt }) => (mendedAt === undefined ? 0 : 1));
  const sums = rows.map((row) => [row.reduce((sum, one, at) => sum + one * USUAL[at]!, 0)]);
  const [, found = 0] = solve(sums, labels, [0], 1e-3);
  const slope = Math.max(LEAST_SLOPE, found);
  const [, ...fitted] = solve(
    rows,
    labels,
    USUAL.map((one) => one * slope),
    STRENGTH,
  );
  const within = toFive(
    toFive(fitted.map((one) => Math.max(0, one))).map((one) => Math.min(MOST, Math.max(LEAST, one))),
  );
  const rounded = within.map((one) => Math.round(100 * one) / 100);
  return Object.fromEntries(RISK_COMPONENTS.map((name, at) => [name, rounded[at]!])) as RiskWeights;
}

function toFive(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, one) => sum + one, 0);
  return weights.map((one) => (total === 0 ? 1 : (one * weights.length) / total));
}

/** What is kept of a history. */
export type Learnt = Pick<LearntHistory, "weights" | "past">;

/** Projects change: what was usual ten years ago says little of today. */
export const MOST_PAST = 500;

/** For each change whose fate is known its score, and the weights where they do better than the fixed formula. */
export function learnFrom(changes: readonly PastChange[], until: number): Learnt {
  const fit = fitWeights(changes, until);
  const weights = fit !== undefined && fit.fitted > fit.fixed ? fit.weights : undefined;
  const known = changes.filter((change) => isSettled(change, until));
  const past = known.slice(-MOST_PAST).map(({ points, mendedAt }): [number, boolean] => {
    return [Math.round(100 * weighed(points, weights)) / 100, mendedAt !== undefined];
  });
  return { ...defined({ weights }), past };
}

/** The same of what git wrote into a folder: in the child process, whose folder that is. */
export function learnFromFiles({ landed }: ChildFile): Learnt {
  if (landed === undefined) throw new Error("a history is asked for by its files");
  const { changes, until } = findMended(landed);
  return learnFrom(changes, until);
}

/** A change is like another when their scores are this near: a fifth of a level and a half. */
const NEAR = 5;
/** The nearest of them. */
const MOST_ALIKE = 100;
/** Of fewer nothing is said: none of 30 mended still leaves it open whether one in ten will be. */
const LEAST_ALIKE = 30;
/** In all: where fewer are known, people here do not say of their commits what they mend. */
const LEAST_KNOWN = 10;

/** How many of the changes of the past with nearly this score were mended; undefined where that says too little. */
export function likeThis({ past }: Pick<LearntHistory, "past">, score: number) {
  const mended = past.filter(([, was]) => was).length;
  if (mended < LEAST_KNOWN) return undefined;
  const distance = ([one]: readonly [number, boolean]) => Math.abs(one - score);
  const alike = past.filter((one) => distance(one) <= NEAR).reverse();
  const nearest = alike.sort((a, b) => distance(a) - distance(b)).slice(0, MOST_ALIKE);
  if (nearest.length < LEAST_ALIKE) return undefined;
  return {
    ...{ alike: nearest.length, mended: nearest.filter(([, was]) => was).length },
    ...{ all: past.length, allMended: mended, days: MENDED_WITHIN_DAYS },
  };
}

const ROUNDS = 30;

/** Newton's steps to the most likely coefficients under a normal prior; the intercept has none. */
function solve(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  means: readonly number[],
  strength: number,
): number[] {
  const rate = labels.reduce((sum, one) => sum + one, 0.5) / (labels.length + 1);
  let at = [Math.log(rate / (1 - rate)), ...means];
  const size = at.length;
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope = at.map((value, i) => (i === 0 ? 0 : -strength * (value - (means[i - 1] ?? 0))));
    const bend = at.map((_, i) => at.map((__, j) => (i === j ? (i === 0 ? 1e-6 : strength) : 0)));
    rows.forEach((row, n) => {
      const full = [1, ...row];
      const chance = 1 / (1 + Math.exp(-full.reduce((sum, one, i) => sum + one * (at[i] ?? 0), 0)));
      const [miss, weight] = [(labels[n] ?? 0) - chance, chance * (1 - chance)];
      for (let i = 0; i < size; i += 1) {
        slope[i] = (slope[i] ?? 0) + miss * (full[i] ?? 0);
        const line = bend[i] ?? [];
        for (let j = 0; j < size; j += 1) line[j] = (line[j] ?? 0) + weight * (full[i] ?? 0) * (full[j] ?? 0);
      }
    });
    const step = eliminate(bend, slope);
    at = at.map((value, i) => value + Math.max(-2, Math.min(2, step[i] ?? 0)));
    if (Math.max(...step.map(Math.abs)) < 1e-9) break;
  }
  return at;
}

/** Solves a small system of equations whose matrix is symmetric and positive. */
function eliminate(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot += 1) {
    const top = rows[pivot] ?? [];
    for (let below = pivot + 1; below < size; below += 1) {
      const row = rows[below] ?? [];
      const share = (row[pivot] ?? 0) / (top[pivot] || 1);
      for (let at = pivot; at <= size; at += 1) row[at] = (row[at] ?? 0) - share * (top[at] ?? 0);
    }
  }
  const solution = Array<number>(size).fill(0);
  for (let at = size - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? [];
    const rest = solution.reduce((sum, one, column) => (column > at ? sum + one * (row[column] ?? 0) : sum), 0);
    solution[at] = ((row[size] ?? 0) - rest) / (row[at] || 1);
  }
  return solution;
}
