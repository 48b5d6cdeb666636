import { expect, it } from "vitest";
import type { DeployStanding } from "../../../src/domain/deployments.ts";
import { isCourtesy } from "../../../src/pipeline/runs/effects/write-port.ts";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld();

it("GH-15: how far a deployment is may wait for the budget of writes; that a word is missing, that it goes back and how it ended may not", async () => {
  await world.request();
  const standing = await world.standing();
  const courtesies = (["deploy.show", "deploy.check"] as const).map((kind) => (more: Partial<DeployStanding>) => {
    const payload = { standing: { ...standing, ...more }, of: 1, headSha: standing.sha };
    return isCourtesy({ kind, key: "k", payload } as Parameters<typeof isCourtesy>[0]);
  });
  const step = { sha: standing.sha, percentage: 5, task: "deploy", outcome: { is: "done" } } as const;
  for (const isCourteous of courtesies) {
    expect(isCourteous({ is: "baking", steps: [step] })).toBe(true);
    expect(isCourteous({ is: "baking", steps: [{ ...step, unclear: true }] })).toBe(false);
    expect(isCourteous({ is: "announced" })).toBe(false);
    expect(isCourteous({ is: "going_back" })).toBe(false);
    expect(isCourteous({ is: "ended", end: { outcome: "healthy" } })).toBe(false);
  }
});
