import { BadQuery, type Expression, type Matcher } from "./parse-promql.ts";
import { keyOf, type Labels, numberOf, type Point, type Series } from "./series.ts";

/** After so many seconds without a new one the last number counts no longer. */
const LOOKBACK_SECONDS = 300;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

type Value = number | readonly Sample[];

/** What a question comes to at a time in seconds since 1970, as Prometheus works it out. @throws BadQuery */
export function evaluate(expression: Expression, series: readonly Series[], at: number): Value {
  const ask = (each: Expression) => evaluate(each, series, at);
  if (expression.is === "number") return expression.value;
  if (expression.is === "select") return select(expression, series, at);
  if (expression.is === "over") throw new BadQuery("many times stand only in max_over_time");
  if (expression.is === "group") return group(expression, vector(ask(expression.of)));
  if (expression.is === "operate") return operate(expression.sign, ask(expression.left), ask(expression.right));
  const { name, args } = expression;
  const [first, second] = args;
  if (first === undefined) throw new BadQuery(`${name} of nothing`);
  if (name === "rate" || name === "increase") return increase(name, first, series, at);
  if (name === "timestamp" && first.is === "select") return select(first, series, at, ({ at: time }) => time);
  if (name === "max_over_time" && first.is === "over") return largest(first, series, at);
  if (name === "vector") return [{ labels: {}, value: number(ask(first)) }];
  if (name === "histogram_quantile" && second) return quantiles(number(ask(first)), vector(ask(second)));
  throw new BadQuery(`unknown function with name ${JSON.stringify(name)}`);
}

function vector(value: Value): readonly Sample[] {
  if (typeof value === "number") throw new BadQuery("expected type instant vector, got scalar");
  return value;
}

function number(value: Value): number {
  if (typeof value !== "number") throw new BadQuery("expected type scalar, got instant vector");
  return value;
}

function matching(matchers: readonly Matcher[], series: readonly Series[]): Series[] {
  const tests = matchers.map(({ label, sign, value }) => {
    const isRegex = sign.endsWith("~");
    const regex = isRegex ? new RegExp(`^(?:${value})$`) : undefined;
    const wanted = !sign.startsWith("!");
    return ({ labels }: Series) =>
      (regex ? regex.test(labels[label] ?? "") : (labels[label] ?? "") === value) === wanted;
  });
  return series.filter((each) => tests.every((test) => test(each)));
}

type Selection = Extract<Expression, { is: "select" }>;

function select(
  { matchers, seconds, back }: Selection,
  series: readonly Series[],
  now: number,
  read = ({ value }: Point) => value,
): Sample[] {
  if (seconds !== undefined) throw new BadQuery("a length of time stands only in rate and increase");
  const at = now - back;
  return matching(matchers, series).flatMap(({ labels, points, ended = Infinity }) => {
    const last = points.findLast((point) => point.at <= at);
    if (!last || last.at <= at - LOOKBACK_SECONDS || ended <= at) return [];
    return [{ labels, value: read(last) }];
  });
}

/** Of many times, at multiples of the step as Prometheus has them. */
function largest({ of, seconds, step }: Extract<Expression, { is: "over" }>, series: readonly Series[], at: number) {
  const found = new Map<string, Sample>();
  for (let time = Math.ceil((at - seconds) / step) * step; time <= at; time += step) {
    for (const { labels, value } of vector(evaluate(of, series, time))) {
      const bare = without(labels, "__name__");
      const key = keyOf(bare);
      found.set(key, { labels: bare, value: Math.max(value, found.get(key)?.value ?? -Infinity) });
    }
  }
  return [...found.values()];
}

/** https://github.com/prometheus/prometheus/blob/v2.42.0/promql/functions.go, extrapolatedRate */
function increase(name: string, of: Expression, series: readonly Series[], now: number): Sample[] {
  if (of.is !== "select" || of.seconds === undefined) throw new BadQuery(`expected type range vector in ${name}`);
  const { matchers, seconds } = of;
  const at = now - of.back;
  return matching(matchers, series).flatMap(({ labels, points }) => {
    const inside = points.filter((point) => point.at >= at - seconds && point.at <= at);
    const first = inside[0];
    const last = inside.at(-1);
    if (!first || !last || inside.length < 2) return [];
    const value =
      grown(inside) * extrapolation({ first, last, count: inside.length, grown: grown(inside) }, at - seconds, at);
    const { __name__: _name, ...others } = labels;
    return [{ labels: others, value: name === "rate" ? value / seconds : value }];
  });
}

/** A counter that is smaller than before started again. */
function grown(points: readonly Point[]): number {
  return points.reduce((sum, { value }, index) => {
    const before = points[index - 1]?.value ?? value;
    return sum + (value < before ? value : value - before);
  }, 0);
}

interface Stretch {
  readonly first: Point;
  readonly last: Point;
  readonly count: number;
  readonly grown: number;
}

function extrapolation({ first, last, count, grown: by }: Stretch, start: number, end: number): number {
  const sampled = last.at - first.at;
  const apart = sampled / (count - 1);
  const atMost = apart * 1.1;
  let before = first.at - start;
  // A counter is never below zero.
  if (by > 0 && first.value >= 0) before = Math.min(before, sampled * (first.value / by));
  const after = end - last.at;
  const total = sampled + (before < atMost ? before : apart / 2) + (after < atMost ? after : apart / 2);
  return total / sampled;
}

function group({ name, by }: Extract<Expression, { is: "group" }>, samples: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(samples, ({ labels }) => keyOf(pick(labels, by)));
  return [...groups.values()].map((members) => {
    const values = members.map(({ value }) => value);
    const sum = values.reduce((all, each) => all + each, 0);
    const results: Readonly<Record<string, number>> = {
      ...{ sum, avg: sum / values.length, count: values.length },
      ...{ max: Math.max(...values), min: Math.min(...values) },
    };
    return { labels: pick(members[0]?.labels ?? {}, by), value: results[name] ?? Number.NaN };
  });
}

function pick(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
}

function without(labels: Labels, ...names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name)));
}

const SIGNS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

function operate(sign: string, left: Value, right: Value): Value {
  if (sign === "or") return [...vector(left), ...lacking(vector(right), vector(left))];
  if (sign === "unless") return lacking(vector(left), vector(right));
  const apply = SIGNS[sign] ?? (() => Number.NaN);
  if (typeof left === "number" && typeof right === "number") return apply(left, right);
  const bare = (samples: Value) =>
    vector(samples).map(({ labels, value }) => ({ labels: without(labels, "__name__"), value }));
  if (typeof left === "number") return bare(right).map(({ labels, value }) => ({ labels, value: apply(left, value) }));
  if (typeof right === "number") return bare(left).map(({ labels, value }) => ({ labels, value: apply(value, right) }));
  const others = new Map(bare(right).map(({ labels, value }) => [keyOf(labels), value]));
  return bare(left).flatMap(({ labels, value }) => {
    const other = others.get(keyOf(labels));
    return other === undefined ? [] : [{ labels, value: apply(value, other) }];
  });
}

/** Those of which the others have none alike. */
function lacking(samples: readonly Sample[], others: readonly Sample[]): Sample[] {
  const key = ({ labels }: Sample) => keyOf(without(labels, "__name__"));
  const known = new Set(others.map(key));
  return samples.filter((each) => !known.has(key(each)));
}

/** https://github.com/prometheus/prometheus/blob/v2.42.0/promql/quantile.go, bucketQuantile */
function quantiles(quantile: number, samples: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(samples, ({ labels }) => keyOf(without(labels, "le", "__name__")));
  return [...groups.values()].map((members) => ({
    labels: without(members[0]?.labels ?? {}, "le", "__name__"),
    value: bucketQuantile(
      quantile,
      members
        .map(({ labels, value }) => ({ le: numberOf(labels.le ?? "NaN"), count: value }))
        .sort((a, b) => a.le - b.le),
    ),
  }));
}

function bucketQuantile(quantile: number, buckets: readonly { readonly le: number; readonly count: number }[]): number {
  const total = buckets.at(-1);
  if (!total || total.le !== Infinity || buckets.length < 2 || total.count === 0) return Number.NaN;
  const rank = quantile * total.count;
  const at = buckets.slice(0, -1).findIndex(({ count }) => count >= rank);
  if (at < 0) return buckets.at(-2)?.le ?? Number.NaN;
  const bucket = buckets[at]!;
  if (at === 0 && bucket.le <= 0) return bucket.le;
  const before = at > 0 ? buckets[at - 1]! : { le: 0, count: 0 };
  const inBucket = bucket.count - before.count;
  return before.le + (bucket.le - before.le) * ((rank - before.count) / inBucket);
}
