/** A question, read: the part of PromQL that is asked of a service's metrics. */
export type Expression =
  | { readonly is: "number"; readonly value: number }
  | { readonly is: "select"; readonly matchers: readonly Matcher[]; readonly seconds?: number; readonly back: number }
  /** What it comes to at many times, `step` seconds apart. */
  | { readonly is: "over"; readonly of: Expression; readonly seconds: number; readonly step: number }
  | { readonly is: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly is: "group"; readonly name: string; readonly by: readonly string[]; readonly of: Expression }
  | { readonly is: "operate"; readonly sign: string; readonly left: Expression; readonly right: Expression };

export interface Matcher {
  readonly label: string;
  readonly sign: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

/** What is not understood gets Prometheus's answer: 400. */
export class BadQuery extends Error {
  override readonly name = "BadQuery";
}

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\d+(?:ms|[smhd])|\d*\.?\d+(?:e[+-]?\d+)?)|([a-zA-Z_:][\w:]*)|(=~|!~|!=|[-+*/(){}[\],=]))/iy;
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const GROUPS = ["sum", "max", "min", "avg", "count"];
const BINDING: Readonly<Record<string, number>> = { or: 1, unless: 2, "+": 3, "-": 3, "*": 4, "/": 4 };

/** @throws BadQuery with what is not understood */
export function parsePromql(text: string): Expression {
  const tokens = split(text);
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const take = (wanted?: string) => {
    const token = tokens[at++] ?? "";
    if (wanted !== undefined && token !== wanted) throw new BadQuery(`${JSON.stringify(wanted)} was expected: ${text}`);
    return token;
  };

  function operation(least: number): Expression {
    let left = operand();
    for (let power = BINDING[peek()] ?? 0; power >= least && power > 0; power = BINDING[peek()] ?? 0) {
      const sign = take();
      left = { is: "operate", sign, left, right: operation(power + 1) };
    }
    return left;
  }

  function operand(): Expression {
    const token = peek();
    if (token === "(") {
      take();
      const inner = operation(1);
      take(")");
      return inner;
    }
    if (/^[\d.]/.test(token)) return { is: "number", value: Number(take()) };
    if (GROUPS.includes(token)) return group(take());
    if (tokens[at + 1] === "(") return over({ is: "call", name: take(), args: list("(", ")", () => operation(1)) });
    return selection();
  }

  function group(name: string): Expression {
    const before = peek() === "by" ? labels() : undefined;
    const [of] = list("(", ")", () => operation(1));
    if (of === undefined) throw new BadQuery(`${name} of nothing: ${text}`);
    return { is: "group", name, by: before ?? (peek() === "by" ? labels() : []), of };
  }

  function labels(): string[] {
    take("by");
    return list("(", ")", () => take());
  }

  function selection(): Expression {
    const name = /^[a-zA-Z_:]/.test(peek()) ? take() : undefined;
    const inside = peek() === "{" ? list("{", "}", matcher) : [];
    if (name === undefined && inside.length === 0) throw new BadQuery(`unexpected ${JSON.stringify(peek())}: ${text}`);
    const matchers: Matcher[] = [...(name ? [{ label: "__name__", sign: "=" as const, value: name }] : []), ...inside];
    const seconds = peek() === "[" ? between(duration) : undefined;
    const back = peek() === "offset" ? after(duration) : 0;
    return { is: "select", matchers, back, ...(seconds === undefined ? {} : { seconds }) };
  }

  function over(of: Expression): Expression {
    if (peek() !== "[") return of;
    return between(() => ({ is: "over", of, seconds: duration(), step: secondsOf(take().replace(/^:/, "")) }));
  }

  function between<T>(read: () => T): T {
    take("[");
    const inner = read();
    take("]");
    return inner;
  }

  function after<T>(read: () => T): T {
    take();
    return read();
  }

  function duration(): number {
    return secondsOf(take());
  }

  function matcher(): Matcher {
    const label = take();
    const sign = take();
    if (sign !== "=" && sign !== "!=" && sign !== "=~" && sign !== "!~") throw new BadQuery(`no matcher: ${text}`);
    return { label, sign, value: unquoted(take()) };
  }

  function list<T>(open: string, close: string, read: () => T): T[] {
    take(open);
    const all: T[] = [];
    while (peek() !== close) {
      all.push(read());
      if (peek() !== close) take(",");
    }
    take(close);
    return all;
  }

  const whole = operation(1);
  if (at < tokens.length) throw new BadQuery(`unexpected ${JSON.stringify(peek())}: ${text}`);
  return whole;
}

function unquoted(token: string): string {
  const bytes = token
    .slice(1, -1)
    .replaceAll(/\\x([0-9a-f]{2})|\\(.)/g, (_all, hex?: string, one = "") =>
      hex === undefined ? one : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function secondsOf(token: string): number {
  const [, count, unit = ""] = /^(\d+)(ms|[smhd])$/.exec(token) ?? [];
  if (count === undefined) throw new BadQuery(`${JSON.stringify(token)} is no length of time`);
  return Number(count) * (UNITS[unit] ?? 1);
}

function split(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ""; end = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (!match) throw new BadQuery(`unexpected ${JSON.stringify(text.slice(end))}`);
    tokens.push(match[0].trim());
  }
  return tokens;
}
