import { describe, expect, it } from "vitest";
import { EFFECT_CATALOGUE, type EffectKind, effectKey } from "../../src/domain/effects.ts";
import { errorFacts, ForgeError } from "../../src/domain/errors.ts";
import { failedEffect, failureOf } from "../../src/pipeline/runs/effects/effect-input.ts";

const KINDS = Object.keys(EFFECT_CATALOGUE) as EffectKind[];
const error = errorFacts(new ForgeError("github_refused", "no", { source: "permission" }));

describe("the effect that failed, as its event tells it", () => {
  it("is said in the event, whatever its key is", () => {
    const common = { type: "effect.failed", at: "", newRunId: "", runId: "r", error } as const;
    const subject = {
      kind: "issue",
      number: 1,
      repository: { id: 1, owner: "a", name: "b", installationId: 1 },
    } as const;
    for (const kind of KINDS) {
      const told = failureOf({ ...common, subject, effect: { kind, key: "x/pull.open/y" } });
      expect([told.during, failedEffect(told)]).toEqual(["x/pull.open/y", kind]);
    }
  });

  it("is read off the key in events that were stored without it", () => {
    for (const kind of KINDS) {
      for (const head of ["", "a".repeat(40)]) {
        const during = effectKey(kind, "issue:1:42", head, "run-1", "forge/1-pull.ready/x");
        expect(failedEffect({ during })).toBe(kind);
      }
    }
    expect(failedEffect({ during: "a model call" })).toBeUndefined();
  });
});
