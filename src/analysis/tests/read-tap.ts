import { checkTapOrder } from "./tap-order.ts";
import { readTapPoint } from "./tap-point.ts";
import {
  type FailedTest,
  FILE_ITSELF,
  failedTest,
  pathInBox,
  ReportBuilder,
  RUN_ITSELF,
  type TestReport,
} from "./test-results.ts";

/** Lines that a crashed file left behind, and lines of one failure's details. */
const MOST_LINES = 60;

export interface TapOptions {
  /** The file whose program printed the report, where it is known. */
  readonly file?: string;
  /** The runner numbers its results without a gap, and tests print into the same stream: what is out of order is not the runner's. */
  readonly ordered?: boolean;
}

/**
 * Reads TAP, with what `node --test` writes into it. Undefined where the runner did not get to its end, so that half a report is never
 * taken for a whole one.
 */
export function readTap(stdout: string, { file: program, ordered = false }: TapOptions = {}): TestReport | undefined {
  const built = new ReportBuilder();
  let results = 0;
  let plan: number | undefined;
  let ended = false;
  /** Failures that a runner counts below the results, and that no result shows. */
  let counted = 0;
  /** The tests around the one at hand, outermost first, as the indentation of their names tells. */
  let around: string[] = [];
  /** For each depth, whether a test below it failed since the last result there. */
  let failedBelow: boolean[] = [];
  let said: string[] = [];
  const lines = stdout.split("\n");
  const strays = ordered ? checkTapOrder(lines) : undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const started = /^((?: {4})*)# Subtest: (.*)$/.exec(line);
    if (started) {
      around = [...around.slice(0, (started[1] ?? "").length / 4), unescaped(started[2] ?? "")];
      continue;
    }
    const [, count] = /^# (?:fail|cancelled) {1,8}(\d{1,9})$/.exec(line) ?? [];
    if (count !== undefined) counted += Number(count);
    else if (line.startsWith("# ")) said = [...said.slice(1 - MOST_LINES), line.slice(2)];
    if (/^Bail out!/.test(line)) {
      built.fail(failedTest(program === undefined ? RUN_ITSELF : FILE_ITSELF, program, line));
      ended = true;
      break;
    }
    const planned = /^1\.\.(\d{1,9})(?: |$)/.exec(line)?.[1];
    if (planned !== undefined) {
      plan = Number(planned);
      counted = 0;
    }
    const point = strays?.skip.has(at) ? undefined : (strays?.found.get(at) ?? readTapPoint(line));
    if (!point) continue;
    const { depth, ok, name, directive } = point;
    const { end, details } = detailsAfter(lines, at);
    at = end;
    counted = 0;
    if (depth === 0) results += 1;
    const isAround = failedBelow[depth + 1] === true;
    failedBelow = failedBelow.slice(0, depth + 1);
    const path = [...around.slice(0, depth), name].join(" > ");
    const suite = /^[ \t]*type: 'suite'$/m.test(details);
    if (directive !== undefined) built.count("skipped");
    else if (ok && !suite) built.count("passed");
    else if (!ok && !isOfOthers(details, isAround)) built.fail(failureOf(path, name, details, { said, program }));
    if (!ok && directive === undefined) for (let above = 1; above <= depth; above += 1) failedBelow[above] = true;
    said = [];
  }
  if (plan === undefined && !ended) return undefined;
  for (const missing of strays?.missing(plan ?? 0) ?? [])
    built.fail(failedTest(FILE_ITSELF, program, `The report has no result with the number ${missing}.`));
  if (!ordered && plan !== undefined && results < plan)
    built.fail(failedTest(RUN_ITSELF, program, `The report announces ${plan} results and has ${results}.`));
  if (built.failed === 0 && counted > 0)
    built.fail(failedTest(RUN_ITSELF, program, `The runner counts ${counted} failed tests, and names none of them.`));
  return built.report();
}

/** What stands around a failed test fails because of it: only the test says something. */
function isOfOthers(details: string, isAround: boolean): boolean {
  const [, type] = /failureType: '(\w{1,40})'/.exec(details) ?? [];
  return type === undefined ? isAround : type === "subtestsFailed";
}

/** The YAML between `---` and `...` behind a point, and the line that it ends on. */
function detailsAfter(lines: readonly string[], at: number): { readonly end: number; readonly details: string } {
  const indent = /^(\s*)---$/.exec(lines[at + 1] ?? "")?.[1];
  if (indent === undefined) return { end: at, details: "" };
  let end = at + 2;
  while (end < lines.length && lines[end] !== `${indent}...`) end += 1;
  return { end, details: lines.slice(at + 2, Math.min(end, at + 2 + MOST_LINES)).join("\n") };
}

interface Around {
  readonly said: readonly string[];
  readonly program: string | undefined;
}

function failureOf(path: string, name: string, details: string, { said, program }: Around): FailedTest {
  const location = /^[ \t]*location: '(.*?):\d+:\d+'/m.exec(details)?.[1];
  const file = location === undefined ? program : pathInBox(unescaped(location));
  // What fails by the name of its file is the file: what it printed before says why, the details do not.
  if (file !== undefined && (pathInBox(name) === file || file.endsWith(`/${name}`)))
    return failedTest(FILE_ITSELF, file, [...said, withoutNoise(details)].join("\n"));
  return failedTest(path, file, withoutNoise(details));
}

/** The report's own bookkeeping, and the runner's frames on the stack. */
function withoutNoise(details: string): string {
  const noise =
    /^\s*(?:---|duration_ms:.*|type:.*|location:.*|failureType:.*|stack: .*)$|\(node:internal\/|^\s*async .*node:internal\//;
  return details
    .split("\n")
    .filter((line) => !noise.test(line))
    .map((line) => line.trim())
    .join("\n");
}

function unescaped(text: string): string {
  return text.replace(/\\([#\\])/g, "$1");
}
