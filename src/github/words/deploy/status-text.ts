import type { Effect } from "../../../domain/effects.ts";
import { foreignPlain, type Wording } from "../wording.ts";

type Became = Extract<Effect, { kind: "deployment.say" }>["payload"];

/** GitHub's limit. */
const MAXIMUM = 140;

/** The status that a deployment of ours gets when its run is over; plain text of at most 140 characters. */
export function statusText(
  { became, reason }: Became,
  wording: Wording,
): { readonly state: "inactive" | "failure"; readonly description: string } {
  const said = (start: string) => foreignPlain(`${start}: ${reason}`, wording, MAXIMUM);
  if (became === "replaced")
    return { state: "inactive", description: "The next step of this deployment took its place" };
  if (became === "rolled_back") return { state: "inactive", description: said("Rolled back") };
  if (became === "no_earlier")
    return { state: "failure", description: said("No earlier version to go back to, a person has to act") };
  return { state: "failure", description: said("Going back failed, a person has to act") };
}
