import { SHOP } from "./github.ts";
import type { Telling } from "./telling.ts";
import type { Reviewed } from "./wait.ts";

/** What was on GitHub right after a step of the story. */
export interface Verdict {
  readonly step: string;
  readonly pullRequest: number;
  readonly head: string;
  readonly conclusion: string | null;
  readonly title: string | null;
  readonly mergeable: boolean;
}

/** What GitHub takes for a required check that has passed. */
const PASSING: readonly string[] = ["success", "neutral", "skipped"];

/** Writes down what a step came to, and expects that the pull request can be merged exactly where the check passes. */
export async function keepVerdict(telling: Telling, step: string, { pull, check }: Reviewed): Promise<Verdict> {
  const { stage, expectations, verdicts } = telling;
  const { mergeable } = await stage.github.mergeability(SHOP, pull.number);
  const { conclusion, title } = check;
  const verdict = { step, pullRequest: pull.number, head: pull.headSha, conclusion, title, mergeable };
  verdicts.push(verdict);
  expectations.expect(
    `after "${step}" merging is possible exactly when the check passes`,
    mergeable,
    PASSING.includes(conclusion ?? ""),
  );
  return verdict;
}
