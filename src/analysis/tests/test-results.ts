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

/** Tests run at the root of the sandbox: what they name in it is a path of the repository. */
export function pathInBox(path: string): string {
  return path.replace(/^file:\/\//, "").replace(/^\/box\//, "");
}
