import type { Answer } from "../../domain/answers.ts";
import { duration } from "./amounts.ts";
import { testedFacts } from "./tested-facts.ts";
import { outcomeHead, weakenedHead } from "./tested-summary.ts";
import type { Wording } from "./wording.ts";

/** What the tests of a pull request of people came to, in answer to `/forge test`: as in the check of Forge's own, without one to pass. */
export function testedText({ outcome }: Extract<Answer, { kind: "tested" }>, wording: Wording): string {
  const { weakened, failures } = outcome;
  const isOld = failures.length > 0 && failures.every((failure) => failure.class === "existing");
  const head = () => outcomeHead(outcome, isOld ? "neutral" : "failure", wording);
  const first = weakened.length > 0 ? `${weakenedHead(outcome)}, or say why.` : head();
  return testedFacts(outcome, wording, { first, last: duration(outcome.durationMs) });
}
