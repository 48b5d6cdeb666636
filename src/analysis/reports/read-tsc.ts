import { pathInCheckout } from "./reported-path.ts";
import { categoryOf } from "./rule-categories.ts";
import {
  gatherReport,
  LARGEST_REPORT,
  type ReportedResult,
  type ReportOptions,
  type ToolReport,
} from "./tool-report.ts";

/** A longer line is no diagnostic, and patterns are run on no more of it. */
const LONGEST_LINE = 8_000;

const MOST_CONTINUATIONS = 20;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are switched on and off by control characters
const COLOUR = /\u001b\[[0-9;]{0,20}m/g;

/** `src/a.ts(12,5): error TS2322: ...`, and with colours `src/a.ts:12:5 - error TS2322: ...`. */
const PLAIN = /^(.+)\((\d{1,9}),(\d{1,9})\): (error|warning|message) (TS\d{1,6}): (.*)$/;
const PRETTY = /^(.+):(\d{1,9}):(\d{1,9}) - (error|warning|message) (TS\d{1,6}): (.*)$/;
const PLACELESS = /^(?:error|warning) (TS\d{1,6}): (.*)$/;

/** Reads what `tsc` prints, with `--pretty` or without. What stands at no place is the tool's own problem: its options, its files. */
export function readTsc(text: string, options: ReportOptions): ToolReport {
  const gathering = gatherReport(options);
  if (text.length > LARGEST_REPORT) return gathering.finish("its report is larger than 64 MB");
  let problem: string | undefined;
  let current: (ReportedResult & { message: string }) | undefined;
  let continuations = 0;
  let recognised = false;
  const flush = () => {
    if (current !== undefined) gathering.take(current);
    current = undefined;
  };
  for (const line of linesOf(text)) {
    const diagnostic = PLAIN.exec(line) ?? PRETTY.exec(line);
    const placeless = diagnostic === null ? PLACELESS.exec(line) : null;
    if (diagnostic !== null) {
      flush();
      continuations = 0;
      const result = readDiagnostic(diagnostic, options.root);
      if (result === undefined) gathering.drop("outside the checkout");
      else current = result;
    } else if (placeless !== null) {
      flush();
      gathering.drop("no file");
      problem ??= `it did not check everything (${placeless[1]}: ${placeless[2]?.slice(0, 200)})`;
    } else if (/^ {2,}\S/.test(line) && current !== undefined && continuations < MOST_CONTINUATIONS) {
      // Indented lines go on with the explanation of the one above.
      continuations += 1;
      current.message += `\n${line}`;
      continue;
    } else {
      if (line.trim() === "") flush();
      recognised ||= /^Found \d+ errors?\b/.test(line);
      continue;
    }
    recognised = true;
  }
  flush();
  if (!recognised && text.trim() !== "") problem = "its output is not that of tsc";
  return gathering.finish(problem);
}

function* linesOf(text: string): Generator<string> {
  for (let start = text.startsWith("\ufeff") ? 1 : 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    yield text
      .slice(start, Math.min(end, start + LONGEST_LINE))
      .replace(/\r$/, "")
      .replace(COLOUR, "");
    start = end + 1;
  }
}

function readDiagnostic(match: RegExpExecArray, root: string): (ReportedResult & { message: string }) | undefined {
  const [, path = "", line, column, level, code = "", message = ""] = match;
  const file = pathInCheckout(path, root);
  if (file === undefined) return undefined;
  return {
    tool: "tsc",
    rule: code,
    severity: level === "error" ? "error" : level === "warning" ? "warning" : "info",
    category: categoryOf("tsc", code),
    // The compiler says what is so; what it cannot know are types that are missing on this machine.
    confidence: 0.9,
    file,
    region: { line: Number(line), column: Number(column) },
    message,
  };
}
