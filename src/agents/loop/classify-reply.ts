import type { AssistantBlock, StopReason, ToolUseBlock } from "../../llm/ports.ts";

export type ReplyKind =
  /** One or several calls, `complete` and `ask_human` among them. */
  | { readonly is: "calls" }
  | { readonly is: "words"; readonly text: string }
  /** Prose that asks a person for help. */
  | { readonly is: "question"; readonly text: string }
  | { readonly is: "cut"; readonly text: string }
  | { readonly is: "paused" }
  | { readonly is: "empty" };

/** Somebody is addressed, and something is needed of them. Only the last lines count: that is where a question to a person stands. */
const ASKS_FOR_HELP = [
  /\b(?:could|can|would|will) you (?:please )?(?:clarify|confirm|tell me|provide|specify|explain|decide|advise|let me know|help)\b/i,
  /\b(?:please|kindly) (?:clarify|confirm|advise|provide|specify|let me know|tell me|decide)\b/i,
  /\bi (?:need|require|would need) (?:your|human|a human|a person'?s|someone'?s|more) (?:help|input|guidance|decision|clarification|approval|information)\b/i,
  /\bi(?:'m| am) (?:stuck|blocked|unable to (?:proceed|continue|decide))\b/i,
  /\b(?:how|what|which) (?:would|do|should) (?:you|i|we)\b[^.!]{0,200}\?/i,
  /\bshould i\b[^.!]{0,200}\?/i,
];
const LAST_CHARACTERS = 600;

/** What a reply is, by its content first and by how it stopped second. Refusals and full contexts are not replies to act on. */
export function classifyReply(content: readonly AssistantBlock[], stopReason: StopReason): ReplyKind {
  if (content.some(({ type }) => type === "tool_use")) return { is: "calls" };
  const text = wordsOf(content);
  if (stopReason === "pause_turn") return { is: "paused" };
  if (stopReason === "max_tokens") return { is: "cut", text };
  if (text === "") return { is: "empty" };
  return asksForHelp(text) ? { is: "question", text } : { is: "words", text };
}

/** The text of a reply, without thinking. */
export function wordsOf(content: readonly AssistantBlock[]): string {
  return content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n")
    .trim();
}

export function callsOf(content: readonly AssistantBlock[]): ToolUseBlock[] {
  return content.filter((block) => block.type === "tool_use");
}

function asksForHelp(text: string): boolean {
  const end = text.slice(-LAST_CHARACTERS);
  return ASKS_FOR_HELP.some((pattern) => pattern.test(end));
}
