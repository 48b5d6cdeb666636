import type { ModelChain, Models } from "../../llm/create-models.ts";
import type { Model, StepResult } from "../../llm/ports.ts";
import type { PullRequestAi } from "../review/ai/pull-request-ai.ts";
import { conversationKey } from "./conversation-key.ts";
import type { RecordedModel, RecordingFile } from "./recording.ts";

/** The same models, with every reply written down word for word. */
export function recordModels(ai: PullRequestAi, file: RecordingFile): PullRequestAi {
  let told: Promise<void> | undefined;
  return {
    ...ai,
    modelsFor: async (names): Promise<Models> => {
      const models = await ai.modelsFor(names);
      if (!models.configured) return models;
      const { strong, fast } = models;
      told ??= file.write({ is: "models", strong: factsOf(strong[0]), fast: factsOf(fast[0]) });
      await told;
      return { configured: true, strong: recorded(strong, file), fast: recorded(fast, file) };
    },
  };
}

function recorded([first, ...rest]: ModelChain, file: RecordingFile): ModelChain {
  return [record(first, file), ...rest.map((model) => record(model, file))];
}

function record(model: Model, file: RecordingFile): Model {
  return {
    ...model,
    step: async (request, options) => {
      const began = performance.now();
      const result = await model.step(request, options);
      if (isWorthKeeping(result)) {
        const ms = Math.round(performance.now() - began);
        const { exact, about } = conversationKey(request);
        const facts = { exact, about, messages: request.messages.length, model: model.id };
        await file.write({ is: "reply", ...facts, ms, result: wordsOf(result) });
      }
      return result;
    },
  };
}

/** A call that was tried again, or that we ended, is none when the run is had again. */
function isWorthKeeping(result: StepResult): boolean {
  return result.ok || result.failure.class === "too_long" || result.failure.class === "refused";
}

function wordsOf(result: StepResult) {
  if (result.ok) return { ...result, content: [...result.content] };
  const { class: kind, message } = result.failure;
  return { ok: false as const, failure: { class: kind, message } };
}

function factsOf({ provider, id, contextWindow, maxOutputTokens, nativeTools }: Model): RecordedModel {
  return { provider, id, contextWindow, maxOutputTokens, nativeTools };
}
