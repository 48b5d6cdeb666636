import { expect } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import { compareReplay } from "../../src/pipeline/compare-replay.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { CART, CLAIM, FORGETFUL } from "./cart.ts";
import { openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { worldWithModel } from "./with-model.ts";

const TEST = `import assert from "node:assert";
import { test } from "node:test";
import { total } from "../src/total.js";
test("sums", () => assert.equal(total([{ price: 3 }, { price: 4 }]), 7));
`;
export const CALL = { files: ["test/total.test.js"], name: "sums" };
export const APPROVE_TESTS = "review:\n  ai: always\nsafety:\n  approve: [run_tests]\n";
export const ASK_FOR_MONEY =
  "review:\n  ai: always\nsafety:\n  cost:\n    review: 0.13\n  gates:\n    cost_overrun: ask\n";

/** Wants to run a test first; then it is done, whatever came of that. */
export function tester({ messages }: Asked): ScriptedReply {
  const result = messages.some(({ role }) => role === "tool");
  if (!result) return { calls: [{ name: "run_tests", input: CALL }] };
  return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [] } }] };
}

/** The reader spends $0.105 of the $0.13 and claims a fault; the verifier is cheap and agrees. */
export function spender({ messages, toolNames }: Asked): ScriptedReply {
  if (toolNames.length === 0) return { text: "Nothing was learnt." };
  if (JSON.stringify(messages).includes("Your task is to refute each claim")) {
    const judgements = [{ claim: 1, verdict: "stands", reason: "no count" }];
    return { calls: [{ name: "complete", input: { judgements } }] };
  }
  const usage = { inputTokens: 210_000, outputTokens: 100 };
  return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [CLAIM] } }], usage };
}

/** For the tests of a file: a review of a pull request that stops at a gate, and what is to be seen of it. */
export function gatedReviews() {
  const at = worldWithModel();
  const pull = () => at.world.github.pullRequest("acme/shop", 1);
  return {
    at,
    pull,
    say: talkIn(() => at.world).say,
    begin: async (script: (asked: Asked) => ScriptedReply, configuration: string) => {
      const files = { ...CART, "test/total.test.js": TEST, ".github/forge.yml": configuration };
      const world = await at.begin(script, files);
      world.github.createAccount("eve");
      world.github.setRole("acme/shop", "eve", "read");
      await openPull(world, { "src/total.js": FORGETFUL }, { branch: "topic" });
      await world.settled();
    },
    /** What Forge says in the conversation, without its markers. */
    said: (): string[] => {
      const own = pull().comments.filter(({ by }) => by === "forge[bot]");
      return own.map(({ body }) => body.split("\n<!-- forge:")[0]!);
    },
    eventsOf: async (type: RunEvent["type"]): Promise<unknown[]> => {
      const { store } = at.world.forge!;
      const runs = await listRuns(store, { limit: 5 });
      const logs = await Promise.all(runs.map(({ traceId }) => readEvents(store, traceId)));
      return logs.flatMap((events) => events.filter((event) => event.type === type).map(({ payload }) => payload));
    },
    /** How the newest run stands, after its log was replayed to the same. */
    status: async () => {
      const { store } = at.world.forge!;
      const [run] = await listRuns(store, { limit: 1 });
      expect((await compareReplay(store, run!.traceId)).differences).toEqual([]);
      return run?.status;
    },
    /** What the model was told of its call. */
    toldOfCall: (): string => {
      const told = at.model.asked.at(-1)!.messages.filter(({ role }) => role === "tool");
      return JSON.stringify(told.map(({ content }) => content));
    },
  };
}
