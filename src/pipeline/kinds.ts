import type { PlacedEvent } from "../domain/events.ts";
import type { Input } from "../domain/inputs.ts";
import type { RunKind } from "../domain/phases.ts";
import { DEPLOY } from "./deploy/kind.ts";
import { IMPLEMENT } from "./implement/kind.ts";
import { REVIEW } from "./review/kind.ts";
import { type KindRow, misdirectedTo, rowOf } from "./runs/kind.ts";

/** The kinds of run that there are: the only list of them. Whatever goes for each kind reads it, and names none. */
export const KINDS: Kinds = { review: rowOf(REVIEW), implement: rowOf(IMPLEMENT), deploy: rowOf(DEPLOY) };

/** By name, as the first event of a run has it. */
export type Kinds = Readonly<Record<RunKind, KindRow>>;

/** The kind that an input is for. @throws ForgeError `input_misdirected` */
export function ownerOf(input: Input, kinds: Kinds = KINDS): KindRow {
  const owner = Object.values(kinds).find(({ owns }) => owns(input));
  if (!owner) throw misdirectedTo(input);
  return owner;
}

/** The kind of the run to which this log belongs; undefined where it does not begin as the log of a run. */
export function kindOfRun([first]: readonly PlacedEvent[], kinds: Kinds = KINDS): KindRow | undefined {
  return first?.type === "run.started" ? kinds[first.payload.kind] : undefined;
}
