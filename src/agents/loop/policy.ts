import type { CheckedCall } from "../../tools/tool.ts";
import type { Permission } from "../ports.ts";

/** What a repository allows its agents (LOOP-6): names of tools, and the cost above which a person is asked. */
export interface PolicyRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly approveOverUsd?: number;
}

/** Denying wins over asking; what no rule names is allowed, because an agent only has the tools that it was handed. */
export function createPolicy(rules: PolicyRules): (call: CheckedCall) => Permission {
  return ({ tool, input }) => {
    if (rules.deny.includes(tool.name)) {
      return { decision: "deny", reason: `${tool.name} is not allowed in this repository.` };
    }
    if (rules.ask.includes(tool.name)) return { decision: "ask", reason: `${tool.name} needs a person's approval.` };
    const cost = tool.estimateCostUsd?.(input) ?? 0;
    if (rules.approveOverUsd !== undefined && cost > rules.approveOverUsd) {
      const limit = rules.approveOverUsd.toFixed(2);
      return {
        decision: "ask",
        reason: `It may cost $${cost.toFixed(2)}, more than the $${limit} that need no approval.`,
      };
    }
    return { decision: "allow" };
  };
}
