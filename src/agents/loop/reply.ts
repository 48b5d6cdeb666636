import type { MakeId } from "../../domain/ids.ts";
import type { AssistantBlock, StopReason, ToolUseBlock } from "../../llm/ports.ts";
import type { End, OpenReply, Wait } from "./loop-state.ts";
import { change, type Run, type Turn } from "./turn.ts";

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

/** The kind of a reply, by its content first and by how it stopped second. Refusals and full contexts are not replies to act on. */
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

/** The consequence of a reply: its calls, its answer, a person, or a word about what is wrong with it. */
export function followReply(turn: Turn, reply: OpenReply, run: Run): Turn {
  const { stopReason } = reply.step;
  const act = (patch: { end?: End; wait?: Wait }, ...notes: string[]) =>
    change(turn, {
      standing: { is: "acting", open: { ...reply, ...patch } },
      notes: [...turn.state.notes, ...notes],
      oddReplies: 0,
    });
  if (stopReason === "refusal") return act({ end: { reason: "refused", message: "The model refused to go on." } });
  const kind = classifyReply(reply.content, stopReason);
  switch (kind.is) {
    case "calls":
      return act({});
    case "paused":
      return act({}, "Go on.");
    case "question":
      return run.dependencies.someoneToAsk
        ? act({ wait: { for: "answer", question: kind.text, options: [] } })
        : odd(turn, reply, "Nobody can be asked here. Decide yourself, say what you assumed, and call `complete`.");
    case "words":
      return run.definition.output
        ? odd(turn, reply, "Your reply called no tool. Call one, or hand in your result with `complete`.")
        : act({ end: { reason: "completed", message: "The agent answered.", output: kind.text } });
    case "cut":
      return odd(
        turn,
        reply,
        "Your reply was cut off at the output limit. Go on in smaller pieces, and use the tools.",
      );
    case "empty":
      return odd(turn, reply, "Your reply was empty. Call a tool, or hand in your result with `complete`.");
    default:
      return kind satisfies never;
  }
}

/** Fed back once as an error; the second in a row ends the loop. */
function odd(turn: Turn, open: OpenReply, note: string): Turn {
  const { notes, oddReplies } = turn.state;
  if (oddReplies === 0) {
    return change(turn, { standing: { is: "acting", open }, notes: [...notes, note], oddReplies: 1 });
  }
  const end: End = { reason: "no_usable_reply", message: `The model twice gave a reply that is of no use. ${note}` };
  return change(turn, { standing: { is: "acting", open: { ...open, end } } });
}

/** Characters of one text or of one call's arguments that are kept: far above what output limits allow. */
const MOST = 400_000;
/** Calls of one reply that are kept. */
const MOST_CALLS = 64;

/**
 * A reply as it may stand in the history: ids of calls are there and differ, nothing is of a size that only a broken endpoint sends, and
 * blank text is left out, which providers do not take back.
 */
export function trimReply(content: readonly AssistantBlock[], makeId: MakeId): AssistantBlock[] {
  const seen = new Set<string>();
  return content.flatMap((block): AssistantBlock[] => {
    // A part of it would not fit its signature.
    if (block.type === "thinking") return block.thinking.length + (block.data?.length ?? 0) > MOST ? [] : [block];
    if (block.type === "text") {
      if (block.text.trim() === "") return [];
      return [block.text.length > MOST ? { type: "text", text: cut(block.text) } : block];
    }
    if (seen.size === MOST_CALLS) return [];
    const id = block.id === "" || seen.has(block.id) ? `call_${makeId()}` : block.id;
    seen.add(id);
    const argumentsText = block.unparsed ?? JSON.stringify(block.input) ?? "";
    if (argumentsText.length > MOST) {
      return [{ type: "tool_use", id, name: block.name.slice(0, 200), input: null, unparsed: cut(argumentsText) }];
    }
    return [id === block.id && block.name.length <= 200 ? block : { ...block, id, name: block.name.slice(0, 200) }];
  });
}

function cut(text: string): string {
  return `${text.slice(0, 4_000)}\n[cut here: ${text.length - 4_000} more characters]`;
}
