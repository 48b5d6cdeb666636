import { createHash } from "node:crypto";
import type { StepRequest } from "../../llm/ports.ts";

/** By what a recorded reply is found again. */
export interface ConversationKey {
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
