import { join } from "node:path";
import { expect, it } from "vitest";
import { tellCost } from "../../../src/pipeline/commands/tell.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import { reserveSpend, settleSpend } from "../../../src/store/spend/reservations.ts";
import { temporaryFolder } from "../../store/databases.ts";
import { OWN, subject } from "../review/story.ts";

const TODAY = "2026-11-20T10:00:00.000Z";
const folder = temporaryFolder();
const YESTERDAY = "2026-11-19T10:00:00.000Z";

it("/forge cost: each run's money by model, and what counts against each limit now", async () => {
  const store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
  const { id: repositoryId, installationId } = subject.repository;
  const pay = async (id: string, runId: string, usd: number, at: string, subjectKey = OWN) => {
    const spender = { installationId, repositoryId, subjectKey, runId, phase: "review" };
    const call = { id, spender, provider: "anthropic", model: "fast", usd: 1, leastUsd: 0.1, limits: [], at };
    await reserveSpend(store, call);
    const usage = { inputTokens: 100, cacheReadTokens: 800, cacheWriteTokens: 100, outputTokens: 50 };
    await settleSpend(store, id, usd, usage);
  };
  // Nothing is configured, so the limits are the defaults.
  const host = { readFile: async () => undefined, readOrganisationFile: async () => undefined };
  const dependencies = { store, host, now: () => TODAY };
  const told = async (dayLimitUsd?: number, installationDayUsd?: number) => {
    const answer = await tellCost(
      { ...dependencies, dayLimitUsd, installationDayUsd },
      subject,
      {},
      new AbortController().signal,
    );
    return answer.kind === "cost" ? answer.cost : answer;
  };
  expect(await told()).toEqual({
    spent: [],
    limits: [
      { scope: "subject", usedUsd: 0, limitUsd: 50 },
      { scope: "repository", usedUsd: 0, limitUsd: 200 },
    ],
  });
  await pay("a", "run-1", 0.25, YESTERDAY);
  await pay("b", "run-2", 0.5, TODAY);
  await pay("c", "run-2", 0.5, TODAY);
  await pay("d", "run-3", 4, TODAY, "pull_request:11:99");
  const row = { phase: "review", model: "fast", cachedShare: 0.8 };
  expect(await told(500, 40)).toEqual({
    spent: [
      { ...row, runId: "run-1", usd: 0.25, tokens: 1050 },
      { ...row, runId: "run-2", usd: 1, tokens: 2100 },
    ],
    limits: [
      { scope: "phase", usedUsd: 1, limitUsd: 2 },
      { scope: "subject", usedUsd: 1.25, limitUsd: 50 },
      { scope: "repository", usedUsd: 5, limitUsd: 200 },
      { scope: "installation", usedUsd: 5, limitUsd: 40 },
      { scope: "day", usedUsd: 5, limitUsd: 500 },
    ],
  });
  await closeStore(store);
});
