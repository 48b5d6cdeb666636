import { z } from "zod";
import { trimEndOf } from "../domain/trim-characters.ts";
import { askSource, type Silence, silence } from "./ask-source.ts";

const MOST_BYTES = 1024 * 1024;

/** Time in seconds, and the number as text: Prometheus writes `NaN` and `+Inf` too. */
const Point = z.tuple([z.number(), z.string()]);

const Success = z.object({
  status: z.literal("success"),
  data: z.discriminatedUnion("resultType", [
    z.object({ resultType: z.literal("vector"), result: z.array(z.object({ value: Point })) }),
    z.object({ resultType: z.literal("scalar"), result: Point }),
    z.object({ resultType: z.literal("matrix"), result: z.array(z.object({ values: z.array(Point) })) }),
  ]),
  warnings: z.array(z.string()).optional(),
});
type Data = z.infer<typeof Success>["data"];

const Failure = z.object({ status: z.literal("error"), errorType: z.string(), error: z.string() });

export interface PrometheusServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** A window of time in seconds since 1970; an answer with an older number is stale. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface OneNumber {
  readonly is: "value";
  readonly value: number;
}

/** One number at the end of a window. */
export async function query(
  server: PrometheusServer,
  promql: string,
  { from, to }: Window,
  signal?: AbortSignal,
): Promise<OneNumber | Silence> {
  const data = await ask(server, "query", { query: promql, time: String(to) }, signal);
  if ("is" in data) return data;
  if (data.resultType === "matrix") return silence("malformed", "the query gives a range, not one number");
  const points = data.resultType === "scalar" ? [data.result] : data.result.map(({ value }) => value);
  if (points.length > 1) return silence("several", `${points.length} series, where one number was asked for`);
  const [point] = points;
  if (point === undefined) return silence("no_data", "it knows no such series");
  const [at, written] = point;
  if (at < from) return silence("stale", `its newest number is ${Math.round(to - at)} s old`);
  const value = numberIn(written);
  return value === undefined ? silence("not_a_number", `it says ${written.slice(0, 20)}`) : { is: "value", value };
}

export interface Numbers {
  readonly is: "series";
  readonly values: number[];
}

/** One number for each part of a window, `steps` parts at most; those that are no numbers are left out. */
export async function queryRange(
  server: PrometheusServer,
  promql: string,
  { from, to }: Window,
  steps: number,
  signal?: AbortSignal,
): Promise<Numbers | Silence> {
  const step = Math.max(1, (to - from) / steps);
  const times = { start: String(from + step), end: String(to), step: String(step) };
  const data = await ask(server, "query_range", { query: promql, ...times }, signal);
  if ("is" in data) return data;
  if (data.resultType !== "matrix") return silence("malformed", "it answered a range with one number");
  if (data.result.length > 1) return silence("several", `${data.result.length} series, where one was asked for`);
  const points = data.result[0]?.values ?? [];
  if (points.length === 0) return silence("no_data", "it knows no such series");
  const within = points.filter(([at]) => at >= from && at <= to + step);
  if (within.length === 0) return silence("stale", "all its numbers are from before the window");
  const values = within.flatMap(([, written]) => numberIn(written) ?? []);
  return values.length === 0
    ? silence("not_a_number", "none of its values is a number")
    : { is: "series", values: values.slice(0, 10_000) };
}

/** Numbers as Prometheus writes them. `NaN` and infinities are none, and neither is what `Number` alone would take, such as an empty text. */
function numberIn(written: string): number | undefined {
  if (!/^[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(written)) return undefined;
  const value = Number(written);
  return Number.isFinite(value) ? value : undefined;
}

async function ask(
  { url, headers, timeoutMs }: PrometheusServer,
  path: "query" | "query_range",
  form: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Data | Silence> {
  const address = `${trimEndOf(url, "/")}/api/v1/${path}`;
  const within = `${Math.ceil(timeoutMs / 1000)}s`;
  const question = {
    url: address,
    headers,
    form: { ...form, timeout: within },
    timeoutMs,
    mostBytes: MOST_BYTES,
    signal,
  };
  const answer = await askSource(question);
  if (answer.is === "none") return answer;
  const body = parse(answer.text);
  const failure = Failure.safeParse(body);
  if (failure.success) {
    // It did not come to an answer itself: 503 is its own time-out.
    const why = answer.status >= 500 || failure.data.errorType === "timeout" ? "unreachable" : "refused";
    return silence(why, `${failure.data.errorType}: ${failure.data.error}`);
  }
  if (answer.status >= 500) return silence("unreachable", `it answered ${answer.status}`);
  if (answer.status !== 200) return silence("refused", `it answered ${answer.status}`);
  const success = Success.safeParse(body);
  if (!success.success) return silence("malformed", "its answer is not what Prometheus answers");
  const [warning] = success.data.warnings ?? [];
  return warning === undefined ? success.data.data : silence("partial", warning);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
