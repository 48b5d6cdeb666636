import type { Effect } from "../../../domain/effects.ts";
import { foreignPlain, type Wording } from "../wording.ts";
import { OUTCOME_WORDS } from "./deployment-text.ts";

type Became = Extract<Effect, { kind: "deployment.say" }>["payload"];

/** GitHub's limit. */
const MAXIMUM = 140;

/** The status that a deployment of ours gets when its step or its run is over; plain text of at most 140 characters. */
export function statusText(
  { became, reason, step }: Became,
  wording: Wording,
): { readonly state: "inactive" | "failure" | "success"; readonly description: string } {
  const said = (start: string) => foreignPlain(`${start}: ${reason}`, wording, MAXIMUM);
  if (became === "deployed")
    return { state: "success", description: `Deployed: ${step?.percentage ?? 100} % of the traffic. Forge watches it` };
  if (became === "not_deployed") {
    const why = [step ? OUTCOME_WORDS[step.is] : "it failed", reason].filter(Boolean).join(": ");
    return { state: "failure", description: foreignPlain(`Not deployed: ${why}`, wording, MAXIMUM) };
  }
  if (became === "replaced")
    return { state: "inactive", description: "The next step of this deployment took its place" };
  if (became === "rolled_back") return { state: "inactive", description: said("Rolled back") };
  if (became === "no_earlier")
    return { state: "failure", description: said("No earlier version to go back to, a person has to act") };
  return { state: "failure", description: said("Going back failed, a person has to act") };
}
