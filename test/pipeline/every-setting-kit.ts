import type { AgentDefinition } from "../../src/agents/agent-definition.ts";
import { createGraphReader } from "../../src/analysis/map/read-graph.ts";
import type { RepoConfig } from "../../src/domain/repo-config.ts";
import { openBudget } from "../../src/pipeline/ai/open-budget.ts";
import { type AgentMemory, createRunAgent } from "../../src/pipeline/ai/run-agent.ts";
import { KEEP_NOTHING } from "../../src/pipeline/ai/step-keeper.ts";
import { watchErrors } from "../../src/pipeline/ai/watch-errors.ts";
import { runAiLayer } from "../../src/pipeline/review/ai/ai-layer.ts";
import { runTestingPhase } from "../../src/pipeline/testing/run-testing-phase.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { definition, type Reply, scripted, tool } from "../agents/kit.ts";
import { changedFile, scratchFolder } from "../analysis/change-of.ts";
import { aiDependencies, REDACT } from "../hostile/model/ai-powers.ts";
import { changeOf, cloneOf } from "./testing/test-context.ts";

const signal = new AbortController().signal;

/** What an agent of this repository did: its requests, its waits, what it asked of the memory and what it told it. */
export async function agentAtWork(
  configuration: RepoConfig,
  script: Parameters<typeof scripted>[0],
  { contextWindow = 200_000, ...over }: Partial<AgentDefinition> & { contextWindow?: number } = {},
) {
  const model = scripted(script, { contextWindow });
  const powers = aiDependencies(model);
  const asked: number[] = [];
  const learnt: string[] = [];
  const memory: AgentMemory = {
    bearingOn: async (tokens) => {
      asked.push(tokens);
      return [];
    },
    learn: async (learnings) => {
      learnt.push(...learnings.map(({ content }) => content));
    },
  };
  const failing = tool("fail", async () => Promise.reject(new Error("no")), { readOnly: false });
  const read = tool("read", async () => ({ text: "text" }));
  const run = createRunAgent({
    ...powers,
    priceOf: () => ({ input: 1, output: 1, cacheRead: 1, cacheWrite: 1, assumed: false }),
    budget: await openBudget({ keeper: powers.spend, priceOf: powers.priceOf, makeId: powers.makeId }, []),
    checks: [],
    errors: watchErrors(() => 0),
    steps: KEEP_NOTHING,
    timeLimitMs: 60_000,
    signal,
    word: { usdLimits: [], moreIterations: 0 },
    policy: { ask: [] },
    configuration,
    memory,
  });
  const agent = definition({ type: "reviewer", tools: [read, failing], iterationLimit: 12, ...over });
  const outcome = await run(agent, { key: "agent", task: "Do it." });
  const { requests } = model;
  return {
    outcome: outcome.ok ? "completed" : outcome.reason,
    system: requests[0]?.system.map(({ text }) => text),
    calls: requests.length,
    messages: requests.map(({ messages }) => messages.length),
    slept: powers.slept,
    asked,
    learnt,
  };
}

/** What the AI layer of a review told its reader, and how it ended; each call takes as many minutes. */
export async function reading(configuration: RepoConfig, minutesACall: number) {
  let now = 0;
  const model = scripted((): Reply => {
    now += minutesACall * 60_000;
    return { content: [{ type: "text", text: "Hm." }], stop: "end_turn" };
  });
  const path = "src/a.ts";
  const powers = aiDependencies(model);
  const { layer } = await runAiLayer(
    { ...powers, clock: { ...powers.clock, now: () => now } },
    {
      change: {
        files: [changedFile(path, "a();\n")],
        contents: new Map([[path, Buffer.from("a();\n")]]),
        oldContents: new Map(),
      },
      ...{ instructions: [], found: [], readable: new Set([path]), tools: [], depth: "usual", limits: [], signal },
      ...{ configuration, steps: KEEP_NOTHING, openTrials: async () => undefined },
    },
  );
  const [first] = model.requests;
  return { reason: layer.reason, task: JSON.stringify(first?.messages) };
}

/** The programs that the testing phase started, in their order. */
export async function programsOf({ tools }: RepoConfig): Promise<string[]> {
  const started: string[] = [];
  const nothing = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), code: 0, signal: null, durationMs: 1 };
  const sandbox = {
    run: async ({ command, args }: { readonly command: string; readonly args: readonly string[] }) => {
      // The mark in front of a report is another one each time.
      started.push([command, ...args].join(" ").replace(/\b[0-9a-f]{24}\b/, "<mark>"));
      return nothing;
    },
  } as unknown as Sandbox;
  const clone = await cloneOf(sandbox, { "package.json": '{"scripts":{"test":"vitest"}}', "a.test.ts": "" });
  const scratchRoot = scratchFolder();
  const readGraph = createGraphReader({ files: clone.files, scratch: scratchRoot, immutable: true });
  const change = changeOf({}, { "a.test.ts": "" });
  await runTestingPhase(
    {
      clone,
      openBase: async () => undefined,
      readGraph,
      redact: REDACT,
      testerTools: [],
      scratchRoot,
      signal,
      timeLimitMs: 60_000,
    },
    { headSha: "a".repeat(40), risk: "low", change, tools },
  );
  return started.map((line) => line.replaceAll(/\/\S+/g, ""));
}
