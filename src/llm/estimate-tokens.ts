import { z } from "zod";
import type { AssistantBlock, StepRequest, UserBlock } from "./ports.ts";

/** Characters a token, by class of content: prose and code; JSON, logs and the like; Chinese, Japanese and Korean. */
const PLAIN = 4;
const DENSE = 2.2;
const CJK = 1.2;
/** From this share of digits and punctuation on a text is dense. */
const DENSE_SHARE = 1 / 3;

/** The cost of a message or a block beside its text. */
const FRAME_TOKENS = 4;

/** Of longer texts, in characters, parts stand for the whole: sixteen, evenly spread, together as long as this. */
const READ_WHOLE = 131_072;
const PARTS = 16;

/** Tokens of a text before anything is known of the model. */
export function estimateTextTokens(text: string): number {
  if (text.length <= READ_WHOLE) return Math.ceil(tokensOfPart(text));
  const size = READ_WHOLE / PARTS;
  const stride = (text.length - size) / (PARTS - 1);
  let tokens = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const start = Math.floor(part * stride);
    tokens += tokensOfPart(text.slice(start, start + size));
  }
  return Math.ceil((tokens * text.length) / READ_WHOLE);
}

function tokensOfPart(text: string): number {
  let cjk = 0;
  let marks = 0;
  let spaces = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 32) spaces += 1;
    else if (code < 127) {
      const lower = code | 32;
      if (lower < 97 || lower > 122) marks += 1;
    } else if (code >= 0x2e80) cjk += 1;
  }
  const rest = text.length - cjk;
  const dense = marks > (rest - spaces) * DENSE_SHARE;
  return cjk / CJK + rest / (dense ? DENSE : PLAIN);
}

/** The most that a provider counts for an image: Anthropic scales larger ones down to what costs this. */
export const MOST_OF_AN_IMAGE = 4_800;

export function estimateBlockTokens(block: UserBlock | AssistantBlock): number {
  const images = block.type === "tool_result" ? (block.images?.length ?? 0) : 0;
  return FRAME_TOKENS + estimateTextTokens(textOf(block)) + images * MOST_OF_AN_IMAGE;
}

/** Tokens of everything that a request sends. */
export function estimateRequestTokens(request: Pick<StepRequest, "system" | "messages" | "tools">): number {
  const system = request.system.reduce((sum, { text }) => sum + FRAME_TOKENS + estimateTextTokens(text), 0);
  const tools = request.tools.reduce((sum, tool) => sum + FRAME_TOKENS + estimateTextTokens(JSON.stringify(tool)), 0);
  const blocks = request.messages.flatMap((message): readonly (UserBlock | AssistantBlock)[] => message.content);
  return blocks.reduce((sum, block) => sum + estimateBlockTokens(block), system + tools);
}

function textOf(block: UserBlock | AssistantBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.data ?? block.thinking;
    case "tool_result":
      return block.content;
    case "tool_use":
      return block.name + (block.unparsed ?? JSON.stringify(block.input) ?? "");
  }
}

/** How much more tokens a model counts than are estimated, by its id. A value that can be stored. */
export const Calibration = z.record(z.string(), z.number().positive());
export type Calibration = Readonly<z.infer<typeof Calibration>>;

/** The margin above the estimate that a budget sets aside. */
export const BUDGET_FACTOR = 1.25;

/** The weight of what was seen last: a few steps suffice, and one odd text does not turn it over. */
const WEIGHT = 0.3;
/** Short requests say little: their frame weighs more than their text. */
const ENOUGH_TOKENS = 200;
const [LOWEST, HIGHEST] = [0.3, 4];

/** Learns from one call: what was estimated for its whole input, and what the provider counted, cached tokens included. */
export function calibrate(state: Calibration, model: string, estimated: number, counted: number): Calibration {
  if (estimated < ENOUGH_TOKENS || counted <= 0) return state;
  const seen = Math.min(HIGHEST, Math.max(LOWEST, counted / estimated));
  const known = state[model];
  return { ...state, [model]: known === undefined ? seen : known + WEIGHT * (seen - known) };
}

/** Models since then cut texts into about 30 % more tokens than those the estimate was made for (the provider's pages say so). */
const FINER = /^claude-(?:[a-z]+-[5-9]|opus-4-[7-9])/;
const FINER_FACTOR = 1.3;

/** An estimate as this model would count it. */
export function calibrated(state: Calibration, model: string, estimated: number): number {
  return Math.ceil(estimated * (state[model] ?? (FINER.test(model) ? FINER_FACTOR : 1)));
}
