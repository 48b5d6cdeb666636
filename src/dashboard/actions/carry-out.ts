import { neededRole } from "../../domain/commands.ts";
import { atLeast, type Role, type Subject } from "../../domain/subjects.ts";
import { gateMeant } from "../../pipeline/commands/gate-meant.ts";
import { type GateEnd, gateEndOf } from "../../pipeline/views/timeline.ts";
import { isMeant } from "../../pipeline/views/view-run.ts";
import { readEventsOfTypes } from "../../store/events/read-log-page.ts";
import { findOpenGate, listOpenGates } from "../../store/runs/open-gates.ts";
import { findListedRun } from "../../store/runs/overview.ts";
import type { Store } from "../../store/store.ts";
import type { DashboardDependencies } from "../dashboard-dependencies.ts";
import type { Visitor } from "../visitor.ts";
import { ActionForm, type ActionName, AT_ANY_STATE, commentFor, type PageBehind } from "./action.ts";
import { environmentIn, stateActions } from "./offered.ts";
import { placeOf } from "./place-of.ts";

/** What came of a form. `answered`: the gate had ended before, and how. `past`: the run has moved on, so that the command would be about another. */
export type CarriedOut =
  | {
      readonly is: "done";
      readonly action: ActionName;
      readonly back: PageBehind;
      readonly runId: string;
      readonly place: Subject;
    }
  | { readonly is: "unknown" | "unreadable" | "past" }
  /** A deployment asks under the same number there, and has to be answered first. */
  | { readonly is: "same_gate"; readonly gate: string }
  | { readonly is: "not_allowed"; readonly needs: Role }
  | { readonly is: "answered"; readonly gate: string; readonly how: GateEnd; readonly by?: string };

/**
 * Does it as the person would on GitHub, by a comment of theirs: Forge then checks there whether they may, does it, and answers there (SAFE-3).
 * What GitHub lists for them is asked at this moment. `unknown` where they see nothing of the kind.
 */
export async function carryOut(
  { store }: DashboardDependencies,
  visitor: Visitor,
  fields: Readonly<Record<string, unknown>>,
): Promise<CarriedOut> {
  const read = ActionForm.safeParse(fields);
  if (!read.success) return { is: "unreadable" };
  const form = read.data;
  const run = await findListedRun(store, form.run);
  if (!run) return { is: "unknown" };
  const listed = await visitor.repositoryNow(run.subject.repository.id);
  if (!listed) return { is: "unknown" };
  const place = await placeOf(store, run, form.action);
  if (!place) return { is: "unknown" };
  const comment = commentFor(form, environmentIn(run.subject));
  if (!comment) return { is: "unreadable" };
  const gate = "gate" in form ? await findOpenGate(store, run.runId, form.gate) : undefined;
  if ("gate" in form && !gate) return (await howItEnded(store, run.runId, form.gate)) ?? { is: "unknown" };
  const needs = gate?.needs ?? neededRole(comment.command);
  if (!atLeast(listed.permission, needs)) return { is: "not_allowed", needs };
  if (gate && (await hasDouble(store, place, run.subject, gate.gate))) return { is: "same_gate", gate: gate.gate };
  if (!AT_ANY_STATE.has(form.action)) {
    const state = { run, gates: await listOpenGates(store, run.runId), isMeant: await isMeant(store, run) };
    if (!stateActions(state).includes(form.action)) return { is: "past" };
  }
  await visitor.comment(place, comment.body);
  return { is: "done", action: form.action, back: form.back, runId: run.runId, place };
}

const ENDS = ["gate.approved", "gate.rejected", "gate.timeout", "gate.voided"] as const;

/** The gate of a deployment is named with its environment; of another gate, the number has to be the only one. */
async function hasDouble(store: Store, place: Subject, of: Subject, gate: string): Promise<boolean> {
  return of.kind !== "environment" && (await gateMeant(store, place, gate)).is !== "own";
}

/** In two tabs the second answer comes too late, and hears of the first. */
async function howItEnded(store: Store, runId: string, gate: string): Promise<CarriedOut | undefined> {
  const ends = await readEventsOfTypes(store, runId, ENDS, 1_000);
  const end = ends.findLast((event) => "gate" in event.payload && event.payload.gate === gate);
  if (!end) return undefined;
  return { is: "answered", gate, how: gateEndOf(end.type), ...(end.actor ? { by: end.actor.login } : {}) };
}
