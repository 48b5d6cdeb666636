/** One assertion: what it looks at and how strict it is, as far as its text tells. */
export interface OutlinedAssertion {
  /** Without white space, so that a formatter changes nothing. */
  readonly text: string;
  /** What is looked at: the argument of `expect`, the left side of a comparison. */
  readonly subject: string;
  /** `strong` pins a value; `weak` only that there is one; `empty` holds whatever the code does. */
  readonly strength: "strong" | "weak" | "empty";
}

export interface OutlinedTest {
  /** The names of the groups around it and its own. */
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** Not run, whatever happens; `unclear` where that hangs on a condition. */
  readonly skipped: "yes" | "no" | "unclear";
  /** With it the others of its file are not run. */
  readonly only: boolean;
  /** Run for each row of a table: the number of tests is unknown. */
  readonly table: boolean;
  readonly assertions: readonly OutlinedAssertion[];
  /** Its code without white space. */
  readonly body: string;
  /** Names in its code. */
  readonly words: readonly string[];
}

/** The tests of one file. */
export interface TestOutline {
  readonly tests: readonly OutlinedTest[];
  /** Of the whole file, what stands outside of tests among them. */
  readonly assertions: number;
  /** The modules that it asks for, as they are written. */
  readonly imports: readonly string[];
}
