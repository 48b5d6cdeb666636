export interface FailedTest {
  readonly name: string;
  /** Path in the repository, where the runner names it. */
  readonly file: string | undefined;
  readonly message: string;
}

/** What a runner said about its tests, whichever it is. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The first so many, so that a suite that fails as a whole fits into memory. */
  readonly failures: readonly FailedTest[];
}

/** The name of a failure that is the file's and no test's: it could not be loaded, or it ended early. */
export const FILE_ITSELF = "the file itself";

/** The name of a failure that no test is known for: nothing was built, or the run was stopped. */
export const RUN_ITSELF = "the run itself";

/** Of one report; more are dropped. */
export const MOST_FAILURES = 500;

/** Of one message, in characters. */
const LONGEST_MESSAGE = 8_000;

export function failedTest(name: string, file: string | undefined, message: string): FailedTest {
  const cut = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}\n[cut here]` : message;
  return { name: name.slice(0, 500), file, message: cut };
}

/** A result in words that no reader knows counts as a failure that names these words, and never as a pass (TEST-2a). */
export function unknownOutcome(name: string, file: string | undefined, outcome: string): FailedTest {
  const shown = JSON.stringify(outcome.slice(0, 100));
  return failedTest(name, file, `The runner reports the result ${shown} for this test, which Forge does not know.`);
}

/** Counts results one by one and keeps the first failures. */
export class ReportBuilder {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #failures: FailedTest[] = [];

  get failed(): number {
    return this.#counts.failed;
  }

  count(outcome: "passed" | "skipped", times = 1): void {
    this.#counts[outcome] += times;
  }

  fail(failure: FailedTest): void {
    this.#counts.failed += 1;
    if (this.#failures.length < MOST_FAILURES) this.#failures.push(failure);
  }

  report(): TestReport {
    return { ...this.#counts, failures: this.#failures };
  }
}

/** Several reports as one. */
export function joinReports(reports: readonly TestReport[]): TestReport {
  const sum = (of: "passed" | "failed" | "skipped") => reports.reduce((total, report) => total + report[of], 0);
  const failures = reports.flatMap((report) => report.failures).slice(0, MOST_FAILURES);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), failures };
}

/** Tests run at the root of the sandbox: what they name in it is a path of the repository. */
export function pathInBox(path: string): string {
  return path.replace(/^file:\/\//, "").replace(/^\/box\//, "");
}
