import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Effect } from "../../../src/domain/effects.ts";
import { createEffectDrain } from "../../../src/pipeline/runs/effects/drain-effects.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { markEffectSending } from "../../../src/store/effects/settle-effect.ts";
import { claimJob } from "../../../src/store/jobs/claim-job.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { toolGate } from "../../github/samples.ts";
import { temporaryFolder } from "../../store/databases.ts";
import { at, decision, HEAD, pullRequest } from "../../store/fixtures.ts";

const folder = temporaryFolder();
const subject = pullRequest();
let store: Store;
beforeEach(async () => {
  store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
});
afterEach(() => closeStore(store));

const onCheck = { check: "forge/review", headSha: HEAD, openKey: "open" } as const;
const activity = { doing: "thinking", model: "m" } as const;
const moved: Effect = { kind: "check.progress", key: "moved", payload: { ...onCheck, activity } };
const { runId: _run, standing: _standing, ...request } = toolGate({ headSha: HEAD });
const asks: Effect = { kind: "check.wait", key: "asks", payload: { ...onCheck, request } };

/** Plans effects, and tells which of them are sent. With `interrupted` Forge died before while it sent the first. */
async function sent(effects: readonly Effect[], { interrupted = false } = {}): Promise<string[]> {
  const jobs = [{ kind: "effects", key: "effects", payload: { subject }, runAt: at(0) }] as const;
  const planned = { runId: "run-1", subject, headSha: HEAD, effects: [...effects] };
  await commitDecision(store, decision({ appends: [], effects: [planned], jobs: [...jobs] }));
  const job = await claimJob(store, { workerId: "w", now: at(1), leaseMs: 1_000 });
  const fence = { jobId: job!.id, token: job!.token };
  if (interrupted) await markEffectSending(store, { key: effects[0]!.key, first: true }, at(1), fence);
  const keys: string[] = [];
  const drain = createEffectDrain({
    ...{ store, makeId: () => "id", now: () => at(1), log: pino({ level: "silent" }) },
    send: async ({ key }) => {
      keys.push(key);
      return { kind: "done", result: { checkRunId: 1 } };
    },
  });
  await drain(subject, { signal: new AbortController().signal, fence });
  return keys;
}

it("GH-12: what a review does is not said any more where a person is asked, who would lose the buttons, or where it ended", async () => {
  expect(await sent([moved, asks])).toEqual(["asks"]);
});

it("GH-12: nor if Forge died while it was being said, which GitHub may have taken or not", async () => {
  expect(await sent([moved, asks], { interrupted: true })).toEqual(["asks"]);
});

it("GH-5: that a check begins is not said after a question either, for which the budget of writes may have had room first", async () => {
  const begins: Effect = { kind: "check.start", key: "begins", payload: onCheck };
  expect(await sent([begins, asks])).toEqual(["asks"]);
});

it("GH-12: and is said where nothing came after it, or what came is of another check", async () => {
  const other: Effect = { kind: "check.start", key: "other", payload: { ...onCheck, openKey: "another" } };
  expect(await sent([moved, other])).toEqual(["moved", "other"]);
});
