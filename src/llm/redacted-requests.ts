import { defined } from "../domain/defined.ts";
import type { Redact } from "../safety/redact.ts";
import { redactInTurns, redactStringsInTurns } from "../safety/redact-value.ts";
import type { AssistantBlock, Message, Model, StepRequest, UserBlock } from "./ports.ts";

/**
 * A model that is sent nothing unredacted, whatever wrote the request (SEC-6): the last door before the wire, behind every place that has
 * redacted already. A message that was sent before is the same again, so that the provider's cache holds.
 */
export function withRedactedRequests(model: Model, redact: Redact): Model {
  const sent = new WeakMap<Message, Promise<Message>>();
  const clean = (message: Message) => {
    const known = sent.get(message) ?? redactMessage(message, redact);
    sent.set(message, known);
    return known;
  };
  return {
    ...model,
    step: async (request, options) => {
      const text = redactInTurns(redact);
      const system = await inOrder(request.system, async (block) => ({ ...block, text: await text(block.text) }));
      const messages = await inOrder(request.messages, clean);
      const safe: StepRequest = { ...request, system, messages };
      return model.step(safe, options);
    },
  };
}

async function redactMessage(message: Message, redact: Redact): Promise<Message> {
  const text = redactInTurns(redact);
  if (message.role === "user")
    return { role: "user", content: await inOrder(message.content, (block) => userBlock(block, text)) };
  return { role: "assistant", content: await inOrder(message.content, (block) => assistantBlock(block, text, redact)) };
}

type RedactText = (text: string) => Promise<string>;

async function userBlock(block: UserBlock, redact: RedactText): Promise<UserBlock> {
  if (block.type === "text") return { ...block, text: await redact(block.text) };
  const { images, ...result } = block;
  // A secret in the text that a picture carries along, say.
  const clean = await inOrder(images ?? [], async (image) =>
    (await redact(image.data)) === image.data ? [image] : [],
  );
  const left = clean.flat();
  return { ...result, content: await redact(block.content), ...defined({ images: left.length ? left : undefined }) };
}

/** Thoughts are signed: they go back as they came, to whom they came from. */
async function assistantBlock(block: AssistantBlock, redact: RedactText, whole: Redact): Promise<AssistantBlock> {
  if (block.type === "text") return { ...block, text: await redact(block.text) };
  return block.type === "tool_use" ? { ...block, input: await redactStringsInTurns(block.input, whole) } : block;
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}
