import type { MetricNames } from "./settings.ts";

/**
 * A text as the inside of a string of PromQL, in double or single quotes. Everything but letters, digits and a few marks is written as its
 * bytes, which both kinds of quotes take: no value ends the string that it stands in. In backticks, where nothing is escaped, it is another
 * text, and ends nothing either.
 */
export function insideString(text: string): string {
  return [...Buffer.from(text.toWellFormed(), "utf8")]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.:/-]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");
}

/** Fills in a query of a repository or of the operator. @param seconds of the window */
export function fillIn(promql: string, version: string, seconds: number): string {
  const filled = { version: insideString(version), window: `${seconds}s` };
  return promql.replace(/\$(version|window)\b/g, (_, name: keyof typeof filled) => filled[name]);
}

/** Queries of what every service has, of one version in a window of so many seconds. Each gives one number. */
export function builtInQueries(names: MetricNames, version: string, seconds: number) {
  const given = Object.entries(names.labels).map(([name, value]) => `${name}="${insideString(value)}"`);
  const labels = [...given, `${names.version}="${insideString(version)}"`];
  const failing = [...labels, `${names.code}=~"${regularExpression(names.failed)}"`];
  const requests = `${names.requests}{${labels.join(",")}}`;
  const count = `${names.duration}_count{${labels.join(",")}}`;
  const buckets = `${names.duration}_bucket{${labels.join(",")}}`;
  return {
    requests: `sum(${grown(requests, seconds)})`,
    errors: `sum(${grown(`${names.requests}{${failing.join(",")}}`, seconds)})`,
    /** Where the first gives nothing: how old the newest number is. */
    newest: `max(max_over_time(timestamp(${requests})[1h:15s]))`,
    observed: `sum(${grown(count, seconds)})`,
    quantile: (quantile: number) => `histogram_quantile(${quantile}, sum by (le) (${grown(buckets, seconds)}))`,
  };
}

/**
 * How much counters grew. `increase` sees nothing of a series that begins within the window: the first errors of a new version would be
 * missed. Such a series grew by all that it has.
 */
function grown(selector: string, seconds: number): string {
  return `(${selector} unless ${selector} offset ${seconds}s) or increase(${selector}[${seconds}s])`;
}

/** Written by the operator as Prometheus reads it; only the string must not end. */
function regularExpression(written: string): string {
  return written.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
