import type { AssistantBlock, StepEvent, ToolUseBlock } from "./ports.ts";

/** How a model without native tools calls one: a JSON object with `name` and `arguments` between these tags. */
export const OPENING = "<tool_call>";
export const CLOSING = "</tool_call>";

/**
 * What stands in a text: words and calls in their order. A model often sets a block into a code fence, which goes with it; and sometimes it
 * writes on with results of its own making, which are left out with all that follows.
 */
export function parseTaggedCalls(text: string, idOf: (index: number) => string): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  let calls = 0;
  let done = 0;
  let fenced = false;
  const say = (words: string) => {
    const plain = fenced ? words.replace(/^\s*```/, "") : words;
    if (plain.trim() !== "") blocks.push({ type: "text", text: plain.trim() });
  };
  for (let at = text.indexOf(OPENING); at !== -1; at = text.indexOf(OPENING, done)) {
    const before = text.slice(done, at);
    const words = before.replace(/```[a-z_]*\s*$/i, "");
    if (inventsResults(before, calls)) return blocks;
    say(words);
    fenced = words !== before;
    const start = at + OPENING.length;
    const end = endOfBlock(text, start);
    blocks.push(toCall(text.slice(start, end.inner), idOf(calls)));
    calls += 1;
    done = end.outer;
  }
  if (!inventsResults(text.slice(done), calls)) say(text.slice(done));
  return blocks;
}

function inventsResults(words: string, calls: number): boolean {
  return calls > 0 && words.includes("<tool_result");
}

/**
 * A block without its end is over where the next begins, or with the text: what came is looked at, not thrown away (LOOP-4). The first tag of
 * either kind ends it: a search for the end alone would go through the rest of the text for each block without one.
 */
function endOfBlock(text: string, start: number): { inner: number; outer: number } {
  const tag = /<\/?tool_call>/g;
  tag.lastIndex = start;
  const found = tag.exec(text);
  if (found === null) return { inner: text.length, outer: text.length };
  return { inner: found.index, outer: found[0] === CLOSING ? tag.lastIndex : found.index };
}

/** A malformed block is a call all the same: one whose arguments are no JSON, so that the model is told what was wrong. */
function toCall(inner: string, id: string): ToolUseBlock {
  const body = withoutFence(inner);
  const parsed = parseObject(body);
  const name = parsed?.name ?? parsed?.tool;
  const given = parsed?.arguments ?? parsed?.input ?? parsed?.parameters;
  if (typeof name !== "string" || name === "" || given === undefined) {
    return {
      type: "tool_use",
      id,
      name: typeof name === "string" && name ? name : "malformed",
      input: body,
      unparsed: body,
    };
  }
  if (typeof given !== "string") return { type: "tool_use", id, name, input: given };
  const inside = parseObject(given);
  return inside
    ? { type: "tool_use", id, name, input: inside }
    : { type: "tool_use", id, name, input: given, unparsed: given };
}

function withoutFence(inner: string): string {
  const text = inner.trim().replace(/^```[a-z_]*\s*/i, "");
  return (text.endsWith("```") ? text.slice(0, -3) : text).trim();
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

export interface TagWatcher {
  readonly take: (text: string) => void;
  /** The text is over: what was kept back in case a tag came of it is words. */
  readonly end: () => void;
}

/** A name that comes later than this, in characters, is told with the whole reply only. */
const NAME_WITHIN = 4096;

/**
 * Reads streamed text for tagged calls (LOOP-5): words are passed on at once, a call is told as soon as its name has come, its inside is
 * kept back. An opening tag may be split over pieces, so as much as could still become one waits.
 */
export function watchTags(tell: (event: StepEvent) => void, idOf: (index: number) => string): TagWatcher {
  let pending = "";
  let inside = false;
  let told = false;
  let calls = 0;

  const advance = (): boolean => {
    if (inside) {
      const name = told ? undefined : /"(?:name|tool)"\s*:\s*"([^"\\]+)"/.exec(pending)?.[1];
      if (name !== undefined) {
        told = true;
        tell({ type: "tool_call_started", id: idOf(calls), name });
      }
      const end = pending.indexOf(CLOSING);
      if (end === -1) {
        // Of a long block only what may be the beginning of its end is kept: looking through all of it again takes too long.
        if (told || pending.length > NAME_WITHIN) {
          told = true;
          pending = pending.slice(1 - CLOSING.length);
        }
        return false;
      }
      pending = pending.slice(end + CLOSING.length);
      inside = false;
      calls += 1;
      return true;
    }
    const start = pending.indexOf(OPENING);
    const safe = start === -1 ? pending.length - heldBack(pending) : start;
    if (safe > 0) tell({ type: "text", text: pending.slice(0, safe) });
    pending = pending.slice(start === -1 ? safe : start + OPENING.length);
    if (start === -1) return false;
    inside = true;
    told = false;
    return true;
  };

  return {
    take(text: string) {
      pending += text;
      while (advance()) {
        // Each turn takes one tag away.
      }
    },
    end() {
      if (!inside && pending) tell({ type: "text", text: pending });
      pending = "";
    },
  };
}

/** How many of the last characters may be the beginning of an opening tag. */
function heldBack(text: string): number {
  for (let length = Math.min(OPENING.length - 1, text.length); length > 0; length -= 1) {
    if (OPENING.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
