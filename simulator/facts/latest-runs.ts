import type { CheckRun, Repository } from "../records.ts";

/** The run that counts for each app and name: the newest. */
export function latestRuns(runs: readonly CheckRun[]): CheckRun[] {
  const ordered = [...runs].sort((one, other) => one.id - other.id);
  return [...new Map(ordered.map((run) => [`${run.suite.app.appId} ${run.name}`, run])).values()];
}

export function runsOn(repository: Repository, sha: string): CheckRun[] {
  return repository.checkSuites.filter((suite) => suite.headSha === sha).flatMap((suite) => suite.runs);
}
