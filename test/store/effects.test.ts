import { describe, expect, it } from "vitest";
import { type Effect, type EffectKind, effectKey } from "../../src/domain/effects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { isHeadOfFix, listEffectsOfRun, nextEffects, readEffect } from "../../src/store/effects/read-effects.ts";
import { markEffectSending, noteUnanswered, settleEffect } from "../../src/store/effects/settle-effect.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { at, decision, HEAD, opening, pullRequest } from "./fixtures.ts";

async function planned(store: Store, keys: string[]) {
  const subject = pullRequest();
  await commitDecision(
    store,
    decision({
      appends: [],
      effects: [{ runId: "run-1", subject, headSha: HEAD, effects: keys.map(opening) }],
      jobs: [{ kind: "effects", key: "effects", payload: { subject }, runAt: at(0) }],
    }),
  );
}

async function claimFence(store: Store, now: string) {
  const job = await claimJob(store, { workerId: "w", now, leaseMs: 1000 });
  return { jobId: job!.id, token: job!.token };
}

describe("effects", () => {
  onEveryDatabase((open) => {
    it("GH-13: the same effect decided twice is there once, as it was first", async () => {
      const store = await open();
      await planned(store, ["b", "a"]);
      await planned(store, ["a", "c"]);
      const effects = await nextEffects(store, pullRequest());
      expect(effects.map(({ key, state }) => [key, state])).toEqual([
        ["b", "planned"],
        ["a", "planned"],
        ["c", "planned"],
      ]);
      expect(effects[0]).toMatchObject({ ...opening("b"), runId: "run-1", subject: pullRequest(), headSha: HEAD });
      expect(await nextEffects(store, pullRequest(2))).toEqual([]);
    });

    it("GH-13: keys stay apart whatever the redactor takes for a secret in them, and what an effect says is redacted", async () => {
      const store = await open();
      const subject = pullRequest();
      const headOf = (digit: string) => digit.repeat(40);
      const token = `ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}`;
      const keyOf = (kind: EffectKind, digit: string) => effectKey(kind, token, headOf(digit), "again");
      const effects = ["d", "e"].flatMap((digit): Effect[] => [
        {
          kind: "check.open",
          key: keyOf("check.open", digit),
          payload: { check: "forge/review", headSha: headOf(digit) },
        },
        {
          kind: "check.start",
          key: keyOf("check.start", digit),
          payload: { check: "forge/review", headSha: headOf(digit), openKey: keyOf("check.open", digit) },
        },
      ]);
      const said: Effect = {
        kind: "branch.push",
        key: "said",
        payload: { branch: token, headSha: HEAD, expected: HEAD },
      };
      expect(store.redact(effects[0]!.key)).not.toBe(effects[0]!.key);
      await commitDecision(
        store,
        decision({ appends: [], effects: [{ runId: "run-1", subject, headSha: HEAD, effects: [...effects, said] }] }),
      );
      const stored = await listEffectsOfRun(store, "run-1");
      expect(stored.slice(0, 4)).toMatchObject(effects);
      expect(stored[4]).toMatchObject({ key: "said", payload: { branch: "[redacted]" } });
    });

    it("GH-13: an effect is seen as sending after a crash, since its latest sending", async () => {
      const store = await open();
      await planned(store, ["a"]);
      const fence = await claimFence(store, at(1));
      await noteUnanswered(store, "a", fence);
      expect(await readEffect(store, "a")).toMatchObject({ state: "planned", attempts: 1 });
      await markEffectSending(store, { key: "a", first: true }, at(1), fence);
      await markEffectSending(store, { key: "a", first: false }, at(2), fence);
      expect(await readEffect(store, "a")).toMatchObject({ state: "sending", sendingSince: at(2), attempts: 2 });
      expect(await nextEffects(store, pullRequest())).toHaveLength(1);
    });

    it("GH-13: what is settled stays settled and is not offered again", async () => {
      const store = await open();
      await planned(store, ["a", "b", "c"]);
      const fence = await claimFence(store, at(1));
      await settleEffect(store, { key: "a", settlement: { state: "done", result: { checkRunId: 9 } } }, at(2), fence);
      await settleEffect(store, { key: "b", settlement: { state: "failed", error: "no" } }, at(2), fence);
      await settleEffect(store, { key: "c", settlement: { state: "obsolete" } }, at(2), fence);
      await settleEffect(store, { key: "a", settlement: { state: "failed" } }, at(3), fence);
      await markEffectSending(store, { key: "a", first: true }, at(3), fence);
      expect(await nextEffects(store, pullRequest())).toEqual([]);
      const [a, b, c] = await listEffectsOfRun(store, "run-1");
      expect(a).toMatchObject({ state: "done", result: { checkRunId: 9 }, attempts: 0 });
      expect(b).toMatchObject({ state: "failed", error: "no" });
      expect(c).toMatchObject({ state: "obsolete" });
      expect(await readEffect(store, "z")).toBeUndefined();
    });

    it("GH-8b: the head that was pushed to a branch of people is known in its repository, another run's head is not", async () => {
      const store = await open();
      const subject = pullRequest();
      const push = (key: string, headSha: string, theirs?: true) => ({
        ...{ runId: `run of ${key}`, subject, headSha },
        effects: [
          {
            key,
            kind: "branch.push" as const,
            payload: { branch: "topic", headSha, expected: HEAD, ...(theirs ? { theirs } : {}) },
          },
        ],
      });
      const effects = [push("fix", "f".repeat(40), true), push("work", "b".repeat(40))];
      await commitDecision(store, decision({ appends: [], effects }));
      const { id } = subject.repository;
      const heads = ["f".repeat(40), "b".repeat(40), HEAD];
      const known = await Promise.all(heads.map((head) => isHeadOfFix(store, id, head)));
      expect(known).toEqual([true, false, false]);
      expect(await isHeadOfFix(store, id + 1, "f".repeat(40))).toBe(false);
    });

    it("PIPE-7: an effect and what its end means are settled together or not at all", async () => {
      const store = await open();
      await planned(store, ["a"]);
      const settles = { key: "a", settlement: { state: "done" as const, result: { checkRunId: 9 } } };
      await commitDecision(store, decision());
      await expect(commitDecision(store, decision({ settles }))).rejects.toMatchObject({ code: "version_conflict" });
      expect(await readEffect(store, "a")).toMatchObject({ state: "planned" });
      await commitDecision(store, decision({ appends: [], settles }));
      expect(await readEffect(store, "a")).toMatchObject({ state: "done", result: { checkRunId: 9 } });
    });

    it("GH-13: a worker that lost its lease can neither begin nor settle an effect", async () => {
      const store = await open();
      await planned(store, ["a"]);
      const lost = await claimFence(store, at(1));
      await claimFence(store, at(9));
      await expect(markEffectSending(store, { key: "a", first: true }, at(9), lost)).rejects.toMatchObject({
        code: "lease_lost",
      });
      await expect(noteUnanswered(store, "a", lost)).rejects.toMatchObject({ code: "lease_lost" });
      await expect(settleEffect(store, { key: "a", settlement: { state: "done" } }, at(9), lost)).rejects.toMatchObject(
        {
          code: "lease_lost",
        },
      );
      expect(await readEffect(store, "a")).toMatchObject({ state: "planned", attempts: 0 });
    });
  });
});
