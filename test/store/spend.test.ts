import { describe, expect, it } from "vitest";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { listSpend, readUsedUsd, type Spender } from "../../src/store/spend/read-spend.ts";
import {
  giveUpSpend,
  type NewReservation,
  releaseSpend,
  reserveSpend,
  settleSpend,
} from "../../src/store/spend/reservations.ts";
import { onEveryDatabase } from "./databases.ts";
import { at } from "./fixtures.ts";

const spender: Spender = {
  installationId: 7,
  repositoryId: 100,
  subjectKey: "pull_request:100:1",
  runId: "run-1",
  phase: "review",
};
const tokens = { inputTokens: 1000, cacheReadTokens: 9000, cacheWriteTokens: 500, outputTokens: 300 };

function call(id: string, usd: number, change: Partial<NewReservation> = {}): NewReservation {
  return {
    id,
    spender,
    provider: "anthropic",
    model: "claude-haiku-5-5",
    usd,
    leastUsd: usd / 4,
    limits: [
      { scope: "phase", limitUsd: 2 },
      { scope: "day", limitUsd: 3 },
    ],
    at: at(0),
    ...change,
  };
}

describe("money for calls of models", () => {
  onEveryDatabase((open) => {
    it("SAFE-2: reserves, settles and releases, and refuses what a limit does not allow", async () => {
      const store = await open();
      expect(await reserveSpend(store, call("a", 1.2))).toEqual({ ok: true });
      expect(await reserveSpend(store, call("b", 0.9))).toEqual({
        ok: false,
        refusal: { scope: "phase", limitUsd: 2, usedUsd: 1.2, neededUsd: 0.9 },
      });
      await settleSpend(store, "a", 0.1, tokens);
      expect(await reserveSpend(store, call("b", 1.9))).toEqual({ ok: true });
      await releaseSpend(store, "b");
      expect((await readUsedUsd(store, spender, at(1))).phase).toBe(0.1);
    });

    it("SAFE-2: cannot be overshot by calls at the same time, of one process or of several", async () => {
      const store = await open();
      const other = store.url.startsWith("file:") ? store : await open();
      const limits = [{ scope: "day", limitUsd: 1 }] as const;
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const mine = { ...spender, runId: `run-${index}`, repositoryId: index };
          return reserveSpend(index % 2 ? store : other, call(`c-${index}`, 0.1, { spender: mine, limits }));
        }),
      );
      expect(results.filter(({ ok }) => ok)).toHaveLength(10);
      expect((await readUsedUsd(store, spender, at(0))).day).toBe(1);
    });

    it("SAFE-1: counts for phase, run, subject, repository, installation and day apart", async () => {
      const store = await open();
      const others: [string, Partial<Spender>, string][] = [
        ["another phase", { phase: "testing" }, at(0)],
        ["another run", { runId: "run-2" }, at(0)],
        ["another subject", { runId: "run-3", subjectKey: "pull_request:100:2" }, at(0)],
        ["another repository", { runId: "run-4", subjectKey: "pull_request:200:1", repositoryId: 200 }, at(0)],
        ["another day", {}, "2026-11-21T00:00:00.000Z"],
      ];
      await reserveSpend(store, call("own", 0.01));
      for (const [id, change, moment] of others) {
        await reserveSpend(store, call(id, 0.01, { spender: { ...spender, ...change }, at: moment }));
      }
      expect(await readUsedUsd(store, spender, at(5))).toEqual({
        phase: 0.02,
        run: 0.03,
        subject: 0.04,
        repository: 0.04,
        installation: 0.05,
        day: 0.05,
      });
    });

    it("SAFE-1: begins a day's money anew at 00:00 UTC", async () => {
      const store = await open();
      const limits = [{ scope: "day", limitUsd: 1 }] as const;
      expect(await reserveSpend(store, call("a", 1, { limits, at: "2026-11-20T23:59:59.999Z" }))).toEqual({ ok: true });
      expect((await reserveSpend(store, call("b", 0.1, { limits, at: "2026-11-20T23:59:59.999Z" }))).ok).toBe(false);
      expect(await reserveSpend(store, call("b", 0.1, { limits, at: "2026-11-21T00:00:00.000Z" }))).toEqual({
        ok: true,
      });
    });

    it("is reserved and settled once, however often it is said", async () => {
      const store = await open();
      await reserveSpend(store, call("a", 1.5));
      expect(await reserveSpend(store, call("a", 1.5))).toEqual({ ok: true });
      await settleSpend(store, "a", 0.2, tokens);
      await settleSpend(store, "a", 0.9, tokens);
      await releaseSpend(store, "a");
      expect((await readUsedUsd(store, spender, at(0))).run).toBe(0.2);
    });

    it("SAFE-2: of a call in flight when the process died counts what it surely cost", async () => {
      const store = await open();
      await reserveSpend(store, call("a", 1));
      await reserveSpend(store, call("b", 0.4));
      await settleSpend(store, "b", 0.3, tokens);
      await giveUpSpend(store, "run-1");
      expect((await readUsedUsd(store, spender, at(0))).run).toBe(0.55);
      await settleSpend(store, "a", 0.7, tokens);
      expect((await readUsedUsd(store, spender, at(0))).run).toBe(1);
    });

    it("lists what a subject cost by run, phase and model", async () => {
      const store = await open();
      await reserveSpend(store, call("a", 1));
      await settleSpend(store, "a", 0.3, tokens);
      await reserveSpend(store, call("b", 1, { at: at(1) }));
      await settleSpend(store, "b", 0.2, tokens);
      await reserveSpend(store, call("c", 0.5, { model: "claude-sonnet-5-5", at: at(2) }));
      await reserveSpend(store, call("d", 0.1, { spender: { ...spender, subjectKey: "other" } }));
      const own = { runId: "run-1", phase: "review" };
      expect(await listSpend(store, spender.subjectKey)).toEqual([
        {
          ...own,
          model: "claude-haiku-5-5",
          calls: 2,
          usd: 0.5,
          inputTokens: 2000,
          cacheReadTokens: 18_000,
          cacheWriteTokens: 1000,
          outputTokens: 600,
        },
        {
          ...own,
          model: "claude-sonnet-5-5",
          calls: 1,
          usd: 0.5,
          inputTokens: 0,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          outputTokens: 0,
        },
      ]);
    });

    it("DATA-2: is forgotten with its installation", async () => {
      const store = await open();
      await reserveSpend(store, call("a", 1));
      await reserveSpend(store, call("b", 0.5, { spender: { ...spender, installationId: 8, runId: "run-8" } }));
      await deleteInstallation(store, 7);
      expect((await readUsedUsd(store, spender, at(0))).day).toBe(0.5);
    });
  });
});
