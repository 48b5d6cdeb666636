import type { Answer } from "../../domain/answers.ts";
import { duration } from "./amounts.ts";
import { testedFacts } from "./tested-facts.ts";
import { outcomeHead, weakenedHead } from "./tested-summary.ts";
import type { Wording } from "./wording.ts";

/** What the tests of a pull request of people came to, in answer to `/forge test`: as in the check of Forge's own, without one to pass. */
export function testedText({ outcome }: Extract<Answer, { kind: "tested" }>, wording: Wording): string {
  const said = outcomeHead(outcome, "failure", wording);
  const first = outcome.weakened.length > 0 ? `${weakenedHead(outcome)}, or say why.\n\n${said}` : said;
  return testedFacts(outcome, wording, { first, last: duration(outcome.durationMs) });
}
