import { dollars } from "../../safety/trip-rules.ts";
import type { CheckedCall } from "../../tools/tool.ts";
import type { Permission } from "../ports.ts";

/** The policy of a repository for its agents (LOOP-6): names of tools, and the cost above which a person is asked. */
export interface PolicyRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly approveOverUsd?: number;
  /** Price of an hour of the machine in USD; without it programs that a tool runs cost nothing. */
  readonly machineUsdPerHour?: number;
}

const HOUR_MS = 3_600_000;

/** Denying wins over asking; what no rule names is allowed, because an agent only has the tools that it was handed. */
export function createPolicy(rules: PolicyRules): (call: CheckedCall) => Permission {
  return ({ tool, input }) => {
    if (rules.deny.includes(tool.name)) {
      return { decision: "deny", reason: `${tool.name} is not allowed in this repository.` };
    }
    if (rules.ask.includes(tool.name)) return { decision: "ask", reason: `${tool.name} needs a person's approval.` };
    const machineUsd = ((tool.mayRunMs?.(input) ?? 0) / HOUR_MS) * (rules.machineUsdPerHour ?? 0);
    const cost = machineUsd + (tool.estimateCostUsd?.(input) ?? 0);
    if (rules.approveOverUsd !== undefined && cost > rules.approveOverUsd) {
      return {
        decision: "ask",
        reason: `It may cost ${dollars(cost)}, more than the ${dollars(rules.approveOverUsd)} that need no approval.`,
      };
    }
    return { decision: "allow" };
  };
}
