import type { CheckReport } from "../../../domain/effects.ts";
import { confidenceInWords } from "../../../domain/findings.ts";
import type { DiffCoverage, TestFailure, TestOutcome } from "../../../domain/test-report.ts";
import { fence } from "../../../safety/code-text.ts";
import { redactBeginning } from "../../../safety/redact-beginning.ts";
import {
  count,
  fitting,
  folded,
  foreignCode,
  foreignLine,
  foreignPlain,
  shortSha,
  type Wording,
  withFullStop,
} from "../wording.ts";

/** Failures that get a row, and messages that are shown whole: GitHub takes 65,535 characters. */
const MAXIMUM_ROWS = 20;
const MAXIMUM_MESSAGES = 10;
const MAXIMUM_MESSAGE = 2_000;
/** Flaky and weakened tests that are named. */
const MAXIMUM_NAMED = 10;

/** All that is so, between what to do and what it took. */
export function testedFacts(
  outcome: TestOutcome,
  wording: Wording,
  { first, last }: { readonly first: string; readonly last: string },
): string {
  const facts = () => [
    ...weakenedLines(outcome, wording),
    ...failureTable(outcome, wording),
    ...flakyLine(outcome, wording),
    ...coverageLines(outcome, wording),
    ...ranLine(outcome, wording),
  ];
  return fitting(
    () => [first, ...facts(), ...messages(outcome, wording), last].join("\n\n"),
    () => [first, ...facts(), last].join("\n\n"),
    () =>
      [first, ...ranLine(outcome, wording), "The list of failures is too long to be shown here.", last].join("\n\n"),
  );
}

const WEAKENED = {
  deleted_file: "a file of tests is deleted",
  deleted_test: "a test is deleted",
  skipped_test: "a test is skipped",
  weakened_assertion: "an assertion says less",
} as const;

function weakenedLines({ weakened }: TestOutcome, wording: Wording): string[] {
  if (weakened.length === 0) return [];
  const lines = weakened.slice(0, MAXIMUM_NAMED).map(({ path, line, kind, what }) => {
    const place = foreignCode(line === undefined || line === 0 ? path : `${path}:${line}`, wording);
    return `- ${place}: ${WEAKENED[kind]}. ${withFullStop(foreignLine(what, wording))}`;
  });
  const rest = weakened.length - lines.length;
  return [[...lines, ...(rest > 0 ? [`- and ${count(rest, "more place")}`] : [])].join("\n")];
}

const CLASSES: Readonly<Record<TestFailure["class"], string>> = {
  bug: "bug",
  flaky: "flaky",
  environment: "environment",
  existing: "failed before the change",
};

function failureTable({ failures, failed }: TestOutcome, wording: Wording): string[] {
  if (failures.length === 0) return [];
  const rows = failures.slice(0, MAXIMUM_ROWS).map((failure) => {
    const { name, file, cause, message, fix, confidence } = failure;
    const where = file === undefined ? "" : `<br>${foreignCode(file, wording, { table: true })}`;
    const why = withFullStop(foreignLine(cause ?? message.split("\n", 1)[0]!, wording, { table: true, maximum: 300 }));
    const sure = confidence === undefined ? "" : ` (${confidenceInWords(confidence)} confidence)`;
    const mend =
      fix === undefined
        ? ""
        : ` To fix it${sure}: ${withFullStop(foreignLine(fix, wording, { table: true, maximum: 300 }))}`;
    return `| ${foreignCode(name, wording, { table: true })}${where} | **${CLASSES[failure.class]}**: ${why}${mend} |`;
  });
  const rest = Math.max(failed, failures.length) - rows.length;
  return [
    ["| test | why |", "|---|---|", ...rows].join("\n"),
    ...(rest > 0 ? [`${count(rest, "more failure")} not shown.`] : []),
  ];
}

function flakyLine({ flaky }: TestOutcome, wording: Wording): string[] {
  if (flaky.length === 0) return [];
  const named = flaky.slice(0, MAXIMUM_NAMED).map((name) => foreignCode(name, wording));
  const rest = flaky.length - named.length;
  return [
    `**Flaky**, failed once and passed when repeated: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`,
  ];
}

function coverageLines(outcome: TestOutcome, wording: Wording): string[] {
  const { coverage, coverageMissing } = outcome;
  if (!coverage) {
    return coverageMissing === undefined
      ? []
      : [`**Coverage**: not known: ${withFullStop(foreignLine(coverageMissing, wording))}`];
  }
  const share = coveredShare(outcome);
  const all = reachedCode(outcome);
  if (share === undefined) return [`**Coverage**: the change has no line that can be executed.${all}`];
  const missed = missedLines(coverage, wording);
  return [
    `**Coverage**: ${share} of the changed lines, ${coverage.covered} of ${coverage.executable}.${missed === undefined ? "" : ` Not reached: ${missed}.`}${all}`,
  ];
}

/** " In all files that were measured: 81 % of lines, 64 % of branches, 90 % of functions." (TEST-2); kinds that were not counted are left out. */
function reachedCode({ reached }: TestOutcome): string {
  const shares = Object.entries(reached ?? {}).flatMap(([kind, { covered, all }]) =>
    all === 0 ? [] : [`${Math.floor((covered / all) * 100)} % of ${kind}`],
  );
  return shares.length === 0 ? "" : ` In all files that were measured: ${shares.join(", ")}.`;
}

const SELECTIONS = {
  affected: "those that the change affects",
  integration: "those that the change affects, with integration tests",
  full: "all of them",
} as const;

function ranLine(outcome: TestOutcome, wording: Wording): string[] {
  const { files, passed, failed, skipped, runner, selection, headSha, reason } = outcome;
  if (outcome.outcome === "not_run") return [];
  const by = runner === undefined ? "" : ` by ${foreignCode(runner, wording)}`;
  const which = selection === undefined ? "" : `, ${SELECTIONS[selection]}`;
  const counts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(", ");
  // Why these and not fewer, or not all (TEST-3).
  const why = reason === undefined ? "" : ` ${withFullStop(foreignLine(reason, wording))}`;
  return [`**Ran** ${count(files, "file")} of tests${by}${which}, at \`${shortSha(headSha)}\`: ${counts}.${why}`];
}

function messages({ failures }: TestOutcome, wording: Wording): string[] {
  const shown = failures.slice(0, MAXIMUM_MESSAGES).filter(({ message }) => message.trim() !== "");
  if (shown.length === 0) return [];
  const texts = shown.map(
    ({ name, message }) =>
      `${foreignCode(name, wording)}\n\n${fence(redactBeginning(message, wording.redact).slice(0, MAXIMUM_MESSAGE))}`,
  );
  return [folded("what the runner said", texts.join("\n\n"))];
}

type Tested = Extract<CheckReport, { kind: "tested" }>;

/** "34 tests passed, 92 % of the changed lines covered", "2 of 37 tests failed: login refuses the sixth". Plain text. */
export function testedTitle({ outcome }: Tested, wording: Wording, maximum: number): string {
  const { weakened } = outcome;
  const weak = weakened.length > 0 ? `${count(weakened.length, "test")} weakened` : undefined;
  if (outcome.outcome === "not_run") {
    const why = outcome.reason ?? "no reason was given";
    return foreignPlain(weak ? `${weak}; not tested: ${why}` : `Not tested: ${why}`, wording, maximum);
  }
  if (outcome.outcome === "failed") {
    const failed = failedCount(outcome);
    const [first] = outcome.failures;
    const title = outcome.failures.length === 1 ? `${failed}: ${first!.name}` : failed;
    return foreignPlain(weak ? `${weak}; ${title}` : title, wording, maximum);
  }
  const passed = passedCount(outcome);
  const share = coveredShare(outcome);
  const covered = share === undefined ? "" : `, ${share} of the changed lines covered`;
  const flaky = outcome.flaky.length > 0 ? `, ${outcome.flaky.length} flaky` : "";
  return foreignPlain(weak ? `${weak}; ${passed}` : `${passed}${flaky}${covered}`, wording, maximum);
}

/** "2 of 37 tests failed", and where all of it is older than the change, that it is. */
export function failedCount({ failed, passed, failures }: TestOutcome): string {
  const number = Math.max(failed, failures.length);
  const all = count(number + passed, "test");
  const isOld = failures.length > 0 && failures.every((failure) => failure.class === "existing");
  return `${number} of ${all} failed${isOld ? ", as before the change" : ""}`;
}

/** "34 tests passed", and how many failed already before the change. */
export function passedCount({ passed, failures }: TestOutcome): string {
  const old = failures.filter((failure) => failure.class === "existing").length;
  return `${count(passed, "test")} passed${old > 0 ? `, ${old} failed as before the change` : ""}`;
}

/** "92 %"; undefined where nothing of the change can be executed or coverage is not known. */
export function coveredShare({ coverage }: TestOutcome): string | undefined {
  if (!coverage || coverage.executable === 0) return undefined;
  return `${Math.floor((coverage.covered / coverage.executable) * 100)} %`;
}

const MAXIMUM_FILES = 8;
const MAXIMUM_RANGES = 8;

/** "`src/a.ts` 3 to 5, 9, `src/b.ts` 12": changed lines that no test reached; undefined when there are none. */
export function missedLines({ missed }: DiffCoverage, wording: Wording): string | undefined {
  const files = missed.filter(({ ranges }) => ranges.length > 0);
  if (files.length === 0) return undefined;
  const named = files.slice(0, MAXIMUM_FILES).map(({ path, ranges }) => {
    const shown = ranges.slice(0, MAXIMUM_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
    const rest = ranges.length - shown.length;
    return `${foreignCode(path, wording)} ${shown.join(", ")}${rest > 0 ? ` and ${count(rest, "more place")}` : ""}`;
  });
  const rest = files.length - named.length;
  return `${named.join("; ")}${rest > 0 ? `; and ${count(rest, "more file")}` : ""}`;
}
