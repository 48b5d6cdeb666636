import { defined } from "../domain/defined.ts";
import { errorFacts } from "../domain/errors.ts";
import type { TestFailure, TestOutcome } from "../domain/test-report.ts";
import type { FolderTestOptions, FolderTests } from "../pipeline/testing/test-folder.ts";
import { plainLine } from "../safety/plain-line.ts";
import { redactStrings } from "../safety/redact-value.ts";
import { UsageError } from "./dispatch.ts";
import { folderNamed } from "./folder-argument.ts";
import { formatOptions, oneOf, parseOptions } from "./parse-options.ts";
import { createProgress, type Output, plainBlock } from "./terminal.ts";

/** Exit codes of `forge test`: 0 passed or nothing to run, 1 failed, 3 could not be run (64 is wrong usage). */
export const TEST_EXIT = { passed: 0, failed: 1, not_run: 3 } as const;

const FORMATS = ["text", "json"] as const;

type Request = Pick<FolderTestOptions, "folder" | "base" | "all" | "minutes" | "onProgress">;

/** `forge test <folder>`: failures and coverage on standard output, progress on standard error when that is a terminal. */
export async function runTest(
  args: readonly string[],
  test: (request: Request) => Promise<FolderTests>,
  output: Output,
): Promise<number> {
  const { format, ...request } = await readArguments(args);
  const progress = createProgress(output.err);
  let tested: FolderTests;
  try {
    tested = redactStrings(await test({ ...request, onProgress: (step) => progress.show(step) }), output.redact);
  } catch (error) {
    progress.end();
    output.err.write(output.redact(`forge: could not test ${args[0]}: ${errorFacts(error).message}\n`));
    return TEST_EXIT.not_run;
  }
  progress.end();
  const colours = output.out.isTTY === true && !output.noColor;
  const { headSha: _none, ...outcome } = tested.outcome;
  if (format === "json")
    output.out.write(
      `${JSON.stringify({ ...outcome, ...defined({ base: tested.base }), notes: tested.notes }, null, 2)}\n`,
    );
  else output.out.write(asText(tested, colours));
  return exitCode(tested.outcome);
}

/** An unknown result is no pass, except where there is nothing to run. */
function exitCode({ outcome, nothingToRun, blameless }: TestOutcome): number {
  if (outcome === "not_run") return nothingToRun ? TEST_EXIT.passed : TEST_EXIT.not_run;
  return outcome === "failed" && blameless ? TEST_EXIT.not_run : TEST_EXIT[outcome];
}

async function readArguments(args: readonly string[]) {
  const options = {
    base: { type: "string" },
    all: { type: "boolean", default: false },
    format: { type: "string", default: "text" },
    minutes: { type: "string" },
  } as const;
  const { values, positionals } = parseOptions(args, { allowPositionals: true, options }, formatOptions(FORMATS));
  const [named = ""] = positionals;
  if (positionals.length !== 1) throw new UsageError("test takes one folder");
  const format = oneOf("--format", FORMATS, values.format);
  const { base, all } = values;
  if (all && base !== undefined)
    throw new UsageError("--all runs every test and compares with nothing, so it takes no --base");
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes >= 1 && minutes <= 240))
    throw new UsageError(`--minutes is a number from 1 to 240, not ${JSON.stringify(values.minutes)}`);
  const folder = await folderNamed(named, "test");
  if (folder === undefined) throw new UsageError(`there is no folder ${named}`);
  return { folder, all, format, ...defined({ base, minutes }) };
}

const COLOURS: Readonly<Record<TestFailure["class"], string>> = {
  bug: "31",
  flaky: "33",
  environment: "33",
  existing: "2",
};
const CLASSES: Readonly<Record<TestFailure["class"], string>> = {
  bug: "failed",
  flaky: "flaky",
  environment: "could not run here",
  existing: "failed before the change",
};
/** Lines of what the runner said of one failure. */
const MOST_LINES = 12;

/** Failures like a compiler's, what the change broke last, then what no test reaches, and what it comes to. */
function asText({ outcome, base, notes }: FolderTests, colours: boolean): string {
  const paint = (kind: TestFailure["class"]) =>
    colours ? `\x1b[${COLOURS[kind]}m${CLASSES[kind]}\x1b[0m` : CLASSES[kind];
  const failures = outcome.failures.toReversed().flatMap(({ file, name, cause, message, class: kind }) => {
    const said = plainBlock(message, "    ").split("\n").slice(0, MOST_LINES);
    const place = file === undefined ? "" : `${plainLine(file)} `;
    return [`${place}${paint(kind)} ${plainLine(name)}${cause === undefined ? "" : `: ${plainLine(cause)}`}`, ...said];
  });
  const flaky = outcome.flaky.map((name) => `${paint("flaky")} ${plainLine(name)}: failed once, passed when repeated`);
  const weakened = outcome.weakened.map(
    ({ path, line, what }) => `${plainLine(path)}${line ? `:${line}` : ""} weakened ${plainLine(what)}`,
  );
  const missed = (outcome.coverage?.missed ?? []).flatMap(({ path, ranges }) =>
    ranges.map(([from, to]) => `${plainLine(path)}:${from}${to > from ? `-${to}` : ""} not reached by any test`),
  );
  const told = [...notes, ...(outcome.outcome !== "not_run" && outcome.reason ? [outcome.reason] : [])];
  const said = told.map((note) => `note: ${plainLine(note)}`);
  return `${[...weakened, ...missed, ...flaky, ...failures, ...said, decision(outcome, base)].join("\n")}\n`;
}

function decision(outcome: TestOutcome, base: string | undefined): string {
  const { passed, failed, skipped, files, runner, coverage, coverageMissing } = outcome;
  if (outcome.outcome === "not_run") {
    // A selection was made, and is empty: there are other tests.
    const all = outcome.selection !== undefined && base ? " (--all runs every test)" : "";
    return `not tested: ${plainLine(outcome.reason ?? "no reason was given")}${all}`;
  }
  const counts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(", ");
  const by = `${files} ${files === 1 ? "file" : "files"} of tests${runner ? ` by ${plainLine(runner)}` : ""}`;
  const against = base ? `, against ${base.slice(0, 7)}` : "";
  const unknown =
    coverageMissing === undefined ? "" : `; coverage not known: ${plainLine(coverageMissing).replace(/\.$/, "")}`;
  const lines = coverage ? `; ${coverage.covered} of ${coverage.executable} changed lines covered` : unknown;
  const word = outcome.outcome === "passed" ? "passed" : outcome.blameless ? "not tested" : "failed";
  return `${word}: ${counts} (${by}${against}${lines})`;
}
