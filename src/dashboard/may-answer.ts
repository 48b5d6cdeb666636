import { atLeast } from "../domain/subjects.ts";
import type { OpenGate } from "../store/runs/open-gates.ts";
import type { Visitor } from "./visitor.ts";

/** Whether buttons are shown; whether they count is asked of GitHub when one is pressed. */
export async function mayAnswer(visitor: Visitor, { subject, needs }: OpenGate): Promise<boolean> {
  const listed = await visitor.repositories();
  const permission = listed.get(subject.repository.id)?.permission ?? "none";
  return canBeAnsweredHere(subject.kind) && atLeast(permission, needs);
}

/** Elsewhere nobody can comment. */
export function canBeAnsweredHere(kind: OpenGate["subject"]["kind"]): boolean {
  return kind === "issue" || kind === "pull_request";
}
