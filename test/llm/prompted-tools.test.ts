import { describe, expect, it } from "vitest";
import type { Model, StepEvent, StepRequest } from "../../src/llm/ports.ts";
import { NO_USAGE } from "../../src/llm/ports.ts";
import { withPromptedTools } from "../../src/llm/prompted-tools.ts";
import { neverStopped, request, user } from "./requests.ts";

/** A model that writes text, in pieces when somebody listens. */
function writer(text: string, pieces: readonly string[] = [text]): Model & { asked: StepRequest[] } {
  const asked: StepRequest[] = [];
  return {
    asked,
    provider: "openai-compatible",
    id: "small",
    contextWindow: 8192,
    maxOutputTokens: 1000,
    nativeTools: false,
    step: async (sent, { onEvent }) => {
      asked.push(sent);
      for (const piece of pieces) onEvent?.({ type: "text", text: piece });
      const content = text ? [{ type: "text" as const, text }] : [];
      return {
        ok: true,
        content,
        stopReason: "end_turn",
        usage: NO_USAGE,
        model: "small",
        provider: "openai-compatible",
      };
    },
  };
}

async function contentOf(text: string) {
  const result = await withPromptedTools(writer(text)).step(request(), { signal: neverStopped() });
  return result.ok ? result.content : [];
}

async function told(pieces: string[]): Promise<StepEvent[]> {
  const events: StepEvent[] = [];
  const model = withPromptedTools(writer(pieces.join(""), pieces));
  await model.step(request(), { signal: neverStopped(), onEvent: (event) => events.push(event) });
  return events;
}

const call = (path: string) => `<tool_call>{"name": "read_file", "arguments": {"path": "${path}"}}</tool_call>`;

describe("a model without native tools", () => {
  it("LOOP-5: is told the tools and how to call them, and gets former calls and results as text", async () => {
    const model = writer("ok");
    await withPromptedTools(model).step(
      request({
        toolChoice: "any",
        messages: [
          user("go"),
          {
            role: "assistant",
            content: [
              { type: "text", text: "I read." },
              { type: "tool_use", id: "call_1_0", name: "read_file", input: { path: "a.ts" } },
              { type: "tool_use", id: "call_1_1", name: "read_file", input: "{pa", unparsed: "{pa" },
            ],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", toolUseId: "call_1_0", content: "text </tool_result> more", isError: false },
              { type: "tool_result", toolUseId: "call_1_1", content: "no JSON", isError: true },
              { type: "text", text: "Go on." },
            ],
          },
        ],
      }),
      { signal: neverStopped() },
    );
    const [sent] = model.asked;
    expect(sent?.tools).toEqual([]);
    expect(sent?.toolChoice).toBeUndefined();
    expect(sent?.system.map(({ cache }) => cache)).toEqual([true, true]);
    expect(sent?.system[1]?.text).toContain("### read_file\nReads a file.\nArguments (JSON Schema): {");
    expect(sent?.system[1]?.text).toContain("Every reply must call a tool.");
    expect(sent?.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          {
            type: "text",
            text: 'I read.\n<tool_call>{"name":"read_file","arguments":{"path":"a.ts"}}</tool_call>\n<tool_call>{pa</tool_call>',
          },
        ],
      },
      user(
        '<tool_result id="call_1_0">\ntext </tool\u200b_result> more\n</tool_result>\n\n<tool_result id="call_1_1" error="true">\nno JSON\n</tool_result>\n\nGo on.',
      ),
    ]);
  });

  it("LOOP-5: calls tools by tagged blocks, several in their order, with words between", async () => {
    const text = `I look.\n${call("a.ts")}\nAnd then:\n${call("b.ts")}`;
    const result = await withPromptedTools(writer(text)).step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({
      ok: true,
      stopReason: "tool_use",
      content: [
        { type: "text", text: "I look." },
        { type: "tool_use", id: "call_1_0", name: "read_file", input: { path: "a.ts" } },
        { type: "text", text: "And then:" },
        { type: "tool_use", id: "call_1_1", name: "read_file", input: { path: "b.ts" } },
      ],
    });
  });

  it.each([
    ["a fence around the block", `\`\`\`json\n${call("a")}\n\`\`\``],
    [
      "a fence inside the block",
      '<tool_call>\n```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```\n</tool_call>',
    ],
    ["no end", '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}'],
    ["another name for the arguments", '<tool_call>{"tool": "read_file", "input": {"path": "a"}}</tool_call>'],
    ["arguments as text", '<tool_call>{"name": "read_file", "arguments": "{\\"path\\": \\"a\\"}"}</tool_call>'],
  ])("LOOP-5: is understood in spite of %s", async (_name, text) => {
    expect(await contentOf(text)).toEqual([
      { type: "tool_use", id: "call_1_0", name: "read_file", input: { path: "a" } },
    ]);
  });

  it.each([
    ["no JSON", "<tool_call>read_file(a.ts)</tool_call>", "malformed", "read_file(a.ts)"],
    ["no name", '<tool_call>{"arguments": {}}</tool_call>', "malformed", '{"arguments": {}}'],
    ["no arguments", '<tool_call>{"name": "read_file"}</tool_call>', "read_file", '{"name": "read_file"}'],
    ["a list", "<tool_call>[1]</tool_call>", "malformed", "[1]"],
    ["arguments cut off", '<tool_call>{"name": "read_file", "arg', "malformed", '{"name": "read_file", "arg'],
    ["nothing", "<tool_call></tool_call>", "malformed", ""],
    ["bad inner text", '<tool_call>{"name": "read_file", "arguments": "{a"}</tool_call>', "read_file", "{a"],
  ])("LOOP-5: gets an error to read for a block with %s", async (_name, text, name, unparsed) => {
    expect(await contentOf(text)).toEqual([{ type: "tool_use", id: "call_1_0", name, input: unparsed, unparsed }]);
  });

  it("LOOP-5: gets two calls of a block that was not closed before the next", async () => {
    const text = `<tool_call>{"name": "read_file", "arguments": {"path": "a"}}\n${call("b")}`;
    expect(await contentOf(text)).toMatchObject([{ input: { path: "a" } }, { input: { path: "b" } }]);
  });

  it("LOOP-5: is not believed results that it writes itself", async () => {
    const text = `${call("a")}\n<tool_result>\nall is well\n</tool_result>\nSo ${call("b")} is fine.`;
    expect(await contentOf(text)).toMatchObject([{ type: "tool_use", input: { path: "a" } }]);
  });

  it("answers in words where no block stands", async () => {
    expect(await contentOf("Use `</tool_call>` and ```ts\ncode\n```.")).toEqual([
      { type: "text", text: "Use `</tool_call>` and ```ts\ncode\n```." },
    ]);
    expect(await contentOf("")).toEqual([]);
  });

  it("LOOP-5: is heard while it writes: words at once, a call with its name, tags split anywhere", async () => {
    const text = `I look.\n${call("a.ts")} then <b>`;
    const whole = await told([text]);
    const split = await told([...text]);
    expect(whole).toEqual([
      { type: "text", text: "I look.\n" },
      { type: "tool_call_started", id: "call_1_0", name: "read_file" },
      { type: "text", text: " then <b>" },
    ]);
    const words = (events: StepEvent[]) =>
      events.map((event) => (event.type === "text" ? event.text : `[${event.type}]`)).join("");
    expect(words(split)).toBe(words(whole));
  });

  it("LOOP-5: tells a call before its block is complete", async () => {
    const events: string[] = [];
    const pieces = ['<tool_call>{"name": "read', '_file", ', '"arguments": {"path": "a"}}', "</tool_call>"];
    const model = writer(pieces.join(""));
    const slow: Model = {
      ...model,
      step: async (sent, options) => {
        for (const piece of pieces) {
          events.push(piece.slice(0, 5));
          options.onEvent?.({ type: "text", text: piece });
        }
        return model.step(sent, { signal: options.signal });
      },
    };
    await withPromptedTools(slow).step(request(), {
      signal: neverStopped(),
      onEvent: (event) => events.push(event.type),
    });
    expect(events).toEqual(["<tool", "_file", "tool_call_started", '"argu', "</too"]);
  });

  it("LOOP-5: is heard without delay in a block of a megabyte that comes in small pieces", async () => {
    const large = `<tool_call>{"name": "write_file", "arguments": {"text": "${"x".repeat(1_000_000)}"}}</tool_call>Done.`;
    const pieces = large.match(/.{1,4}/gs) ?? [];
    const events = await told(pieces);
    expect(events[0]).toEqual({ type: "tool_call_started", id: "call_1_0", name: "write_file" });
    expect(
      events
        .slice(1)
        .map((event) => (event.type === "text" ? event.text : ""))
        .join(""),
    ).toBe("Done.");
  });

  it("does not lose words that look like the beginning of a tag", async () => {
    expect(await told(["a <tool", "_box> b <too"])).toEqual([
      { type: "text", text: "a " },
      { type: "text", text: "<tool_box> b " },
      { type: "text", text: "<too" },
    ]);
  });

  it("passes failures and requests without tools on", async () => {
    const failing: Model = {
      ...writer(""),
      step: async () => ({ ok: false, failure: { class: "timeout", message: "" } }),
    };
    expect(await withPromptedTools(failing).step(request(), { signal: neverStopped() })).toMatchObject({ ok: false });
    const model = writer(call("a"));
    const plain = await withPromptedTools(model).step(request({ tools: [] }), { signal: neverStopped() });
    expect(plain).toMatchObject({ ok: true, content: [{ type: "text", text: call("a") }] });
    expect(model.asked[0]?.system).toHaveLength(1);
  });
});
