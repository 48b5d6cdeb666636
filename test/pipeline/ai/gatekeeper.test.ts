import { describe, expect, it } from "vitest";
import { type LoopState, newLoopState } from "../../../src/agents/loop/loop-state.ts";
import type { Gate } from "../../../src/domain/gates.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import {
  impulseOfGates,
  moneyAnswer,
  noteGates,
  openGatekeeper,
  questionOf,
} from "../../../src/pipeline/ai/gatekeeper.ts";
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
  standing: { is: "waiting", wait: { for: "money", usedUsd: 4.1, limitUsd: 5 } },
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
    expect(moneyAnswer([await gateOf(holding, { is: "rejected", ...by })])).toMatchObject({ is: "rejected" });
    expect(moneyAnswer([await gateOf(holding, { is: "open" })])).toBeUndefined();
  });

  it.each([
    ["auto", 2, undefined],
    ["auto", 5, 0.8],
    ["ask", 2, 0.8],
    ["off", 50, undefined],
  ] as const)("is asked for with %s and a budget of $%i from %s on", (cost_overrun, review, askFrom) => {
    const configuration = RepoConfig.parse({ safety: { cost: { review }, gates: { cost_overrun } } });
    expect(openGatekeeper([], configuration, undefined).askFrom).toBe(askFrom);
  });

  it("is a maintainer's to answer at critical risk", () => {
    const configuration = RepoConfig.parse({});
    expect(openGatekeeper([], configuration, { level: "critical" }).needs).toBe("maintain");
    expect(openGatekeeper([], configuration, { level: "high" }).needs).toBe("write");
  });
});
