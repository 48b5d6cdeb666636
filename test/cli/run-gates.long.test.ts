import { describe, expect, it } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { calls, goodMind, PLAN, roleOf, turnsSoFar } from "../e2e/implementer.ts";
import { boxed } from "../needs/sandbox.ts";
import { runAt, setUpShops } from "./run-kit.ts";

const { at, stock, thinking, onShop } = setUpShops();

describe("gates at the terminal", () => {
  const ASK = "safety:\n  gates:\n    architecture_approval: always\n";

  function planned(risk: "low" | "high", changes = {}): (asked: Asked) => ScriptedReply {
    return (asked) => {
      if (roleOf(asked) !== "planner") return goodMind(asked);
      const isChanged = JSON.stringify(asked.messages).includes("use Intl");
      const decisions = isChanged ? ["Intl.NumberFormat formats"] : PLAN.decisions;
      return calls({ name: "complete", input: { ...PLAN, decisions, risk: { level: risk, reasons: [] }, ...changes } });
    };
  }

  boxed("PLAN-1: a question is answered and a plan changed by what is typed", async () => {
    stock({ ".github/forge.yml": ASK });
    const environment = await thinking((asked) => {
      if (
        roleOf(asked) === "planner" &&
        turnsSoFar(asked) === 0 &&
        !JSON.stringify(asked.messages).includes("Always two")
      ) {
        return calls({ name: "ask_human", input: { question: "Whole euros too?", options: ["yes", "no"] } });
      }
      return planned("low")(asked);
    });
    const typed = "Always two digits.\nuse Intl\n";
    const { code, out } = await runAt(typed, onShop("Prices have odd digits"), environment);
    expect(out).toContain("G-1: a question\n  Whole euros too?");
    expect(out).toContain("G-2: carry out this plan?\n  - every plan waits for a person in this repository\n");
    expect(out).toContain("Plan, version 2: Show prices with two digits");
    expect(out).toContain("  - Intl.NumberFormat formats");
    expect(code).toBe(0);
  });

  it("SAFE-3: where nobody sits the run waits, keeps the plan, and goes on when it is resumed", async () => {
    const environment = await thinking(planned("high"));
    const first = await runAt(undefined, onShop("Prices have odd digits"), environment);
    expect(first.code).toBe(2);
    expect(first.out).toMatch(
      /Waits for a person: G-1, a word on the plan\n.*\nto answer: forge run --resume [0-9A-Z]{26} --repo \S+ --data \S+\n$/,
    );
    expect(at.shop.git("branch", "--list", "forge/*")).toBe("");
    const asked = at.model!.asked.length;
    const second = await runAt("no, too risky\n", onShop("--resume", "last"), environment);
    expect(second).toMatchObject({ code: 1, out: expect.stringContaining("Ended: the plan was rejected") });
    expect(at.model!.asked).toHaveLength(asked);
  });

  it("SAFE-3: --yes never says yes to a high risk, and ends with what waits", async () => {
    const environment = await thinking(planned("high"));
    const { code, out } = await runAt("yes\n", onShop("Prices have odd digits", "--yes"), environment);
    expect(code).toBe(2);
    expect(out).toContain("G-1: carry out this plan?\n  - the risk is high\n");
    expect(at.shop.git("branch", "--list", "forge/*")).toBe("");
  });

  boxed("SAFE-3: --yes says yes to a plan of low risk that the repository asks about", async () => {
    stock({ ".github/forge.yml": ASK });
    const environment = await thinking(planned("low"));
    const { code, out } = await runAt(undefined, onShop("Prices have odd digits", "--yes"), environment);
    expect(out).toContain("G-1: a word on the plan: yes, by the rules of --yes\n");
    expect(code).toBe(0);
  });
});
