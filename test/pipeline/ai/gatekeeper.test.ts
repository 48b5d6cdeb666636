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
import { redactStrings } from "../../../src/safety/redact-value.ts";

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

function gateOf(state: LoopState, standing: Gate["standing"]): Gate {
  const question = questionOf(state, redact)!;
  return { gate: "G-1", runId: "run-a", headSha: "a", deadline: "", needs: "write", question, standing };
}
const by = { by: "ben", at: "" };

describe("LOOP-15: what people said to a call that waits", () => {
  const waiting = waitingWith({ files: ["a"], name: "hunter2" });

  it("is asked without secrets, and known by the whole call", () => {
    const question = questionOf(waiting, redact);
    expect(question).toMatchObject({ tool: "run_tests", inputCharacters: 50 });
    const shown = question?.type === "tool_call" ? question.input : "";
    expect(JSON.parse(shown)).toEqual({ files: ["a"], name: "[secret]" });
    const long = questionOf(waitingWith("x".repeat(20_000)), redact);
    expect(long).toMatchObject({ input: expect.stringMatching(/^"x{9999}$/), inputCharacters: 20_002 });
    const sameCall = questionOf(waitingWith({ name: "hunter2", files: ["a"] }), redact);
    const otherCall = questionOf(waitingWith({ name: "hunter3", files: ["a"] }), redact);
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
  ])("%o", (standing, impulse) => {
    expect(impulseOfGates(waiting, [gateOf(waiting, standing)], redact)).toEqual(impulse);
  });

  it("never lets another call run than the one that was shown", () => {
    const gate = gateOf(waiting, { is: "approved", ...by });
    const other = waitingWith({ files: ["a", "b"], name: "hunter2" });
    expect(impulseOfGates(other, [gate], redact)).toMatchObject({ verdict: { is: "denied" } });
    const elsewhere: LoopState = { ...waiting, agent: { ...agent, id: "agent:verifier:2" } };
    expect(impulseOfGates(elsewhere, [gate], redact)).toBeUndefined();
    const later: LoopState = { ...waiting, totalCalls: 2 };
    expect(impulseOfGates(later, [gate], redact)).toBeUndefined();
  });

  it("is the same call when it comes back from the store, which keeps no secret of it", () => {
    const secret = waitingWith({ command: "deploy --password hunter2" });
    const gate = gateOf(secret, { is: "approved", ...by });
    const kept = redactStrings(JSON.parse(JSON.stringify(secret)) as LoopState, redact);
    expect(JSON.stringify(kept)).not.toContain("hunter2");
    expect(impulseOfGates(kept, [gate], redact)).toMatchObject({ verdict: { is: "approved" } });
    const other = waitingWith({ command: "destroy --password hunter2" });
    expect(impulseOfGates(other, [gate], redact)).toMatchObject({ verdict: { is: "denied" } });
  });

  it("holds for the newest gate about it", () => {
    const gates = [gateOf(waiting, { is: "voided", at: "" }), gateOf(waiting, { is: "approved", ...by })];
    expect(impulseOfGates(waiting, gates, redact)).toMatchObject({ verdict: { is: "approved" } });
    expect(impulseOfGates(waiting, gates.toReversed(), redact)).toBeUndefined();
  });

  it("is noted where the call did not run", () => {
    const of = (standing: Gate["standing"]) => noteGates([gateOf(waiting, standing)]);
    expect(of({ is: "rejected", ...by })).toEqual(["A call of run_tests did not run: ben rejected G-1."]);
    expect(of({ is: "timed_out", at: "" })).toEqual(["A call of run_tests did not run: nobody answered G-1 in time."]);
    expect(of({ is: "approved", ...by })).toEqual([]);
  });
});

describe("SAFE-3: what people said about the money", () => {
  it("lets the work go on only when it was approved", () => {
    expect(impulseOfGates(holding, [gateOf(holding, { is: "approved", ...by })], redact)).toEqual({ by: "reopening" });
    expect(impulseOfGates(holding, [gateOf(holding, { is: "rejected", ...by })], redact)).toBeUndefined();
    expect(moneyAnswer([gateOf(holding, { is: "rejected", ...by })])).toMatchObject({ is: "rejected" });
    expect(moneyAnswer([gateOf(holding, { is: "open" })])).toBeUndefined();
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
