import type { CommandOf } from "../../domain/commands.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Hiding, HidingState } from "../../domain/hiding.ts";
import type { Commanded } from "../../domain/inputs.ts";
import { type MemoryUse, storedPayload, type Taught } from "../../domain/memories.ts";
import { atLeast } from "../../domain/subjects.ts";
import { type Decision, NOTHING, type RepositoryFacts } from "../runs/decision.ts";
import { type Outcome, refuse, requestOf } from "./command-result.ts";

/** `/forge remember`: kept with who taught it, in which thread, and the code it rests on (MEM-6). */
export function giveRemember(_view: unknown, { teaches, by }: Commanded): Outcome {
  if (!teaches) return refuse({ reason: "role_unknown", name: "remember" });
  if ("refusal" in teaches) return teaches;
  const { memory, opposed } = teaches;
  const is = isConfirmed(teaches, by.id) ? "confirmed" : isStanding(teaches) ? "known" : "new";
  const cites = memory.cites.map(({ path }) => path);
  return { answer: { kind: "remembered", memoryId: memory.id, is, cites, opposed: [...opposed] } };
}

/** `/forge forget`: by whoever taught it, or maintain. It is gone for good. */
export function giveForget(_view: unknown, input: Commanded, { memory: written }: CommandOf<"forget">): Outcome {
  const { named = [], by, role = "none" } = input;
  const [found, ...others] = named;
  if (!found) return refuse({ reason: "unknown_memory", written });
  if (others.length > 0) return refuse({ reason: "ambiguous_memory", written, matches: named.map(({ id }) => id) });
  if (found.by?.id !== by.id && !atLeast(role, "maintain")) {
    return refuse({ reason: "role", name: "forget", needs: "maintain", has: role });
  }
  const event: NewEvent = { type: "memory.forgotten", payload: { memoryId: found.id }, actor: by };
  return { events: [event], answer: { kind: "forgotten", memoryId: found.id } };
}

/** What a command that was carried out teaches: written with it, or not at all. What somebody else taught already is believed more by it. */
export function learntBy(input: Commanded): { readonly events: NewEvent[]; readonly decision: Decision } {
  const { teaches, by } = input;
  if (!teaches || "refusal" in teaches) return { events: [], decision: NOTHING };
  const { memory } = teaches;
  if (isConfirmed(teaches, by.id)) {
    const use: MemoryUse = "confirmed";
    const payload = { memoryIds: [memory.id], use, during: "command", cause: `confirmed:${by.id}` };
    return { events: [{ type: "memory.applied", payload, actor: by }], decision: NOTHING };
  }
  const payload = storedPayload(teaches, `taught:${requestOf(input)}`);
  return {
    events: [{ type: "memory.stored", payload, actor: by }],
    decision: { ...NOTHING, memories: [{ kind: "stored", memory }] },
  };
}

function isStanding({ known }: Taught): boolean {
  return known?.origin === "person" && !known.archived;
}

function isConfirmed(taught: Taught, by: number): boolean {
  return isStanding(taught) && taught.known?.by?.id !== by;
}

interface View {
  readonly repository: RepositoryFacts;
}

/** `/forge hide`: what learning hides here, or would; with a class it hides that from now on, whatever it was before (MEM-6). */
export function giveHide(
  { repository: { hidings = [] } }: View,
  input: Commanded,
  { hiding }: CommandOf<"hide">,
): Outcome {
  if (hiding === undefined) return { answer: { kind: "hidings", hidings: [...hidings] } };
  return change(hidings, input, hiding, "on");
}

/** `/forge unhide`: a class hides nothing any more, or a proposal is turned down. */
export function giveUnhide(
  { repository: { hidings = [] } }: View,
  input: Commanded,
  { hiding }: CommandOf<"unhide">,
): Outcome {
  return change(hidings, input, hiding, "withdrawn");
}

function change(
  hidings: readonly Hiding[],
  { by, at }: Commanded,
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
