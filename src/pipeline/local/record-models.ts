import { createHash } from "node:crypto";
import type { ModelChain, Models } from "../../llm/create-models.ts";
import type { Model, StepRequest, StepResult } from "../../llm/ports.ts";
import type { ProcessAi } from "../ai/ai-dependencies.ts";
import type { RecordedModel, RecordingFile } from "./recording.ts";

/** The same models, with every reply written down word for word. */
export function recordModels(ai: ProcessAi, file: RecordingFile): ProcessAi {
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

/** By what a recorded reply is found again. */
interface ConversationKey {
  /** Of everything that was asked and said before. */
  readonly exact: string;
  /** Of who was asked, and what the model said before: the same although the files that it was shown differ. */
  readonly path: string;
  /** Of the tools and what the model said before: the same although a prompt was worded anew. */
  readonly tools: string;
  /** The beginning of the first message, for people. */
  readonly about: string;
}

const ABOUT_CHARACTERS = 80;

/**
 * Names the place of a request in its conversation. What differs between two runs of the same work (ids of runs and commits, times, durations,
 * amounts) is left out.
 */
export function conversationKey({ system, messages, tools }: StepRequest): ConversationKey {
  const [begin] = messages;
  const first = begin?.role === "user" ? begin.content.map(textOf).join("\n") : "";
  const said = messages.filter(({ role }) => role === "assistant").map(({ content }) => JSON.stringify(content));
  const given = digest([...tools.map(({ name }) => name), ...said]);
  const path = `${given}.${digest(system.map(({ text }) => text))}`;
  const about = first.replace(/\s+/g, " ").slice(0, ABOUT_CHARACTERS);
  return { exact: `${path}.${digest([first])}`, path, tools: given, about };
}

function textOf(block: { readonly type: string; readonly text?: string; readonly content?: string }): string {
  return block.text ?? block.content ?? "";
}

function digest(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(lasting(text)).update("\0");
  return hash.digest("hex").slice(0, 16);
}

/** Without ids of runs and commits, and without everything that is counted. */
function lasting(text: string): string {
  return text
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "<id>")
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, "<sha>")
    .replace(/\d+(?:[.,:]\d+)*/g, "<n>");
}
