import type { CheckReport } from "../../../domain/effects.ts";
import type { DiffCoverage, TestOutcome } from "../../../domain/test-report.ts";
import { count, foreignCode, foreignPlain, type Wording } from "../wording.ts";

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
