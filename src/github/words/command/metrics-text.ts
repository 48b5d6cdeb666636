import {
  type Grouping,
  METRIC_NAMES,
  METRICS,
  type MetricFacts,
  type MetricName,
  type Tally,
  type Trend,
} from "../../../domain/metrics.ts";
import { duration, folded, foreignCode, usd, type Wording } from "../wording.ts";

/** What each metric is of. */
export const LABELS: { readonly [Name in MetricName]: string } = {
  resolved: "findings fixed when merged",
  dismissed: "findings dismissed",
  suggestions_taken: "suggestions taken as they were",
  thumbs_up: "thumbs up, of votes on findings",
  first_pass: "first review asked for nothing",
  silent: "pull requests without a comment",
  rounds_to_merge: "reviews until merged",
  runs_succeeded: "runs that came to their end",
  requests_completed: "requests on issues completed",
  cost_of_run: "cost of a run",
  cost_of_fixed: "cost of reviews for each fixed finding",
  seconds_to_check: "time from the start of a review to its result on GitHub",
  seconds_to_answer: "time until a person answered",
  seconds_to_dismissal: "time until a dismissal",
  overridden: "checks overridden, of reviews",
  steps_of_agent: "steps of an agent",
  tools_succeeded: "calls of tools that succeeded",
  arguments_valid: "calls of tools with valid arguments",
  seconds_to_first_tool: "time until an agent's first tool",
  bounces_of_run: "times that work went back, a run",
  bounced_and_done: "runs that went back and were completed",
  plan_followed: "tasks of plans done in full",
  errors_recovered: "errors recovered without a person",
  dead_end_cost: "cost of agents without a result",
  learnings_of_run: "learnings of a run",
  memories_used: "recalled memories that were used",
  memories_right: "used memories that proved right",
  production_faults: "faults that production showed, of changes reviewed and merged",
  rollbacks_false: "rollbacks by Forge whose version was healthy later",
};

/** Of these the answer is; the others are folded. */
const FIRST: readonly MetricName[] = [
  "resolved",
  "dismissed",
  "suggestions_taken",
  "first_pass",
  "rounds_to_merge",
  "requests_completed",
  "seconds_to_answer",
  "cost_of_run",
];

const GROUPS: { readonly [By in Grouping]: readonly [head: string, good: string, other: string] } = {
  rule: ["rule", "fixed", "dismissed"],
  layer: ["layer", "fixed", "dismissed"],
  model: ["model", "fixed", "dismissed"],
  kind: ["kind of run", "came to its end", "cost of one"],
};
const MOST_NAMES = 8;

/** `/forge metrics`: what can be counted here in the last 30 days, against the 30 before; the same lines for the terminal by `metricLines`. */
export function metricsText(facts: MetricFacts, wording: Wording): string {
  const { metrics, groups, from, to, arms = [] } = facts;
  const shown = (names: readonly MetricName[]) => names.filter((name) => metrics[name] !== undefined);
  const first = shown(FIRST);
  const others = shown(METRIC_NAMES.filter((name) => !FIRST.includes(name)));
  if (first.length + others.length === 0) {
    return "**Nothing to count yet**: no review or other work of the last 60 days came to an end here.";
  }
  const rest = [
    ...(others.length > 0
      ? [
          table(
            ["metric", "now", "before", "goal"],
            others.map((name) => metricRow(name, metrics[name])),
          ),
        ]
      : []),
    ...(arms.length > 0 ? [armsTable(arms)] : []),
    ...(Object.keys(GROUPS) as Grouping[]).flatMap((by) => {
      const rows = groups.filter((group) => group.by === by).slice(0, MOST_NAMES);
      const [head, good, other] = GROUPS[by];
      const cells = rows.map((group) => [foreignCode(group.name, wording, { table: true }), ...groupTexts(group)]);
      const cost = by === "model" ? ["cost of each fixed"] : [];
      return rows.length === 0 ? [] : [table([head, good, other, ...cost], cells)];
    }),
  ];
  return [
    `**This repository from ${day(from)} to ${day(to)}**, against the 30 days before.`,
    ...(first.length > 0
      ? [
          table(
            ["metric", "now", "before", "goal"],
            first.map((name) => metricRow(name, metrics[name])),
          ),
        ]
      : []),
    ...(rest.length > 0 ? [folded("more, by rule, layer, model and kind of run", rest.join("\n\n"))] : []),
  ].join("\n\n");
}

/** One run in ten works without memory: these are the two arms, over both windows. */
function armsTable(arms: NonNullable<MetricFacts["arms"]>): string {
  const rows = arms.map(({ name, ...tallies }) => {
    return [LABELS[name], tallyText(METRICS[name], tallies.with), tallyText(METRICS[name], tallies.without)];
  });
  return table(["in 60 days", "with memory", "without"], rows);
}

/** The same as lines of plain text: label, now, before, goal. */
export function metricLines({ metrics, groups, arms = [] }: MetricFacts): (readonly [string, string])[] {
  const named = METRIC_NAMES.flatMap((name) => {
    const trend = metrics[name];
    const [, , , goal] = metricRow(name, trend);
    return trend ? [[LABELS[name], trendText(METRICS[name], trend) + (goal ? ` (goal: ${goal})` : "")] as const] : [];
  });
  const apart = groups.map((group) => {
    const [head, goodIs, otherIs] = GROUPS[group.by];
    const [good, other, cost] = groupTexts(group);
    const third = cost === undefined ? "" : `; each fixed cost ${cost}`;
    return [`${head} ${group.name}`, `${goodIs} ${good}; ${otherIs} ${other}${third}`] as const;
  });
  const ofArms = arms.map(({ name, ...tallies }) => {
    const text = (tally: Tally) => tallyText(METRICS[name], tally);
    return [`${LABELS[name]}, by memory`, `with ${text(tallies.with)}; without ${text(tallies.without)}`] as const;
  });
  return [...named, ...ofArms, ...apart];
}

function groupTexts({ by, good, other, cost }: MetricFacts["groups"][number]): string[] {
  const texts = [
    trendText({ is: "share" }, good),
    trendText(by === "kind" ? METRICS.cost_of_run : { is: "share" }, other),
  ];
  if (!cost) return texts;
  const each = (window: keyof Trend) => ({ sum: cost[window].sum, of: good[window].sum });
  const paid = `${usd(cost.now.sum)}, none fixed`;
  return [
    ...texts,
    good.now.sum === 0 ? paid : trendText(METRICS.cost_of_fixed, { now: each("now"), before: each("before") }),
  ];
}

type Kind = { readonly is: "share" } | { readonly is: "mean"; readonly unit: "usd" | "seconds" | "part" | "count" };

/** "14 of 18, was 9 of 20": never a number without what it is of. */
function trendText(kind: Kind, { now, before }: Trend): string {
  return before.of === 0 ? tallyText(kind, now) : `${tallyText(kind, now)}, was ${tallyText(kind, before)}`;
}

export function tallyText(kind: Kind, { sum, of }: Tally): string {
  if (of === 0) return kind.is === "share" && sum > 0 ? `${whole(sum)} of none` : "none";
  if (kind.is === "share") return `${whole(sum)} of ${whole(of)}`;
  // Money of money.
  return kind.unit === "part" ? `${usd(sum)} of ${usd(of)}` : `${meanText(kind.unit, sum / of)} (${whole(of)})`;
}

/** A mean in its unit: "$0.42", "3 min", "1.5". */
export function meanText(unit: "usd" | "seconds" | "count", mean: number): string {
  switch (unit) {
    case "usd":
      return usd(mean);
    case "seconds":
      return duration(mean * 1000);
    case "count":
      return mean.toFixed(1);
    default:
      return unit satisfies never;
  }
}

/** A metric as cells of a table: its label, now, before, and its goal where it has one. */
export function metricRow(name: MetricName, trend: Trend | undefined): string[] {
  const metric: Kind & { readonly goal?: number; readonly below?: boolean } = METRICS[name];
  const { now, before } = trend ?? { now: { sum: 0, of: 0 }, before: { sum: 0, of: 0 } };
  return [LABELS[name], tallyText(metric, now), tallyText(metric, before), goalText(metric)];
}

function goalText(metric: Kind & { readonly goal?: number; readonly below?: boolean }): string {
  const { goal, below } = metric;
  if (goal === undefined) return "";
  const most = below ? "under" : "over";
  if (metric.is === "share" || metric.unit === "part") return `${most} ${Math.round(goal * 100)} of 100`;
  return `${most} ${metric.unit === "seconds" ? duration(goal * 1000) : goal}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

export function whole(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}

function day(at: string): string {
  return at.slice(0, 10);
}
