import { z } from "zod";
import { GateId } from "../domain/gates.ts";
import { findOpenGate } from "../store/runs/open-gates.ts";
import { Answer } from "./answer-marker.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import { canBeAnsweredHere } from "./may-answer.ts";
import type { Visitor } from "./visitor.ts";

/** One line: a comment has a command in each. */
const Note = z
  .string()
  .max(500)
  .transform((note) => note.replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim());
const Given = z.object({
  run: z.string().max(40),
  gate: GateId,
  answer: Answer,
  note: Note.default(""),
});

/**
 * Answers a gate as the person would on GitHub, by a comment of theirs: Forge then checks there whether they may, and answers there (SAFE-3).
 * What GitHub lists for them is asked at this moment. Undefined where nothing waits that they can see.
 */
export async function answerGate(
  { store }: DashboardDependencies,
  visitor: Visitor,
  form: Readonly<Record<string, unknown>>,
): Promise<Answer | undefined> {
  const given = Given.safeParse(form);
  if (!given.success) return undefined;
  const { run, gate: id, answer, note } = given.data;
  const gate = await findOpenGate(store, run, id);
  if (!gate || !canBeAnsweredHere(gate.subject.kind)) return undefined;
  if (!(await visitor.repositoryNow(gate.subject.repository.id))) return undefined;
  await visitor.comment(gate.subject, `/forge ${answer} ${id}${note === "" ? "" : ` ${note}`}`);
  return answer;
}
