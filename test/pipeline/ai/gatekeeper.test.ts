import { describe, expect, it } from "vitest";
import { type LoopState, newLoopState } from "../../../src/agents/loop/loop-state.ts";
import type { Gate } from "../../../src/domain/gates.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import {
  heldMoney,
  impulseOfGates,
  moneyAnswer,
  noteGates,
  openGatekeeper,
  questionOf,
} from "../../../src/pipeline/ai/gatekeeper.ts";
import type { SpendKeeper } from "../../../src/pipeline/ai/spend-keeper.ts";
import type { BudgetLimit } from "../../../src/safety/budget.ts";
import { REDACTED_AT_ONCE } from "../../../src/safety/redact.ts";
import { redactStrings } from "../../../src/safety/redact-value.ts";
import { NOT_SEARCHED } from "../../../src/safety/redacting-thread.ts";

const agent = { id: "agent:reviewer:1", type: "reviewer", name: "reviewer", promptVersion: "1" } as const;
const definition = { ...agent, layers: [], tools: [], maxOutputTokens: 100 };
const fresh = newLoopState(definition, agent, 0);
const redact = (text: string) => text.replaceAll("hunter2", "[secret]");

function waitingWith(input: unknown): LoopState {
  const wait = { for: "approval", callId: "c1", tool: "run_tests", input, reason: "It needs a person." } as const;
  return { ...fresh, totalCalls: 1, standing: { is: "waiting", wait } };
}
const holding: LoopState = {
  ...fresh,
  standing: { is: "waiting", wait: { for: "money", budget: "phase:review", usedUsd: 4.1, limitUsd: 5 } },
};

async function gateOf(state: LoopState, standing: Gate["standing"]): Promise<Gate> {
  const question = (await questionOf(state, redact))!;
  return { gate: "G-1", runId: "run-a", headSha: "a", deadline: "", needs: "write", question, standing };
}
const by = { by: "ben", at: "" };

describe("LOOP-15: what people said to a call that waits", () => {
  const waiting = waitingWith({ files: ["a"], name: "hunter2" });

  it("is asked without secrets, and known by the whole call", async () => {
    const question = await questionOf(waiting, redact);
    expect(question).toMatchObject({ tool: "run_tests", inputCharacters: 50 });
    const shown = question?.type === "tool_call" ? question.input : "";
    expect(JSON.parse(shown)).toEqual({ files: ["a"], name: "[secret]" });
    const long = await questionOf(waitingWith("x".repeat(20_000)), redact);
    expect(long).toMatchObject({ input: expect.stringMatching(/^"x{9999}$/), inputCharacters: 20_002 });
    const sameCall = await questionOf(waitingWith({ name: "hunter2", files: ["a"] }), redact);
    const otherCall = await questionOf(waitingWith({ name: "hunter3", files: ["a"] }), redact);
    const hashes = [question, sameCall, otherCall].map((one) => one?.type === "tool_call" && one.callHash);
    expect([hashes[0] === hashes[1], hashes[0] === hashes[2]]).toEqual([true, false]);
  });

  it.each<[Gate["standing"], unknown]>([
    [
      { is: "approved", ...by, note: "once" },
      { by: "approval", verdict: { is: "approved", note: "once" } },
    ],
    [
      { is: "rejected", ...by, note: "no" },
      { by: "approval", verdict: { is: "denied", reason: "no" } },
    ],
    [
      { is: "rejected", ...by },
      { by: "approval", verdict: { is: "denied", reason: "no reason was given." } },
    ],
    [
      { is: "timed_out", at: "" },
      { by: "approval", verdict: { is: "denied", reason: "nobody answered in time." } },
    ],
    [{ is: "open" }, undefined],
    [{ is: "voided", at: "" }, undefined],
  ])("%o", async (standing, impulse) => {
    expect(await impulseOfGates(waiting, [await gateOf(waiting, standing)], redact)).toEqual(impulse);
  });

  it("never lets another call run than the one that was shown", async () => {
    const gate = await gateOf(waiting, { is: "approved", ...by });
    const other = waitingWith({ files: ["a", "b"], name: "hunter2" });
    expect(await impulseOfGates(other, [gate], redact)).toMatchObject({ verdict: { is: "denied" } });
    const elsewhere: LoopState = { ...waiting, agent: { ...agent, id: "agent:verifier:2" } };
    expect(await impulseOfGates(elsewhere, [gate], redact)).toBeUndefined();
    const later: LoopState = { ...waiting, totalCalls: 2 };
    expect(await impulseOfGates(later, [gate], redact)).toBeUndefined();
  });

  it("OPS-8: a call that could not be searched for secrets never runs: another one would look the same", async () => {
    const aside = async () => NOT_SEARCHED;
    const failing = Object.assign((text: string) => redact(text), { aside });
    const long = waitingWith({ content: "x".repeat(REDACTED_AT_ONCE + 1) });
    const gate = {
      ...(await gateOf(waiting, { is: "approved", ...by })),
      question: (await questionOf(long, failing))!,
    };
    expect(JSON.stringify(gate.question)).not.toContain("xxx");
    expect(await impulseOfGates(long, [gate], failing)).toMatchObject({ verdict: { is: "denied" } });
    expect(await impulseOfGates(long, [gate], redact)).toMatchObject({ verdict: { is: "denied" } });
  });

  it("is the same call when it comes back from the store, which keeps no secret of it", async () => {
    const secret = waitingWith({ command: "deploy --password hunter2" });
    const gate = await gateOf(secret, { is: "approved", ...by });
    const kept = redactStrings(JSON.parse(JSON.stringify(secret)) as LoopState, redact);
    expect(JSON.stringify(kept)).not.toContain("hunter2");
    expect(await impulseOfGates(kept, [gate], redact)).toMatchObject({ verdict: { is: "approved" } });
    const other = waitingWith({ command: "destroy --password hunter2" });
    expect(await impulseOfGates(other, [gate], redact)).toMatchObject({ verdict: { is: "denied" } });
  });

  it("holds for the newest gate about it", async () => {
    const gates = [await gateOf(waiting, { is: "voided", at: "" }), await gateOf(waiting, { is: "approved", ...by })];
    expect(await impulseOfGates(waiting, gates, redact)).toMatchObject({ verdict: { is: "approved" } });
    expect(await impulseOfGates(waiting, gates.toReversed(), redact)).toBeUndefined();
  });

  it("is noted where the call did not run", async () => {
    const of = async (standing: Gate["standing"]) => noteGates([await gateOf(waiting, standing)]);
    expect(await of({ is: "rejected", ...by })).toEqual(["A call of run_tests did not run: ben rejected G-1."]);
    expect(await of({ is: "timed_out", at: "" })).toEqual([
      "A call of run_tests did not run: nobody answered G-1 in time.",
    ]);
    expect(await of({ is: "approved", ...by })).toEqual([]);
  });
});

describe("SAFE-3: what people said about the money", () => {
  it("lets the work go on only when it was approved", async () => {
    expect(await impulseOfGates(holding, [await gateOf(holding, { is: "approved", ...by })], redact)).toEqual({
      by: "reopening",
    });
    expect(await impulseOfGates(holding, [await gateOf(holding, { is: "rejected", ...by })], redact)).toBeUndefined();
    const rejected = [await gateOf(holding, { is: "rejected", ...by })];
    expect(moneyAnswer(rejected, "phase:review")).toMatchObject({ is: "rejected" });
    expect(moneyAnswer(rejected, "run")).toBeUndefined();
    expect(moneyAnswer([await gateOf(holding, { is: "open" })], "phase:review")).toBeUndefined();
  });

  const hold = (
    cost_overrun: "auto" | "ask" | "off",
    { limits, spent, gates = [] }: { limits: readonly BudgetLimit[]; spent: number; gates?: readonly Gate[] },
  ) => {
    const configuration = RepoConfig.parse({ safety: { gates: { cost_overrun } } });
    const spend = { used: async () => () => spent } as unknown as SpendKeeper;
    return heldMoney(spend, limits, openGatekeeper(gates, configuration, undefined));
  };
  const limit = (scope: BudgetLimit["scope"], limitUsd: number): BudgetLimit => {
    return { scope, limitUsd, key: scope === "phase" ? "run-a:review" : "k" };
  };

  it.each([
    ["auto", 2, 1.59, undefined],
    ["auto", 2, 1.6, "phase:review"],
    ["auto", 0.5, 0.4, "phase:review"],
    ["auto", 0.49, 0.48, undefined],
    ["ask", 0.1, 0.09, "phase:review"],
    ["off", 50, 49, undefined],
    ["auto", 2, 2, undefined],
  ] as const)("%s, a budget of $%d and $%d spent: %s", async (cost_overrun, limitUsd, spent, budget) => {
    expect((await hold(cost_overrun, { limits: [limit("phase", limitUsd)], spent }))?.budget).toBe(budget);
  });

  it("is asked for of every budget, of each once", async () => {
    const limits = [limit("phase", 5), limit("run", 4), limit("subject", 20), limit("repository", 4)];
    const first = await hold("auto", { limits, spent: 3.5 });
    expect(first).toEqual({ budget: "run", usedUsd: 3.5, limitUsd: 4 });
    const waiting: LoopState = { ...holding, standing: { is: "waiting", wait: { for: "money", ...first! } } };
    const gates = [await gateOf(waiting, { is: "approved", ...by })];
    expect(await hold("auto", { limits, spent: 3.5, gates })).toMatchObject({ budget: "repository" });
    expect(await impulseOfGates(holding, gates, redact)).toBeUndefined();
  });

  it("is a maintainer's to answer at critical risk", () => {
    const configuration = RepoConfig.parse({});
    expect(openGatekeeper([], configuration, { level: "critical" }).needs).toBe("maintain");
    expect(openGatekeeper([], configuration, { level: "high" }).needs).toBe("write");
  });
});
