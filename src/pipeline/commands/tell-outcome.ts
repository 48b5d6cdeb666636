import { defined } from "../../domain/defined.ts";
import { errorFacts } from "../../domain/errors.ts";
import type { QuestionSettled } from "../../domain/inputs.ts";
import type { Refusal } from "../../domain/refusals.ts";
import type { DeadJob } from "../../queue/ports.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import { handleInput, type InputDependencies } from "../runs/handle-input.ts";

type Asked = Pick<QuestionSettled, "subject" | "source" | "index" | "by"> & { readonly thread?: number | undefined };

/** Says what became of a question, be it to a model or to the tests; said twice, the first counts. */
export async function tellOutcome(
  { store, makeId, now }: InputDependencies,
  { subject, source, index, by, thread }: Asked,
  { outcome, costUsd }: Pick<QuestionSettled, "outcome" | "costUsd">,
  fence?: Fence,
): Promise<void> {
  const asked = { subject, source, index, by, ...defined({ thread }) };
  const input = { type: "question.settled", ...asked, outcome, costUsd } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() }, fence);
}

/** What whoever asked is told when the queue has given the job up. */
export function refusalOf(error: unknown): Extract<Refusal, { reason: "failed" }> {
  return { reason: "failed", code: errorFacts(error).code };
}

type Lost = Extract<Refusal, { reason: "lost" }>;

/** The same of something that nobody knows, or need not know, more of than `what` it is. */
export function lostRefusal(what: Lost["what"], { error, deaths }: Pick<DeadJob, "error" | "deaths">): Lost {
  const { code } = errorFacts(error);
  return { reason: "lost", what, ...(code === "set_aside" ? { deaths } : { code }) };
}
