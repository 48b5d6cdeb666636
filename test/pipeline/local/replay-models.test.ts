import { describe, expect, it } from "vitest";
import type { StepRequest, StepResult } from "../../../src/llm/ports.ts";
import { NO_USAGE } from "../../../src/llm/ports.ts";
import { conversationKey } from "../../../src/pipeline/local/record-models.ts";
import type { RecordedReply } from "../../../src/pipeline/local/recording.ts";
import { replayModels } from "../../../src/pipeline/local/replay-run.ts";

const MODEL = { provider: "anthropic", id: "m", contextWindow: 1000, maxOutputTokens: 100, nativeTools: true };
const { signal } = new AbortController();

function asking(
  first: string,
  said: readonly string[] = [],
  { system = "You plan.", tools = ["read_file"] } = {},
): StepRequest {
  const turns = said.flatMap((text) => [
    { role: "assistant" as const, content: [{ type: "text" as const, text }] },
    { role: "user" as const, content: [{ type: "text" as const, text: "go on" }] },
  ]);
  return {
    system: [{ text: system }],
    messages: [{ role: "user", content: [{ type: "text", text: first }] }, ...turns],
    tools: tools.map((name) => ({ name, description: "", inputSchema: {} })),
    maxOutputTokens: 100,
  };
}

function recorded(request: StepRequest, text: string): RecordedReply {
  const { exact, about } = conversationKey(request);
  const result = { ok: true as const, content: [{ type: "text" as const, text }], stopReason: "end_turn" as const };
  return {
    is: "reply",
    exact,
    about,
    messages: 1,
    model: "m",
    ms: 1,
    result: { ...result, usage: NO_USAGE, model: "m", provider: "anthropic" },
  };
}

async function replaying(replies: readonly RecordedReply[]) {
  const replayed = replayModels({ models: { is: "models", strong: MODEL, fast: MODEL }, replies });
  const models = await replayed.modelsFor({});
  if (!models.configured) throw new Error("no models");
  const say = async (request: StepRequest) => textOf(await models.fast[0].step(request, { signal }));
  return { ...replayed, say };
}

function textOf(result: StepResult): string {
  if (!result.ok) return result.failure.message;
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe("a model that says what a recording holds", () => {
  it("OPS-1: keeps conversations apart that go on side by side, in whichever order they are asked", async () => {
    const { say, left } = await replaying([
      recorded(asking("a.js"), "about a"),
      recorded(asking("b.js"), "about b"),
      recorded(asking("a.js", ["about a"]), "a again"),
      recorded(asking("b.js", ["about b"]), "b again"),
    ]);
    expect(await say(asking("b.js"))).toBe("about b");
    expect(await say(asking("b.js", ["about b"]))).toBe("b again");
    expect(await say(asking("a.js"))).toBe("about a");
    expect(await say(asking("a.js", ["about a"]))).toBe("a again");
    expect(left()).toEqual([]);
  });

  it("OPS-1: does not mind ids of commits and runs, times and amounts", async () => {
    const { say } = await replaying([
      recorded(asking("another question"), "no"),
      recorded(asking("Commit 3f2c1ab, run 01M7X0GV5NEMBK7XE4S50D9ATZ, $1.20 left"), "yes"),
    ]);
    expect(await say(asking("Commit 8d11e0f, run 01M7X1JTK7X7YHB31J66749RDG, $0.9 left"))).toBe("yes");
  });

  it("OPS-1: finds the reply although what is shown, or the prompt, is worded anew", async () => {
    const replies = [recorded(asking("old words"), "one"), recorded(asking("x", [], { system: "Old." }), "two")];
    const { say } = await replaying(replies);
    expect(await say(asking("new words"))).toBe("one");
    expect(await say(asking("y", [], { system: "New." }))).toBe("two");
  });

  it("OPS-1: says where the recording ends, and gives no reply of another agent", async () => {
    const { say, left, missed } = await replaying([recorded(asking("a"), "one")]);
    expect(await say(asking("a", [], { tools: ["write_file"] }))).toBe(
      'The recording has no reply in this conversation: "a"',
    );
    expect(missed()).toEqual(["a"]);
    expect(left()).toHaveLength(1);
  });
});
