import type { MakeId } from "../../domain/ids.ts";
import type { AssistantBlock } from "../../llm/ports.ts";

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
    if (block.type === "thinking") return [block];
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
