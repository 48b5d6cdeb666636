import type { Claim } from "../../../src/agents/reviewer/claims.ts";

/** What a reviewer claims of a change that sums prices. */
export function claim(fields: Partial<Claim> = {}): Claim {
  return {
    file: "src/total.ts",
    line: 4,
    quote: "sum += item.price;",
    kind: "logic",
    severity: "error",
    claim: "The quantity is not counted.",
    scenario: "Two of an item for 3 cost 3, not 6.",
    confidence: 0.9,
    ...fields,
  };
}
