/** The part of Vitest's JSON report that says what failed. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The tests that failed by file and name; a file that could not be loaded counts under its own name. */
export function failuresOf({ testResults }: Report, root: string): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const path = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const failed = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => `${path}: ${test.fullName}`);
    return failed.length === 0 && status === "failed" ? [path] : failed;
  });
}

/** A line for each test that failed in any run, with the share of the runs, the most frequent first. */
export function sharesOf(runs: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const name of runs.flatMap((failed) => [...new Set(failed)])) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, times], [other, otherTimes]) => otherTimes - times || one.localeCompare(other))
    .map(([name, times]) => `${times} of ${runs.length}  ${name}`);
}
