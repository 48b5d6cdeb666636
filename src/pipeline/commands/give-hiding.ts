import type { CommandOf } from "../../domain/commands.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Hiding, HidingState } from "../../domain/hiding.ts";
import type { CommandGiven, IssueCommandGiven } from "../../domain/inputs.ts";
import type { RepositoryFacts } from "../runs/decision.ts";
import { type Outcome, refuse } from "./command-result.ts";

type Input = CommandGiven | IssueCommandGiven;
interface View {
  readonly repository: RepositoryFacts;
}

/** `/forge hide`: what learning hides here, or would; with a class it hides that from now on, whatever it was before (MEM-6). */
export function giveHide({ repository: { hidings = [] } }: View, input: Input, { hiding }: CommandOf<"hide">): Outcome {
  if (hiding === undefined) return { answer: { kind: "hidings", hidings: [...hidings] } };
  return change(hidings, input, hiding, "on");
}

/** `/forge unhide`: a class hides nothing any more, or a proposal is turned down. */
export function giveUnhide(
  { repository: { hidings = [] } }: View,
  input: Input,
  { hiding }: CommandOf<"unhide">,
): Outcome {
  return change(hidings, input, hiding, "withdrawn");
}

function change(
  hidings: readonly Hiding[],
  { by, at }: Input,
  hidingId: string | undefined,
  state: Extract<HidingState, "on" | "withdrawn">,
): Outcome {
  const known = hidings.find((one) => one.class.id === hidingId);
  if (!known || hidingId === undefined) {
    return refuse({ reason: "unknown_class", ...(hidingId === undefined ? {} : { written: hidingId }) });
  }
  if (known.state === state) return refuse({ reason: "class_stands", hidingId, hidden: state === "on" });
  const payload = { hidingId, after: known.changes };
  const event: NewEvent =
    state === "on" ? { type: "hiding.approved", payload, actor: by } : { type: "hiding.withdrawn", payload, actor: by };
  const counts = state === "on" ? { right: 0, wrong: 0 } : {};
  const changed = { ...known, state, by: by.login, at, ...counts, changes: known.changes + 1 };
  return { events: [event], answer: { kind: "hidings", hidings: [changed], changed: true } };
}
