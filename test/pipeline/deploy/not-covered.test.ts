import { describe, expect, it } from "vitest";
import type { Coverage } from "../../../src/domain/coverage.ts";
import { COVERED, deployWorld, OLD } from "./deploy-world.ts";

const staging = deployWorld("staging");
const EVA = { login: "eva", id: 3 };
let run = "";

describe("DEP-4: what was not looked at", () => {
  const lacking: Coverage = { ...COVERED, landings: [{ ...COVERED.landings[0]!, lacks: ["direct"] }] };

  it("goes nowhere by itself: a person is asked in staging too, and says why", async () => {
    run = await staging.request();
    await staging.observe({ coverage: lacking });
    await staging.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
    expect(await staging.standing()).toMatchObject({ is: "asking", steps: [] });
    expect(await staging.say("approve", {}, EVA)).toBe("needs_reason");
    expect(await staging.say("approve", { note: "the fix cannot wait" }, EVA)).toBeUndefined();
    expect(await staging.standing()).toMatchObject({
      is: "deploying",
      accepted: { by: "eva", reason: "the fix cannot wait" },
      coverage: { landings: [{ lacks: ["direct"] }] },
    });
  });

  it.each([
    ["is covered", COVERED],
    ["lacks what is not required there", { ...lacking, requires: [] }],
  ] as const)("is nothing where all of it %s: staging goes on", async (_what, coverage) => {
    run = await staging.request({ cause: "command" });
    await staging.observe({ coverage: { ...coverage, requires: [...coverage.requires] } });
    await staging.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
    expect(await staging.standing()).toMatchObject({ is: "deploying" });
  });

  it("begins where a person says, and only where Forge does not know what runs", async () => {
    await staging.say("deploy", { environment: "staging" }, EVA, { from: OLD });
    expect(await staging.standing()).toMatchObject({ is: "looking", by: "eva" });
    run = (await staging.standing()).runId;
    await staging.observe(
      { coverage: { ...COVERED, from: { sha: OLD, by: "person", who: "eva" } } },
      { bake_minutes: 0 },
    );
    await staging.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
    await staging.say("rollback", {}, EVA);
    expect(await staging.environment()).not.toHaveProperty("running");
  });
});
