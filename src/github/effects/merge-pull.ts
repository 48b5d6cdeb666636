import type { MergeOutcome, MergeState } from "../../domain/merging.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import type { EffectHandler, EffectOf } from "./effect-ports.ts";
import { orRefused } from "./metered-writes.ts";

/**
 * Merges a pull request, or puts it into the queue of its branch (SAFE-4): pinned to the head that was looked at, and only where GitHub says at this
 * moment that the protection of the branch has nothing against it. What GitHub refuses is not tried again.
 */
export const mergePull: EffectHandler<"pull.merge", undefined> = {
  find: async (effect, { repository }) => {
    const state = await repository.readMergeState(effect.subject.number);
    const done = state && state.headSha === effect.payload.headSha && doneBy(state);
    return done ? { settled: outcome({ is: done }) } : { there: undefined };
  },
  send: async (effect, _, { repository, write }) => {
    const { number } = effect.subject;
    const { headSha } = effect.payload;
    const state = await repository.readMergeState(number);
    const why = state ? whyNot(state, effect) : "it is gone";
    if (!state || why !== undefined) return outcome({ is: "refused", said: why ?? "it is gone" });
    const sent = await orRefused(
      state.queue ? write.enqueuePull(state.id, headSha) : write.mergePull(number, headSha, state.method),
    );
    return outcome(sent.ok ? { is: state.queue ? "queued" : "merged" } : { is: "refused", said: sent.message });
  },
};

function doneBy({ merged, queued }: MergeState): "merged" | "queued" | undefined {
  return merged ? "merged" : queued ? "queued" : undefined;
}

/** What changed since it was decided. */
function whyNot(state: MergeState, { payload }: EffectOf<"pull.merge">): string | undefined {
  if (!state.open) return "it is closed";
  if (state.draft) return "it is a draft";
  if (state.headSha !== payload.headSha) return "something was pushed meanwhile";
  if (state.baseRef !== payload.baseRef) return "it has another base branch meanwhile";
  if (!state.isProtected) return "its base branch asks for no check and no review";
  if (state.mayBypass) return "Forge could go around the protection of its base branch";
  return state.status === "ready" ? undefined : `it is ${state.status}`;
}

function outcome(merge: MergeOutcome): EffectOutcome {
  return { kind: "done", result: { merge } };
}
