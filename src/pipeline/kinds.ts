import { ForgeError } from "../domain/errors.ts";
import type { PlacedEvent } from "../domain/events.ts";
import type { Input } from "../domain/inputs.ts";
import type { RunKind } from "../domain/phases.ts";
import { DEPLOY } from "./deploy/kind.ts";
import { IMPLEMENT } from "./implement/kind.ts";
import { REVIEW } from "./review/kind.ts";
import { type KindRow, misdirectedTo, rowOf } from "./runs/kind.ts";

/** The kinds of run that there are: the only list of them. Whatever goes for each kind reads it, and names none. */
export const KINDS: Kinds = { review: rowOf(REVIEW), implement: rowOf(IMPLEMENT), deploy: rowOf(DEPLOY) };

/** "review", "work on an issue": what a kind of run is called, without its article. */
export function kindName(kind: RunKind): string {
  return KINDS[kind].called.replace(/^an? /, "");
}

/** By name, as the first event of a run has it. */
export type Kinds = Readonly<Record<RunKind, KindRow>>;

/** The kind that an input is for. @throws ForgeError `input_misdirected`, `input_claimed_twice` */
export function ownerOf(input: Input, kinds: Kinds = KINDS): KindRow {
  const [owner, ...others] = Object.values(kinds).filter(({ owns }) => owns(input));
  if (!owner) throw misdirectedTo(input);
  if (others.length > 0) throw claimedTwice(input, [owner, ...others]);
  return owner;
}

/** The kind of the run to which this log belongs; undefined where it does not begin as the log of a run. */
export function kindOfRun([first]: readonly PlacedEvent[], kinds: Kinds = KINDS): KindRow | undefined {
  return first?.type === "run.started" ? kinds[first.payload.kind] : undefined;
}

/** Which of them is listed first must never decide: that would write one kind's events into another one's run. */
function claimedTwice({ type, subject }: Input, owners: readonly KindRow[]): ForgeError {
  const names = owners.map(({ name }) => name).join(" and ");
  const text = `The input ${type} for a subject of the kind ${subject.kind} is claimed by ${names}: \`owns\` of one of them takes too much.`;
  return new ForgeError("input_claimed_twice", text, { source: "logic", severity: "high", recoverability: "none" });
}
