import { expect, it } from "vitest";
import { createIdMaker } from "../../../src/domain/ids.ts";
import { type StandingLevel, UNSAID_LEVEL } from "../../../src/domain/ladder.ts";
import { deployMerged } from "../../../src/pipeline/deploy/work/deploy-merged.ts";
import { levelAfterWait, levelOfVersion } from "../../../src/pipeline/deploy/work/level-now.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { addJobs } from "../../../src/store/jobs/add-jobs.ts";
import { claimJob } from "../../../src/store/jobs/claim-job.ts";
import { readRepositoryFacts } from "../../../src/store/runs/repository-facts.ts";
import { deployWorld, NEW, OLD, PULL } from "./deploy-world.ts";

const world = deployWorld("staging");
const makeId = createIdMaker();
const { repository } = PULL;
const at = "2026-11-20T10:00:00.000Z";
const { signal } = new AbortController();
const STAGING = "deploy:\n  after_merge: staging\n  staging: { way: deployment }\n";

function dependencies(text: string) {
  const ends = { baseRef: "main", headSha: OLD };
  const host = {
    ...{ readFile: async () => text, readOrganisationFile: async () => undefined },
    readPullRequest: async () => ({ mergedAs: NEW, ends, defaultBranch: "main" }),
  };
  return { store: world.store, makeId, now: () => at, host } as never;
}

async function stand(standing: Partial<StandingLevel>): Promise<void> {
  const { changes: after = 0 } = (await readRepositoryFacts(world.store, repository.id)).level ?? {};
  const change = [{ kind: "levelled", subject: PULL, standing: { ...UNSAID_LEVEL, ...standing }, after } as const];
  await commitDecision(world.store, { appends: [], repository: change, at, makeId, source: "test" });
}

async function merged(text: string): Promise<void> {
  const job = { kind: "merged", key: "merged", payload: { subject: PULL }, runAt: at } as const;
  await addJobs(world.store, [job]);
  const claimed = await claimJob(world.store, { workerId: "w", now: at, leaseMs: 60_000, kinds: ["merged"] });
  const fence = { jobId: claimed!.id, token: claimed!.token };
  await deployMerged(dependencies(text), { subject: PULL }, { signal, fence } as never);
}

it.each([
  ["by a person's word", STAGING, 0],
  ["by the configuration", `${STAGING}safety: { automation_level: 0 }\n`, 3],
])(
  "SAFE-4: at level 0, %s, a merge is followed by nothing but the word how to deploy by hand",
  async (_, text, level) => {
    await stand({ level });
    await merged(text);
    expect(await world.planned()).toEqual(["deploy.check", "deploy.show"]);
    const rows = await world.store.read.all<{ conclusion: string }>("select conclusion from runs");
    expect(rows).toMatchObject([{ conclusion: "failure" }]);
  },
);

it("SAFE-4: the level of a version is that of its kinds of task, and 1 where it brings what nobody looked at", async () => {
  const level = (facts: object, text = STAGING) => {
    return levelOfVersion(dependencies(text), repository, { changes: [], direct: 0, more: 0, ...facts }, signal);
  };
  const change = { number: 12, title: "Sum right", author: "ben", open: 0, blocking: 0 };
  expect(await level({})).toBe(1);
  await stand({ level: 4, carries: { feature: 3 } });
  expect(await level({ changes: [change] })).toBe(3);
  expect(await level({ changes: [change, { ...change, implements: { issue: 1, runId: "r" } }] })).toBe(1);
  expect(await level({ changes: [change], direct: 1 })).toBe(1);
  expect(await level({ changes: [change], more: 1 })).toBe(1);
  expect(await level({ changes: [change] }, `${STAGING}safety: { automation_level: 2 }\n`)).toBe(2);

  const facts = { changes: [change], direct: 0, more: 0 };
  const deploy = { environment: "staging" };
  const waited = (text: string) =>
    levelAfterWait(dependencies(text), { subject: world.subject, deploy, observed: { facts } } as never, signal);
  expect(await waited(STAGING)).toBe(3);
  expect(await waited("deploy:\n  staging: { way: deployment }\n")).toBe(1);
});
