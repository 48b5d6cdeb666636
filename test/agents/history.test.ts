import { describe, expect, it } from "vitest";
import { compressHistory } from "../../src/agents/loop/compress.ts";
import {
  addToUser,
  anchorAt,
  appendExchange,
  estimateHistory,
  exportHistory,
  findHistoryFault,
  forkHistory,
  type History,
  importHistory,
  replaceRange,
} from "../../src/agents/loop/history.ts";
import { estimateBlockTokens, estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import type { Message } from "../../src/llm/ports.ts";
import { USAGE } from "./kit.ts";

const text = (words: string) => ({ type: "text" as const, text: words });
const user = (words: string): Message => ({ role: "user", content: [text(words)] });

function exchanges(count: number): History {
  let history: History = { messages: [{ role: "user", content: [text("task")] }] };
  for (let index = 0; index < count; index += 1) {
    history = appendExchange(
      history,
      [text(`decided ${index}`), { type: "tool_use", id: `t${index}`, name: "read", input: { index } }],
      [{ type: "tool_result", toolUseId: `t${index}`, content: `outcome ${index} ${"x".repeat(400)}`, isError: false }],
    );
  }
  return history;
}

describe("history", () => {
  it("LOOP-9, LOOP-22: counts an image as the budget does, until the provider has counted it", () => {
    const images = [{ mediaType: "image/png" as const, data: "AAAA" }];
    const result = { type: "tool_result" as const, toolUseId: "t1", content: "seen", isError: false };
    const of = (content: Message["content"]) => {
      const history: History = { messages: [{ role: "user", content }] as Message[] };
      return estimateHistory(history, 0, estimateTextTokens);
    };
    const budgeted = estimateBlockTokens({ ...result, images }) - estimateBlockTokens(result);
    expect(of([{ ...result, images }] as never) - of([result] as never)).toBe(budgeted);
    expect(budgeted).toBeGreaterThan(1_000);
  });

  it("LOOP-9: estimates only what came after the provider counted", () => {
    const history = anchorAt(exchanges(3), 7, { ...USAGE, inputTokens: 5_000, outputTokens: 100 });
    expect(estimateHistory(history, 999, estimateTextTokens)).toBe(5_100);
    const more = appendExchange(history, [text("next")], [text("y".repeat(400))]);
    const estimate = estimateHistory(more, 999, estimateTextTokens);
    expect(estimate).toBeGreaterThan(5_200);
    expect(estimate).toBeLessThan(5_230);
  });

  it("LOOP-9: replacing a range that was counted drops the anchor; one behind it does not", () => {
    const history = anchorAt(exchanges(3), 5, USAGE);
    expect(replaceRange(history, 1, 3, []).anchor).toBeUndefined();
    expect(replaceRange(history, 5, 7, []).anchor).toEqual({ messages: 5, tokens: 120 });
  });

  it("LOOP-9: roles alternate whatever is added", () => {
    const history = addToUser(addToUser(exchanges(1), [text("a")]), [text("b")]);
    expect(history.messages).toHaveLength(3);
    expect(findHistoryFault(history.messages)).toBeUndefined();
    expect(appendExchange(history, [], [text("c")]).messages).toHaveLength(3);
  });

  it("LOOP-9: a fork is a copy: what happens to one is not seen in the other", () => {
    const history = exchanges(2);
    const fork = forkHistory(history);
    Object.assign(fork.messages[0]!.content[0]!, { text: "changed" });
    expect(history.messages[0]).toEqual(user("task"));
  });

  it("LOOP-9: export and import give the same history; what is not legal is refused", () => {
    const { messages } = exchanges(2);
    expect(importHistory(exportHistory(messages))).toEqual(messages);
    expect(() => importHistory(exportHistory(messages.slice(1)))).toThrow("message 0");
    expect(() => importHistory(exportHistory(messages.slice(0, 2)))).toThrow("calls without results");
    expect(() => importHistory("[]")).toThrow("not a history");
  });

  it.each([0, 1, 2, 3, 8])(
    "LOOP-10: compressing %i exchanges keeps the first and the last three whole, and the pairs",
    (count) => {
      const history = exchanges(count);
      const compressed = compressHistory(history, 0, estimateTextTokens);
      if (count < 3) {
        expect(compressed).toBeUndefined();
        return;
      }
      const { messages } = compressed!.history;
      expect(findHistoryFault(messages)).toBeUndefined();
      expect(messages.slice(-3)).toEqual(history.messages.slice(-3));
      expect(messages[0]!.content[0]).toEqual(text("task"));
      expect(JSON.stringify(messages[0])).toContain("Said: decided 0");
      expect(JSON.stringify(messages[0])).toContain("gave: outcome 0");
      expect(compressed!.afterTokens).toBeLessThan(compressed!.beforeTokens);
    },
  );
});
