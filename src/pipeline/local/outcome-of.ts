import { defined } from "../../domain/defined.ts";
import type { RecordedLine } from "./recording.ts";
import type { LocalReport } from "./report-run.ts";

type Outcome = Extract<RecordedLine, { is: "outcome" }>;

/** What a replay of the recording has to come to. */
export function outcomeOf({ standing, branch, commits, totals }: LocalReport): Outcome {
  return {
    is: "outcome",
    state: standing.is,
    ...defined({ branch }),
    commits: commits.map(({ sha, tree, message }) => ({ sha, tree, subject: message.split("\n", 1)[0] ?? "" })),
    costUsd: totals.costUsd,
  };
}

/** What is not the same, a sentence each. Commits differ in their time and so in their ids: files and subjects count. */
export function compareOutcomes(recorded: Outcome, now: Outcome): string[] {
  const differences: string[] = [];
  if (recorded.state !== now.state) differences.push(`it was ${recorded.state} and is ${now.state}`);
  if (recorded.branch !== now.branch) differences.push(`the branch was ${recorded.branch} and is ${now.branch}`);
  if (recorded.commits.length !== now.commits.length) {
    differences.push(`there were ${recorded.commits.length} commits and are ${now.commits.length}`);
  }
  for (const [index, { tree, subject }] of recorded.commits.entries()) {
    const other = now.commits[index];
    if (other && other.tree !== tree) {
      differences.push(`commit ${index + 1} (${JSON.stringify(subject)}) had the tree ${tree} and has ${other.tree}`);
    } else if (other && other.subject !== subject) {
      differences.push(`commit ${index + 1} was ${JSON.stringify(subject)} and is ${JSON.stringify(other.subject)}`);
    }
  }
  return differences;
}
