import type { Model, StepRequest, StepResult } from "../../llm/ports.ts";
import type { PullRequestAi } from "../review/ai/pull-request-ai.ts";
import { conversationKey } from "./conversation-key.ts";
import type { RecordedModel, RecordedReply, Recording } from "./recording.ts";

export interface ReplayedModels {
  readonly modelsFor: PullRequestAi["modelsFor"];
  /** Replies that nobody asked for. */
  readonly left: () => readonly RecordedReply[];
  /** How a conversation begins for which there is no reply. */
  readonly missed: () => readonly string[];
}

/**
 * Models that say what a recording holds: the reply to exactly this question, or else the first one that followed on the same replies of
 * the same agent, so that a change of what it is shown, or of its prompt's words, does not make a recording worthless.
 */
export function replayModels({ models, replies }: Pick<Recording, "models" | "replies">): ReplayedModels {
  const left = [...replies];
  const missed: string[] = [];
  const answer = (request: StepRequest): StepResult => {
    const { exact, path, tools, about } = conversationKey(request);
    const found =
      left.find((reply) => reply.exact === exact) ??
      left.find((reply) => reply.exact.startsWith(`${path}.`)) ??
      left.find((reply) => reply.exact.startsWith(`${tools}.`));
    if (found) {
      left.splice(left.indexOf(found), 1);
      return found.result;
    }
    missed.push(about);
    const message = `The recording has no reply in this conversation: ${JSON.stringify(about)}`;
    return { ok: false, failure: { class: "invalid", message } };
  };
  const model = (facts: RecordedModel): Model => ({ ...facts, step: async (request) => answer(request) });
  return {
    modelsFor: async () => ({ configured: true, strong: [model(models.strong)], fast: [model(models.fast)] }),
    left: () => left,
    missed: () => missed,
  };
}
