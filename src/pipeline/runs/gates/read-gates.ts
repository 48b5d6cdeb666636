import { type Gate, isOpenGate } from "../../../domain/gates.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { readGateEvents } from "../../../store/events/read-events.ts";
import type { Store } from "../../../store/store.ts";
import { evolveGates } from "./evolve-gates.ts";

/** Whether an agent waits for somebody's answer on this issue: then a comment in plain words may be it. */
export async function hasOpenQuestion(store: Store, subject: Subject): Promise<boolean> {
  const gates = await readOpenGates(store, subject);
  return gates.some(({ question }) => question.type === "question");
}

/** The gates of a subject that are still open. */
export async function readOpenGates(store: Store, subject: Subject): Promise<readonly Gate[]> {
  return (await readGates(store, subject)).filter(isOpenGate);
}

/** The gates of all runs of a subject, oldest first. */
export async function readGates(store: Store, subject: Subject): Promise<readonly Gate[]> {
  return (await readGateEvents(store, subject)).reduce<readonly Gate[]>(evolveGates, []);
}
