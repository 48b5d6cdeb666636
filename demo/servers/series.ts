export type Labels = Readonly<Record<string, string>>;

export interface Point {
  /** Seconds since 1970. */
  readonly at: number;
  readonly value: number;
}

/** One line of a page of metrics, over time. */
export interface Series {
  readonly labels: Labels;
  /** Oldest first. */
  readonly points: Point[];
  /** The time after which nobody reads it, in seconds since 1970. */
  ended?: number;
}

const KEPT_SECONDS = 900;

/** The lines of a page of metrics in Prometheus's text format; the name of the metric is the label `__name__`. */
export function readPage(page: string): { readonly labels: Labels; readonly value: number }[] {
  return page.split("\n").flatMap((line) => {
    const [, name, inner = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key, text]) => [key, text?.replaceAll(/\\(.)/g, (_all, one) => (one === "n" ? "\n" : one))] as const,
    );
    return [{ labels: { __name__: name, ...Object.fromEntries(labels) }, value: numberOf(value) }];
  });
}

/** As Prometheus writes numbers. */
export function numberOf(text: string): number {
  return text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text);
}

/** What was read of all targets, for a quarter of an hour. */
export class SeriesStore {
  readonly #series = new Map<string, Series>();

  add(labels: Labels, point: Point): void {
    const key = keyOf(labels);
    const series = this.#series.get(key) ?? { labels, points: [] };
    this.#series.set(key, series);
    delete series.ended;
    series.points.push(point);
    while ((series.points[0]?.at ?? point.at) < point.at - KEPT_SECONDS) series.points.shift();
  }

  /** Those of a target that is not read any more are known no longer, but for what was before. */
  end(instance: string, at: number): void {
    for (const series of this.#series.values()) if (series.labels.instance === instance) series.ended ??= at;
  }

  all(): readonly Series[] {
    return [...this.#series.values()];
  }
}

/** The same for the same labels, in whatever order. */
export function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
