import type { Model, StepRequest, StepResult } from "../../llm/ports.ts";
import type { PullRequestAi } from "../ai/pull-request-ai.ts";
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
 * Models that say what a recording holds: the reply to exactly this question, or else the one that followed on the same replies, so that a
 * change of what an agent is shown does not make a recording worthless.
 */
export function replayModels({ models, replies }: Pick<Recording, "models" | "replies">): ReplayedModels {
  const left = [...replies];
  const missed: string[] = [];
  const answer = (request: StepRequest): StepResult => {
    const { exact, path, about } = conversationKey(request);
    const precise = left.findIndex((reply) => reply.exact === exact);
    const at = precise >= 0 ? precise : left.findIndex((reply) => reply.path === path);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (found) return found.result;
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
