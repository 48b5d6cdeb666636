import { defined } from "../domain/defined.ts";
import type { Redact } from "../safety/redact.ts";
import { redactStrings } from "../safety/redact-value.ts";
import type { AssistantBlock, Message, Model, StepRequest, UserBlock } from "./ports.ts";

/**
 * A model that is sent nothing unredacted, whatever wrote the request (SEC-6): the last door before the wire, behind every place that has
 * redacted already. A message that was sent before is the same again, so that the provider's cache holds.
 */
export function withRedactedRequests(model: Model, redact: Redact): Model {
  const sent = new WeakMap<Message, Message>();
  const clean = (message: Message) => {
    const known = sent.get(message) ?? redactMessage(message, redact);
    sent.set(message, known);
    return known;
  };
  return {
    ...model,
    step: (request, options) => {
      const system = request.system.map((block) => ({ ...block, text: redact(block.text) }));
      const safe: StepRequest = { ...request, system, messages: request.messages.map(clean) };
      return model.step(safe, options);
    },
  };
}

function redactMessage(message: Message, redact: Redact): Message {
  if (message.role === "user") return { role: "user", content: message.content.map((each) => userBlock(each, redact)) };
  return { role: "assistant", content: message.content.map((each) => assistantBlock(each, redact)) };
}

function userBlock(block: UserBlock, redact: Redact): UserBlock {
  if (block.type === "text") return { ...block, text: redact(block.text) };
  const { images, ...result } = block;
  // A secret in the text that a picture carries along, say.
  const clean = images?.filter(({ data }) => redact(data) === data);
  return { ...result, content: redact(block.content), ...defined({ images: clean?.length ? clean : undefined }) };
}

/** Thoughts are signed: they go back as they came, to whom they came from. */
function assistantBlock(block: AssistantBlock, redact: Redact): AssistantBlock {
  if (block.type === "text") return { ...block, text: redact(block.text) };
  return block.type === "tool_use" ? { ...block, input: redactStrings(block.input, redact) } : block;
}
