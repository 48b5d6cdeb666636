import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../../simulator/models/scripted-model.ts";
import { createAgentLoop } from "../../../src/agents/agent-loop.ts";
import { planTask } from "../../../src/agents/planner/plan-task.ts";
import { plannerAgent } from "../../../src/agents/planner/planner-agent.ts";
import { createModels } from "../../../src/llm/create-models.ts";
import { kit } from "../kit.ts";
import { brief, PATHS, plan } from "./fixture.ts";

let server: ScriptedModel | undefined;
afterEach(() => server?.stop());

describe("the planner over the interfaces of providers", () => {
  it.each(["anthropic", "openai"] as const)(
    "LLM-1, PLAN-1: asks, hears the answer, and hands in a plan by %s",
    async (provider) => {
      const question = { question: "Per client or for all?", options: ["per client", "for all"] };
      server = await startScriptedModel([
        { calls: [{ name: "ask_human", input: question }] },
        { calls: [{ name: "complete", input: { ...plan(), tasks: [] } }] },
        { calls: [{ name: "complete", input: plan() }] },
      ]);
      const baseUrl = provider === "anthropic" ? server.anthropicUrl : server.openaiUrl;
      const models = await createModels({
        model: "planner-model",
        toolCalling: "native",
        prices: {},
        [provider]: { apiKey: "key", baseUrl },
      });
      if (!models.configured) return expect.unreachable(models.reason);
      const context = {
        task: await planTask(brief()),
        shares: { memories: 0, conversation: 0, environment: 0 },
        sources: {},
      };
      const agent = plannerAgent([], { paths: PATHS, truncated: false, protectedPaths: [] });
      const loop = createAgentLoop(agent, kit(models.strong[0], { context }).dependencies);
      expect((await loop.run()).standing).toMatchObject({ is: "waiting", wait: question });
      const { standing } = await loop.run({ by: "answer", text: "per client" });
      expect(standing).toMatchObject({ is: "ended", end: { reason: "completed", output: plan() } });
      const [first, second, third] = server.asked.map(({ messages }) => JSON.stringify(messages));
      expect(first).toContain("title: Limit requests");
      expect(second).toContain("per client");
      expect(third).toContain("The result does not fit.");
      expect(server.asked[0]?.toolNames).toEqual(["complete", "ask_human"]);
    },
  );
});
