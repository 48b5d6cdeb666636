import { expect, it } from "vitest";
import { type EffectHandler, type EffectOf, nothingToFind } from "../../src/github/effects/effect-ports.ts";

const done = { kind: "done", result: {} } as const;

it("GH-13: the compiler refuses a kind of effect that does not look, writes while it looks, or guesses whether it was sent", () => {
  // @ts-expect-error: it does not say what is found of it.
  const blind: EffectHandler<"comment.react"> = { send: async () => done };
  const hasty: EffectHandler<"comment.react"> = {
    find: async (effect, look) => {
      // @ts-expect-error: what looks has nothing to write with.
      await look.repository.react("issue_comment", effect.payload.commentId, "eyes");
      return { there: undefined };
    },
    send: async () => done,
  };
  const uncounted: EffectHandler<"comment.react"> = {
    find: nothingToFind,
    send: async (effect, _, ports) => {
      // @ts-expect-error: only what is counted writes.
      await ports.repository.react("issue_comment", effect.payload.commentId, "eyes");
      return done;
    },
  };
  // @ts-expect-error: whether to look is not the kind's to say.
  const guess = (effect: EffectOf<"check.open">) => effect.state;
  expect([blind, hasty, uncounted, guess]).toHaveLength(4);
});
